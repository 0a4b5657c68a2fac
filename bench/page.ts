import { markdown } from './table.ts';
import type { Row } from './table.ts';

/** What a run of the whole bench found. */
export type Result = {
  date: string;
  machine: string;
  employees: number;
  /** What rates are compared with. */
  how: string;
  rows: readonly Row[];
};

type Cause = { rows: RegExp; cause: string };

/** Why rows miss their target; the first entry whose pattern fits a row explains it. */
const causes: readonly Cause[] = [
  {
    rows: /^people, page|^evaluations, page/,
    cause: 'PostgreSQL reads the index of all rows before the page, so the time grows with the page number.',
  },
  {
    rows: /^(active |inactive )?people|^evaluations/,
    cause:
      'The baseline reads 15 rows without session, scope or total. Most of the difference is the exact total, the decoding of rows in Node and the headers of the answer.',
  },
  { rows: /^\/api\/me/, cause: 'The baseline is a bare `select 1`; the request also reads the session.' },
  { rows: /^idle memory/, cause: 'The compiled schemas and serialisers of about 200 endpoints.' },
  {
    rows: /^tasks of HR/,
    cause: 'Each kind of task is looked for in each company, and the first rows of all are put in order.',
  },
  {
    rows: /^filters of evaluations/,
    cause: 'Departments and reviewers of a cycle are counted among all of its evaluations.',
  },
  {
    rows: /^dashboard/,
    cause:
      'Nine statements run one after the other; the largest are headcounts, the selected cycle and the heads of departments without a permission.',
  },
  {
    rows: /^publish/,
    cause: 'Each batch of a thousand people looks up its possible reviewers again, and writes 27 indexes.',
  },
];

export const causeOf = (what: string): string | undefined => causes.find(({ rows }) => rows.test(what))?.cause;

/** Rows that miss their target for one reason, in the order of the table. */
function openRows(rows: readonly Row[]): string[] {
  const byCause = new Map<string, string[]>();
  for (const { what } of rows.filter((row) => !row.pass)) {
    const cause = causeOf(what) ?? 'Not looked into yet.';
    byCause.set(cause, [...(byCause.get(cause) ?? []), what]);
  }
  return [...byCause].map(([cause, names]) => `- **${names.join('; ')}.** ${cause}`);
}

/** `docs/performance.md` of a result. */
export function performancePage({ date, machine, employees, how, rows }: Result): string {
  const met = rows.filter((row) => row.pass).length;
  const count = employees.toLocaleString('en');
  return [
    '# Speed',
    '',
    `\`npm run bench\` wrote this page on ${date}: ${machine}; client, service and PostgreSQL on the same cores; ${count} people, as many evaluations, ten times as many notifications. ${how} ${met} of ${rows.length} rows are at target.`,
    '',
    markdown(rows),
    '',
    ...(met < rows.length ? ['## Rows that miss their target, and why', '', ...openRows(rows), ''] : []),
  ].join('\n');
}
