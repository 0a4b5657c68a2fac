import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('a file has quoted texts, plain numbers and no formulas', () => {
  expect(
    csvOf([
      ['Name', 'People'],
      ['A "B", Ltd', 3],
      ['=1+1', null],
      ['-', -2.5],
    ]),
  ).toBe('\uFEFF"Name","People"\r\n"A ""B"", Ltd",3\r\n"\'=1+1",\r\n"\'-",-2.5\r\n');
});
