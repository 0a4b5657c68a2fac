import type { Bench } from './bench.ts';
import type { Session } from './browser.ts';
import { percentile } from './percentile.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** An address can be read at most sixty times an hour. */
const reads = 50;

/** Creates a calendar address for everything that a person may see. */
async function makeFeed({ base }: Bench, { headers }: Session): Promise<string> {
  const response = await fetch(`${base}/api/profile/calendar-feeds`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      kinds: ['kpi_tasks', 'probation_tasks', 'other_tasks', 'probation_ends'],
      with_names: true,
    }),
  });
  if (!response.ok) throw new Error(`a calendar: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { url: string }).url;
}

async function readOften(bench: Bench, session: Session) {
  const url = await makeFeed(bench, session);
  const times: number[] = [];
  let [etag, changed] = ['', 0];
  for (let read = 0; read < reads; read += 1) {
    const started = performance.now();
    const response = await fetch(url, etag === '' ? {} : { headers: { 'if-none-match': etag } });
    await response.arrayBuffer();
    times.push(performance.now() - started);
    if (response.status !== (etag === '' ? 200 : 304)) changed += 1;
    // every other read is by an application without a cached copy
    etag = read % 2 === 0 ? (response.headers.get('etag') ?? '') : '';
  }
  return { p95: percentile(times, 0.95), changed };
}

/** The calendars of HR, which are the largest, and of a manager. */
export async function calendarRows(bench: Bench): Promise<Row[]> {
  const [hr, manager] = [await readOften(bench, bench.admin), await readOften(bench, bench.manager)];
  return [
    boundRow('calendar of HR, p95', hr.p95, 'ms', 50),
    boundRow('calendar of a manager, p95', manager.p95, 'ms', 50),
    boundRow('unchanged calendars that were sent again', hr.changed + manager.changed, '', 0),
  ];
}
