import { causeOf } from './causes.ts';
import { markdown } from './table.ts';
import type { Row } from './table.ts';

/** The result of a run of the whole bench. */
export type Result = {
  date: string;
  machine: string;
  /** The machine's speed before the first group of rows and after each; 1 is where the targets were measured. */
  speeds: readonly number[];
  employees: number;
  /** The baseline for rates. */
  how: string;
  rows: readonly Row[];
};

/** Rows that miss their target for the same reason, in table order. */
function openRows(rows: readonly Row[], employees: number): string[] {
  const byCause = new Map<string, string[]>();
  for (const { what } of rows.filter((row) => !row.pass)) {
    const cause = causeOf(what, employees) ?? 'Not looked into yet.';
    byCause.set(cause, [...(byCause.get(cause) ?? []), what]);
  }
  return [...byCause].map(([cause, names]) => `- **${names.join('; ')}.** ${cause}`);
}

/** How times were compared. */
function aboutSpeed(speeds: readonly number[]): string[] {
  const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)].map((speed) => speed.toFixed(2));
  return [
    `Times depend on the machine. Where the targets were measured, \`select 1\` through \`node:http\` and \`pg\` answers 23,660 requests a second; here it had ${slowest} to ${fastest} of that rate, measured between the groups of rows. Times are multiplied by it and then compared with their targets.`,
    '',
  ];
}

/** The tables for one size, and why rows miss their target. */
function sectionsOf({ date, machine, speeds, employees, how, rows }: Result): string[] {
  const met = rows.filter((row) => row.pass).length;
  const count = employees.toLocaleString('en');
  return [
    `## ${count} people`,
    '',
    `Measured on ${date}: ${machine}; client, service and PostgreSQL on the same cores. ${how} ${met} of ${rows.length} rows are at target.`,
    '',
    'A ratio of rates is the median of pairs measured one after the other, which need not be that of the two medians shown.',
    '',
    ...aboutSpeed(speeds),
    markdown(rows),
    '',
    ...(met < rows.length ? ['### Rows that miss their target, and why', '', ...openRows(rows, employees), ''] : []),
  ];
}

/** `docs/performance.md` for the results of both sizes. */
export const performancePage = (results: readonly Result[]): string =>
  [
    '# Speed',
    '',
    '`npm run bench` writes this page: companies of 100,000 people with an evaluation for each, and a million notifications. `npm run bench -- --million` adds the part with a million people and evaluations.',
    '',
    ...results.flatMap(sectionsOf),
  ].join('\n');
