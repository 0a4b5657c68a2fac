import { expect, test } from 'vitest';
import { employeeStatus } from './status.ts';

test.each([
  ['active', 'confirmed', 'active'],
  ['active', undefined, 'active'],
  ['active', 'probationary', 'probation'],
  ['active', 'resigned', 'leaving'],
  ['active', 'terminated', 'leaving'],
  ['joining', 'confirmed', 'joining'],
  ['joining', 'probationary', 'joining'],
  ['joining', undefined, 'joining'],
  ['joining', 'resigned', 'leaving'],
  ['inactive', 'resigned', 'resigned'],
  ['inactive', 'terminated', 'terminated'],
  ['inactive', 'confirmed', 'inactive'],
  ['inactive', 'probationary', 'inactive'],
  ['inactive', undefined, 'inactive'],
] as const)('%s and %s is shown as %s', (activity_status, employment_lifecycle, expected) => {
  expect(employeeStatus({ activity_status, employment_lifecycle })).toBe(expected);
});
