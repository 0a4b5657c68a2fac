import { expect, test } from 'vitest';
import { fileProblem } from './file-problem.ts';

test('detects a file that the service would refuse by name or size', () => {
  expect(fileProblem({ name: 'staff.pdf', size: 10 }, 50)).toBe('kind');
  expect(fileProblem({ name: 'staff.XLS', size: 10 }, 50)).toBe('xls');
  expect(fileProblem({ name: 'staff.csv', size: 0 }, 50)).toBe('empty');
  expect(fileProblem({ name: 'staff.csv', size: 50 * 1_048_576 + 1 }, 50)).toBe('size');
  expect(fileProblem({ name: 'STAFF.CSV', size: 50 * 1_048_576 }, 50)).toBeUndefined();
  expect(fileProblem({ name: 'staff.xlsx', size: 10 }, 50)).toBeUndefined();
  expect(fileProblem({ name: 'PA0001.TXT', size: 10 }, 50)).toBeUndefined();
  expect(fileProblem({ name: 'files.csv', size: 10 }, 200, true)).toBe('zip');
  expect(fileProblem({ name: 'Files.ZIP', size: 10 }, 200, true)).toBeUndefined();
});
