import { employeeRows, importFields } from '@tenure/contract';
import { expect, test } from 'vitest';
import { fixedFields } from './has-choices.ts';

test('each imported field with fixed values offers them', () => {
  const choices = Object.entries(employeeRows).filter(([name, row]) => row.kind === 'choice' && name in importFields);
  expect(fixedFields.toSorted()).toEqual(choices.map(([name]) => name).toSorted());
});
