import { expect, test } from 'vitest';
import { failuresIn, lastLines } from './failures.ts';

const file = (name: string, status: string, message = '') => ({ name, status, message });

test('what failed is named by file and full name, with the first lines of its message in plain text', () => {
  const assertionResults = [
    { fullName: 'a cycle is closed', status: 'passed', failureMessages: [] },
    {
      fullName: 'a cycle is published once',
      status: 'failed',
      failureMessages: [`\u001B[31mError: expected 1\u001B[39m\n\n${'    at somewhere\n'.repeat(40)}`],
    },
    { fullName: 'a cycle waits', status: 'skipped', failureMessages: null },
  ];
  const testResults = [
    { ...file('/here/server/src/cycle.test.ts', 'failed'), assertionResults },
    { ...file('/here/web/src/fine.test.ts', 'passed'), assertionResults: assertionResults.slice(0, 1) },
  ];
  const [failure = '', ...others] = failuresIn({ numPassedTests: 2, numFailedTests: 1, testResults }, '/here');
  expect(others).toEqual([]);
  expect(failure.split('\n').slice(0, 3)).toEqual([
    '  server/src/cycle.test.ts > a cycle is published once',
    '    Error: expected 1',
    '        at somewhere',
  ]);
  expect(failure.split('\n')).toHaveLength(13);
});

test('a file that could not run is a failure of its own', () => {
  const testResults = [
    { ...file('/here/server/src/broken.test.ts', 'failed', 'Cannot find module'), assertionResults: [] },
  ];
  expect(failuresIn({ numPassedTests: 0, numFailedTests: 0, testResults }, '/here')).toEqual([
    '  server/src/broken.test.ts\n    Cannot find module',
  ]);
});

test('of what a run complained about, the end is kept', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);
  const kept = lastLines(`${lines.join('\n\n')}\n`);
  expect(kept).toHaveLength(48);
  expect(kept.at(-1)).toBe('    line 100');
});
