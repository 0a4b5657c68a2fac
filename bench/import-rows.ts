import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { writeXlsx } from '../server/src/spreadsheets/xlsx-write.ts';
import { timedDryRun, timedImport } from './import-file.ts';
import type { Bench } from './bench.ts';
import { boundRow, multipleRow } from './table.ts';
import type { Row } from './table.ts';

const header =
  'employee_number,first_name,last_name,email,joining_date,job_title,reporting_manager,department_id,entity_id';

/** The cells of new people. */
const newcomers = ({ employees, ids }: Bench): string[][] =>
  Array.from({ length: employees }, (_, n) => [
    `I-${n}`,
    `Given${n}`,
    `Family${n % 977}`,
    `import${n}@example.org`,
    `2024-0${1 + (n % 9)}-15`,
    'Clerk',
    n === 0 ? '' : `I-${Math.floor(n / 10)}`,
    `${ids.department}`,
    `${ids.entity}`,
  ]);

/** Dry run of a large file as XLSX and CSV, its commit, and the process's peak memory meanwhile. */
export async function importRows(bench: Bench): Promise<Row[]> {
  const { employees } = bench;
  const rows = newcomers(bench);
  const columns = header.split(',').map((name) => ({ header: name }));
  const workbook = new Uint8Array(await buffer(writeXlsx(columns, rows)));
  const xlsx = await timedDryRun(bench, { path: '/employees', name: 'import.xlsx', content: workbook });
  const content = `${[header, ...rows.map((cells) => cells.join(','))].join('\n')}\n`;
  const { dryRun, commit, peak } = await timedImport(bench, { path: '/employees', name: 'import.csv', content });
  return [
    multipleRow(
      `import of ${employees} people as XLSX, dry run`,
      { measured: xlsx.seconds, baseline: dryRun.seconds },
      's',
      1.5,
    ),
    { ...boundRow(`import of ${employees} people, dry run`, dryRun.seconds, 's', 8), cpu: dryRun.cpu },
    { ...boundRow(`import of ${employees} people, commit`, commit.seconds, 's', 15), cpu: commit.cpu },
    boundRow('memory of the service while importing', peak, 'MB', 350),
  ];
}

/** For half of the people, a former job, the first day of the current one, and a former result. */
async function formerFiles({ database, employees }: Bench) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  // as if only the people had been imported: nothing is known about earlier times
  const { rows } = await client.query<{ number: string; joined: string; later: string }>(
    `with assumed as (
       update job_history h set source = 'assumed' from employees e
       where e.id = h.employee_id and h.status = 'current' and h.effective_from = e.joining_date
         and e.joining_date < current_date - 120
       returning e.employee_number, e.joining_date)
     select employee_number as number, joining_date::text as joined, (joining_date + 100)::text as later
     from assumed order by employee_number limit $1`,
    [employees / 2],
  );
  await client.end();
  const jobs = rows.flatMap(({ number, joined, later }) => [`${number},${joined},,Trainee`, `${number},${later},,`]);
  const results = rows.flatMap(({ number }, index) =>
    ['2018', '2019'].map((year) => `${number},${year},${year}-12-31,${60 + (index % 40)},percent,Former system`),
  );
  const content = (titles: string, lines: readonly string[]) => `${titles}\n${lines.join('\n')}\n`;
  return {
    jobs: { lines: jobs.length, content: content('employee_number,effective_from,effective_to,job_title', jobs) },
    results: {
      lines: results.length,
      content: content('employee_number,period,period_to,result,scale,source', results),
    },
  };
}

/** Dry run and commit of former jobs and former results. */
export async function formerRecordRows(bench: Bench): Promise<Row[]> {
  const { jobs, results } = await formerFiles(bench);
  const rowOf = async (what: string, file: Parameters<typeof timedImport>[1]): Promise<Row> => {
    const { dryRun, commit } = await timedImport(bench, file);
    return {
      ...boundRow(`import of ${what}, dry run and commit`, dryRun.seconds + commit.seconds, 's', 20),
      cpu: `${dryRun.cpu}; ${commit.cpu}`,
    };
  };
  return [
    await rowOf(`${jobs.lines} former jobs`, { path: '/job-history', name: 'jobs.csv', content: jobs.content }),
    await rowOf(`${results.lines} former results`, {
      path: '/former-results',
      name: 'results.csv',
      content: results.content,
    }),
  ];
}
