import { stripVTControlCharacters } from 'node:util';

/** The parts of Vitest's JSON report that are used. */
export type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
};

const linesKept = 12;

const linesOf = (message: string) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `    ${line}`);

const firstLines = (message: string) => linesOf(message).slice(0, linesKept);

/** The end of a run's complaints; an error outside any test takes more lines than that of a test. */
export const lastLines = (complaints: string): string[] => linesOf(complaints).slice(-4 * linesKept);

/** Every failed test, and every failed file without one, each with the first lines of its message. */
export function failuresIn({ testResults }: VitestReport, root = process.cwd()): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(`${root}/`, '');
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [[`  ${file}`, ...firstLines(message)].join('\n')];
    return failed.map(({ fullName, failureMessages }) =>
      [`  ${file} > ${fullName}`, ...firstLines((failureMessages ?? []).join('\n'))].join('\n'),
    );
  });
}
