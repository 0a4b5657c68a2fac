import { employeeSorts } from '@tenure/contract';
import type { Session } from './browser.ts';
import { load, medianLoad } from './load.ts';
import { boundRow, multipleRow, rateRow } from './table.ts';
import type { Row } from './table.ts';

export type Bench = {
  base: string;
  baseline: string;
  folder: string;
  /** The address of the database, with the rights of the service. */
  database: string;
  admin: Session;
  manager: Session;
  /** Addresses of people who may sign in with `password`. */
  people: string[];
  password: string;
  ids: { entity: number; department: number };
  employees: number;
  seconds: number;
  times: number;
  memory: () => number;
};

const measure = (bench: Bench, path: string, session: Session = bench.admin) =>
  medianLoad({ url: `${bench.base}${path}`, headers: session.headers, seconds: bench.seconds }, bench.times);
const bare = (bench: Bench, path: string) =>
  medianLoad({ url: `${bench.baseline}${path}`, seconds: bench.seconds }, bench.times);

/** Lists against the bare rows handler. */
export async function listRows(bench: Bench): Promise<Row[]> {
  const rows = (await bare(bench, '/rows')).requestsPerSecond;
  const list = async (what: string, query: string, atLeast: number, session?: Session) =>
    rateRow(what, (await measure(bench, `/api/employees${query}`, session)).requestsPerSecond, rows, atLeast);
  const result = [
    await list('people, 15 rows with total', '', 0.55),
    await list('people of one company', `?entity_id=${bench.ids.entity}`, 0.4),
    await list('people of one department', `?department_id=${bench.ids.department}`, 0.4),
    await list('active people', '?activity_status=active', 0.4),
    await list('inactive people', '?activity_status=inactive', 0.4),
    await list('people as their manager sees them', '', 0.4, bench.manager),
  ];
  // the first is the order of the rows above
  for (const sort of employeeSorts.slice(1)) result.push(await list(`people by ${sort}`, `?sort_by=${sort}`, 0.4));
  result.push(await list('people by joining_date, newest first', '?sort_by=joining_date&sort_direction=desc', 0.4));
  return result;
}

export async function meRows(bench: Bench): Promise<Row[]> {
  const one = (await bare(bench, '/one')).requestsPerSecond;
  return [rateRow('/api/me', (await measure(bench, '/api/me')).requestsPerSecond, one, 0.6)];
}

export async function readRows(bench: Bench): Promise<Row[]> {
  const first = await measure(bench, '/api/employees');
  const last = Math.max(1, Math.floor((bench.employees / 15) * 0.75));
  const deep = await measure(bench, `/api/employees?page=${last}`);
  const rows = [multipleRow(`people, page ${last}`, deep.p50, first.p50, 'ms', 3)];
  for (const [what, search] of [
    ['a family name', 'nakamura'],
    ['two words', 'mei chen'],
    ['a number', 'S-000042'],
    ['an e-mail', 'seed4711@example'],
    ['two letters', 'ma'],
    ['the inside of a name', 'amur'],
    ['three frequent letters', 'ann'],
  ] as const) {
    const found = await load({
      url: `${bench.base}/api/employees?search=${encodeURIComponent(search)}`,
      headers: bench.admin.headers,
      connections: 1,
      seconds: bench.seconds,
    });
    rows.push(boundRow(`search for ${what}, p95`, found.p95, 'ms', 40));
  }
  return rows;
}

/** Seconds and bytes of a file, and the milliseconds to its first byte. */
export async function timedDownload(bench: Bench, path: string) {
  const started = performance.now();
  const response = await fetch(`${bench.base}/api${path}`, { headers: bench.admin.headers });
  if (!response.ok || !response.body) throw new Error(`export: ${response.status}`);
  let first = 0;
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    first ||= performance.now() - started;
    size += chunk.length;
  }
  return { first, seconds: (performance.now() - started) / 1_000, size };
}

export async function exportRows(bench: Bench): Promise<Row[]> {
  const csv = await timedDownload(bench, '/employees/export?format=csv');
  const xlsx = await timedDownload(bench, '/employees/export?format=xlsx');
  return [
    boundRow(`export of ${bench.employees} people as CSV`, csv.seconds, 's', 5),
    boundRow(`first byte of the export of ${bench.employees} people as CSV`, csv.first, 'ms', 300),
    boundRow(`export of ${bench.employees} people as XLSX`, xlsx.seconds, 's', 20),
  ];
}
