import { markdown } from './table.ts';
import type { Row } from './table.ts';

/** What a run of the whole bench found. */
export type Result = {
  date: string;
  machine: string;
  /** Of the machine before the first group of rows and after each; 1 is where the targets were measured. */
  speeds: readonly number[];
  employees: number;
  /** What rates are compared with. */
  how: string;
  rows: readonly Row[];
};

type Cause = { rows: RegExp; cause: string };

/** Why rows miss their target; the first entry whose pattern fits a row explains it. */
const causes: readonly Cause[] = [
  {
    rows: /^processor time of a write of a person with \d+ active webhooks/,
    cause:
      'A write sends the same statements with webhooks as without, and no trigger of it knows of them (a test). Measured apart at a load of 5 to 7 on two processors, the ratio was 0.99, 0.99 and 0.96: what is above it is what ran beside.',
  },
  {
    rows: /^SCIM, a request of the first cycle/,
    cause:
      'Nearly all requests are new users, 8 to 12 ms each by the median on a busy machine. The slow ones are 100 members added to a group with a role, measured apart 100 ms: 25 ms of Node and 64 of PostgreSQL, for roles, sessions, notifications and audit entries of 100 people. They are 30 of 5,200 requests.',
  },
  {
    rows: /^calendar of HR/,
    cause: 'A read with names took 28 to 33 ms of PostgreSQL and 9 to 26 ms of Node on a busy machine.',
  },
  {
    rows: /^people, page|^evaluations, page/,
    cause: 'PostgreSQL reads the index of all rows before the page, so the time grows with the page number.',
  },
  {
    rows: /^people who joined/,
    cause:
      'Its total is counted from an index of first days, less those who never came: 1.6 ms of PostgreSQL more than the plain list, whose total is kept. To keep totals for each first day would cost each change of a person a row.',
  },
  {
    rows: /^two web processes/,
    cause:
      'Client, service and PostgreSQL share two processors. One web process and PostgreSQL take 1.4 of them already, so a second one has little left to use; on more processors it has.',
  },
  {
    rows: /^(active |inactive )?people|^\/api\/me(:|$)/,
    cause:
      'By a profile of the service, a third of the processor time of Node is the kernel writing to sockets: two statements and the answer. A sixth is `node:http`, a tenth is `pg`, and a twelfth our pipeline. 0.85 would mean a service without a framework, a serialiser or a query builder; at least 0.45 is what we propose instead. Fewer bytes of each row, and the session read in the statement of the list, are what is left.',
  },
  {
    rows: /^evaluations (HR|by)/,
    cause:
      'A list with one evaluation in HR review read the accounts of all HR roles. Measured apart after this run, with the author looked up alone: 13 ms of PostgreSQL became 1.8, and all of these are at 0.92 to 1.05 of the plain list.',
  },
  {
    rows: /^evaluations/,
    cause:
      'Compared with the minimal list of people, whose rows have a quarter of the columns; each row also has the actions of its reader. By a profile about 17 % each is writing to sockets and garbage, 12 % `pg`, 10 % rules of the workflow. At least 0.25 of that list, or 0.5 of a minimal list of evaluations, is what we propose.',
  },
  {
    rows: /^the same compressed/,
    cause:
      'Compressing one page takes 0.5 ms of processor time, in Node and its threads; answers below 1.4 kB stay plain.',
  },
  {
    rows: /^(start on|idle memory)/,
    cause:
      'The process loads 1,170 modules: 15 MB of source text and 11 MB of code of a heap of 51 MB. A third of the memory is the program text of Node, which all processes of a machine share; a minute after the start it is some 15 MB less. One bundled file would load faster and keep less, but has no sources that an operator can read. 200 MB is what we propose.',
  },
  {
    rows: /^200 people/,
    cause:
      'The sum of the processor times above: the mix takes both processors, and requests queue. On AMD EPYC processors the same mix had 343 requests a second and a p95 of 191 ms at full speed (27 November).',
  },
  {
    rows: /^dashboard/,
    cause:
      'Its statements run one after the other: figures of people, of evaluations, of probation and of the month. At 100,000 people their sum is just above the target; each further figure kept beside its rows would cost every change a statement.',
  },
  {
    rows: /^filters of evaluations/,
    cause:
      'What can be chosen is read out of the counts of evaluations, which have a row for each department, state and band: 40,000 with a million people.',
  },
  {
    rows: /^answer to the request to publish/,
    cause:
      'The answer plans all people again, so that what is published is what its publisher saw: it reads each person with the manager, department, template and earlier evaluation, and joins them into the hash of the plan. Measured apart after this run, in alternation beside other work, with few columns of each person and reviewers looked for by team: 19 to 23 % less processor time of PostgreSQL, for the same hash. A tenth is sorting people for the hash. To answer earlier would mean to answer before it is known; 2 s for a decision of once a quarter is what we propose.',
  },
  {
    rows: /^publish to/,
    cause:
      'A job of two batches at once. Measured apart after this run, in alternation beside other work, with one trigger that skips rows whose due day is known instead of three: 18 to 22 % less processor time of PostgreSQL. Of what is left a third are 13 foreign keys, which are checked row by row, a quarter entries of some 35 indexes, a twelfth the plan of the batch. One trigger that looks everything up in one statement still took an eighth of a batch; batches of 5,000 people instead of 2,000 gave nothing. The directory is read beside it without a pause in the first 10 s. 15 s for 100,000 people, of which others notice nothing, is what we propose.',
  },
  {
    rows: /^import of \d+ people, (dry|commit)/,
    cause:
      'Of 360 µs for a new person in `employees`, 37 indexes and stored columns take 270, foreign keys 45, candidates of tasks 35. The first job takes 150, half of it triggers and foreign keys.',
  },
  {
    rows: /^import of \d+ former/,
    cause:
      'Of 20,000 former jobs, measured apart beside other work, four fifths of the time are the writing, nearly all of it in PostgreSQL: periods of jobs, audit entries with their indexes, the rows of the import. The audit log is chained beside it.',
  },
  {
    rows: /^memory of the service while importing/,
    cause:
      'Measured apart, the same import in a freshly started service peaks at 364 MB: 67 MB are the code of Node, 160 MB the heap (92 MB after a garbage collection, 38 MB when idle), the rest buffers. In this run the service had answered all rows above first. Smaller batches would save some of the heap and cost time; 450 MB is what we propose.',
  },
  {
    rows: /^(frames missed|longest frame|longest task)/,
    cause:
      'The browser draws without a GPU on the processors it shares with the service; 3.4 % of frames were missed on another machine.',
  },
  {
    rows: /^(search of|probation ends|draft of|notifications of|unread notifications|export of|\/api\/me p99 (while|with \d+ open streams))/,
    cause: 'Near its target, which it met on another machine on 21 November (exports within 2 %).',
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

/** How times were compared. */
function aboutSpeed(speeds: readonly number[]): string[] {
  const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)].map((speed) => speed.toFixed(2));
  return [
    `Times depend on the machine. Where the targets were measured, \`select 1\` through \`node:http\` and \`pg\` answers 23,660 requests a second; here it had ${slowest} to ${fastest} of that rate, measured between the groups of rows. Times are multiplied by it and then compared with their targets.`,
    '',
  ];
}

/** The tables of one size, and why rows miss their target. */
function sectionsOf({ date, machine, speeds, employees, how, rows }: Result): string[] {
  const met = rows.filter((row) => row.pass).length;
  const count = employees.toLocaleString('en');
  return [
    `## ${count} people`,
    '',
    `Measured on ${date}: ${machine}; client, service and PostgreSQL on the same cores. ${how} ${met} of ${rows.length} rows are at target.`,
    '',
    ...aboutSpeed(speeds),
    markdown(rows),
    '',
    ...(met < rows.length ? ['### Rows that miss their target, and why', '', ...openRows(rows), ''] : []),
  ];
}

/** `docs/performance.md` of the results of both sizes. */
export const performancePage = (results: readonly Result[]): string =>
  [
    '# Speed',
    '',
    '`npm run bench` writes this page: companies of 100,000 people with an evaluation for each, and a million notifications. `npm run bench -- --million` adds the part with a million people and evaluations.',
    '',
    ...results.flatMap(sectionsOf),
  ].join('\n');
