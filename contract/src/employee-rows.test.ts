import { expect, test } from 'vitest';
import { employeeRows } from './employee-rows.ts';
import type { FieldRow } from './field-kit.ts';

const rows = Object.entries<FieldRow>(employeeRows);

test('lists show no private field, and are neither ordered nor narrowed by one', () => {
  const listed = rows.filter(([, { list, sort, filter }]) => list ?? sort ?? filter);
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.filter(([, { group }]) => group === 'private').map(([name]) => name)).toEqual([]);
});

test('who may change a field is said once', () => {
  const twice = rows.filter(
    ([, row]) => [row.selfEdit, row.readOnlyForSelf, row.createOnly].filter(Boolean).length > 1,
  );
  expect(twice).toEqual([]);
});
