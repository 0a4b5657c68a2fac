import { expect, test } from 'vitest';
import { namedBy, possibleNumbers } from './path.ts';

/** How paths of an archive are read, for the people 1001, 1002, A-7 and 2023. */

const people: ReadonlySet<string> = new Set(['1001', '1002', 'a-7', '2023']);
const read = (...paths: string[]) => {
  const possible = new Set(possibleNumbers(paths));
  const named = namedBy(paths, (number) => {
    // the reader asks only about numbers that were looked up
    expect(possible).toContain(number);
    return people.has(number);
  });
  return named.map(({ employee_number, title, category }) => [employee_number, title, category]);
};

test.each([
  ['1001/Contract.pdf', '1001', 'Contract', null],
  ['export/1001/Contract 2020.v2.pdf', '1001', 'Contract 2020.v2', null],
  ['1001_Contract.pdf', '1001', 'Contract', null],
  ['1001_Contract_signed.pdf', '1001', 'Contract_signed', null],
  ['1001.pdf', '1001', '1001', null],
  ['1001_.pdf', '1001', '1001_', null],
  ['export/1001_Contract.pdf', '1001', 'Contract', null],
  // a number that no one has is an error of its row
  ['9999/Contract.pdf', '9999', 'Contract', null],
  ['export/9999/Contract.pdf', '9999', 'Contract', null],
  ['9999/Contracts/x.pdf', '9999', 'x', 'contract'],
  ['Contracts/x.pdf', 'Contracts', 'x', 'contract'],
  // folders inside the person's folder
  ['1001/Contracts/x.pdf', '1001', 'x', 'contract'],
  ['Export 2024/1001/02 Zeugnisse/Abitur.pdf', '1001', 'Abitur', 'certificate'],
  ['Verträge/A-7/x.pdf', 'A-7', 'x', 'contract'],
  ['a-7/Payroll/2024/March.pdf', 'a-7', 'Payroll – 2024 – March', null],
  ['1001/Contracts/2024/Annex.pdf', '1001', '2024 – Annex', 'contract'],
  ['1001/Ausweise/Pass.pdf', '1001', 'Pass', 'id_document'],
  [`1001/${'x'.repeat(145)}/Annex.pdf`, '1001', 'Annex', null],
  // folders with the person's name
  ['1001 Anna Berg/x.pdf', '1001', 'x', null],
  ['1001_Berg/Letters/x.pdf', '1001', 'x', 'letter'],
  // two people in one path: the row fails and shows both
  ['1001/2023/x.pdf', '1001/2023', 'x', null],
])('%s', (path, number, title, category) => {
  expect(read(path)).toEqual([[number, title, category]]);
});

test('a year inside the folders of people is not taken for a person, and neither is one outside', () => {
  const years = ['1001/2023/Payslip.pdf', '1001/2024/Payslip.pdf', '1002/2024/Payslip.pdf', 'A-7/2023/Payslip.pdf'];
  expect(read(...years).map(([number]) => number)).toEqual(['1001', '1001', '1002', 'A-7']);
  const outside = ['2023/1001/a.pdf', '2024/1002/a.pdf', '2023/9999/a.pdf', '2024/1001/b.pdf'];
  expect(read(...outside).map(([number]) => number)).toEqual(['1001', '1002', '9999', '1001']);
});

test('an archive may have people on several levels', () => {
  const mixed = ['1001/a.pdf', '1002/b.pdf', 'old/A-7/c.pdf', '1001_d.pdf', 'old/9999/e.pdf'];
  expect(read(...mixed).map(([number]) => number)).toEqual(['1001', '1002', 'old', '1001', 'old']);
  expect(read('1001/a.pdf', 'old/1002/b.pdf').map(([number]) => number)).toEqual(['1001', '1002']);
});
