import { expect, test } from 'vitest';
import { missingFields } from './fields.ts';

test('a required field is missing until a column or a value for all rows fills it', () => {
  expect(missingFields([], {}, 'fail')).toEqual(['first_name', 'last_name', 'entity', 'department']);
  expect(missingFields(['first_name', null, 'last_name', 'email', 'department'], {}, 'fail')).toEqual(['entity']);
  expect(missingFields(['first_name', 'last_name', 'email', 'department_id'], { entity_id: 1 }, 'skip')).toEqual([]);
});

test('a file that updates people by number needs no other field', () => {
  expect(missingFields(['employee_number', 'phone'], {}, 'update')).toEqual([]);
  expect(missingFields(['phone'], {}, 'update')).toHaveLength(4);
});
