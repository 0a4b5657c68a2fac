import { employeeSorts } from '@tenure/contract';
import type { Session } from './browser.ts';
import { load } from './load.ts';
import { asked, inTurn, minimal } from './rates.ts';
import type { Bench, Rate } from './bench.ts';
import { boundRow, cpuRows, multipleRow, rateRow } from './table.ts';
import type { Row } from './table.ts';

const browser = { 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'en-GB,en;q=0.9' };

/** A filter, a sort or a narrow scope, in turn with the plain list. */
async function besidePlain(bench: Bench, what: string, query: string, session?: Session): Promise<Row> {
  const sides = [asked(bench, `/employees${query}`, session), asked(bench, '/employees')];
  const [found, plain] = (await inTurn(bench, sides)) as [Rate, Rate];
  return rateRow(what, found, plain, 0.8);
}

/** The plain list in turn with its baseline, and as a browser requests it; then each filter and sort. */
export async function listRows(bench: Bench): Promise<Row[]> {
  const plainly = asked(bench, '/employees');
  const asBrowser = { ...plainly, headers: { ...plainly.headers, ...browser } };
  const sides = [plainly, minimal(bench, '/employees'), asBrowser];
  const [list, least, compressed] = (await inTurn(bench, sides)) as [Rate, Rate, Rate];
  const what = 'people, 15 rows with total';
  const result = [
    rateRow(what, list, least, 0.85),
    ...cpuRows(what, list, { node: 550, postgres: 420 }),
    rateRow('the same compressed, as a browser asks', compressed, list, 0.8),
    await besidePlain(bench, 'people of one company', `?entity_id=${bench.ids.entity}`),
    await besidePlain(bench, 'people of one department', `?department_id=${bench.ids.department}`),
    await besidePlain(bench, 'active people', '?activity_status=active'),
    await besidePlain(bench, 'inactive people', '?activity_status=inactive'),
    await besidePlain(bench, 'people as their manager sees them', '', bench.manager),
  ];
  // the first one is the sort of the rows above
  for (const sort of employeeSorts.slice(1))
    result.push(await besidePlain(bench, `people by ${sort}`, `?sort_by=${sort}`));
  const newest = '?sort_by=joining_date&sort_direction=desc';
  result.push(await besidePlain(bench, 'people by joining_date, newest first', newest));
  const day = Temporal.Now.plainDateISO('UTC').subtract({ days: 90 }).toString();
  result.push(await besidePlain(bench, 'people who joined in the last 90 days', `?joined_from=${day}`));
  return result;
}

export async function meRows(bench: Bench): Promise<Row[]> {
  const [me, least] = (await inTurn(bench, [asked(bench, '/me'), minimal(bench, '/me')])) as [Rate, Rate];
  return [rateRow('/api/me', me, least, 0.8), ...cpuRows('/api/me', me, { node: 140 })];
}

export async function readRows(bench: Bench): Promise<Row[]> {
  const page = (number: number) =>
    load({ url: `${bench.base}/api/employees?page=${number}`, headers: bench.admin.headers, seconds: bench.seconds });
  const rows: Row[] = [];
  for (const share of [0.4, 0.75]) {
    const number = Math.max(1, Math.floor((bench.employees / 15) * share));
    const [first, deep] = [await page(1), await page(number)];
    rows.push(multipleRow(`people, page ${number}`, { measured: deep.p50, baseline: first.p50 }, 'ms', 3));
  }
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
    rows.push(boundRow(`search for ${what}, p95`, found.p95, 'ms', bench.bySize(40, 60)));
  }
  return rows;
}

/** The seconds and bytes of a file, and the milliseconds to its first byte. */
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

/** The service's peak memory while files are written, above what it used before. */
async function exportMemory(bench: Bench, write: () => Promise<void>): Promise<number> {
  const before = bench.memory();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, bench.memory())), 50);
  try {
    await write();
  } finally {
    clearInterval(watch);
  }
  return most - before;
}

/** Seconds per 100,000 people. */
export async function exportRows(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const part = Math.max(1, bench.employees / 100_000);
  const memory = await exportMemory(bench, async () => {
    const csv = await timedDownload(bench, '/employees/export?format=csv');
    const xlsx = await timedDownload(bench, '/employees/export?format=xlsx');
    rows.push(
      boundRow(`export of ${bench.employees} people as CSV`, csv.seconds, 's', 4 * part),
      boundRow(`first byte of the export of ${bench.employees} people as CSV`, csv.first, 'ms', 200),
      boundRow(`export of ${bench.employees} people as XLSX`, xlsx.seconds, 's', 12 * part),
    );
  });
  return [...rows, boundRow(`exports of ${bench.employees} people, more memory`, memory, 'MB', 100)];
}
