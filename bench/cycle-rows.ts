import { setTimeout as wait } from 'node:timers/promises';
import { call } from './api.ts';
import { load } from './load.ts';
import { timedDownload } from './rows.ts';
import type { Bench } from './bench.ts';
import { countWork } from './cpu.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

type Publishing = { processed: number; total: number } | null;
type Cycle = { id: number; evaluations_count: number; publishing: Publishing };
type Body<T> = { data: T };

async function seededCycle(bench: Bench): Promise<Cycle> {
  const { data } = await call<Body<Cycle[]>>(bench, 'GET', '/kpi-cycles?status=published');
  return data[0] as Cycle;
}

const p95 = async (bench: Bench, what: string, path: string): Promise<Row> => {
  const url = `${bench.base}/api${path}`;
  const found = await load({ url, headers: bench.admin.headers, connections: 1, seconds: bench.seconds });
  return boundRow(`${what}, p95`, found.p95, 'ms', 100);
};

/** Figures, board and export of a running cycle. */
export async function cycleRows(bench: Bench): Promise<Row[]> {
  const { id, evaluations_count: results } = await seededCycle(bench);
  const path = `/kpi-cycles/${id}`;
  const rows = [
    await p95(bench, `summary of ${results} evaluations`, `${path}/summary`),
    await p95(bench, `board of the departments of ${results} evaluations`, `${path}/departments?per_page=100`),
  ];
  const csv = await timedDownload(bench, `${path}/export?format=csv`);
  const xlsx = await timedDownload(bench, `${path}/export?format=xlsx`);
  return [
    ...rows,
    boundRow(`export of ${results} results as CSV`, csv.seconds, 's', 4),
    boundRow(`first byte of the export of ${results} results as CSV`, csv.first, 'ms', 200),
    boundRow(`export of ${results} results as XLSX`, xlsx.seconds, 's', 12),
  ];
}

/** A draft in which every department takes part with the seeded template. */
async function draftCycle(bench: Bench): Promise<number> {
  const { data: templates } = await call<Body<{ id: number }[]>>(bench, 'GET', '/kpi-templates?status=active');
  const { data: cycle } = await call<Body<Cycle>>(bench, 'POST', '/kpi-cycles', {
    name: `Bench ${Date.now()}`,
    start_date: '2026-01-01',
    end_date: '2030-12-31',
  });
  for (let page = 1; ; page += 1) {
    const { data } = await call<Body<{ id: number }[]>>(bench, 'GET', `/departments?per_page=100&page=${page}`);
    for (const { id } of data)
      await call(bench, 'PUT', `/kpi-cycles/${cycle.id}/departments/${id}`, { template_id: templates[0]?.id });
    if (data.length < 100) return cycle.id;
  }
}

async function untilPublished(bench: Bench, id: number): Promise<number> {
  for (;;) {
    const { data } = await call<Body<Cycle>>(bench, 'GET', `/kpi-cycles/${id}`);
    if (data.publishing === null) return data.evaluations_count;
    await wait(100);
  }
}

/** Publishes a new cycle for all eligible people. */
async function publishOne(bench: Bench) {
  const id = await draftCycle(bench);
  const [started, worked] = [performance.now(), countWork(bench)];
  await call(bench, 'POST', `/kpi-cycles/${id}/publish`, { allow_missing_reviewer: true });
  const answered = performance.now() - started;
  const people = await untilPublished(bench, id);
  return { people, answered, seconds: (performance.now() - started) / 1_000, cpu: worked() };
}

/** Publishes one cycle alone, and another while others read the directory; the bound grows with the people. */
export async function publishRows(bench: Bench): Promise<Row[]> {
  const { people, answered, seconds, cpu } = await publishOne(bench);
  const others = load({
    url: `${bench.base}/api/employees`,
    headers: bench.manager.headers,
    connections: 2,
    seconds: bench.seconds * 5,
  });
  await publishOne(bench);
  const { p99 } = await others;
  return [
    { ...boundRow(`publish to ${people} people`, seconds, 's', Math.max(5, (12 * people) / 100_000)), cpu },
    boundRow(`answer to the request to publish to ${people} people`, answered, 'ms', 500),
    boundRow(`directory p99 while publishing to ${people} people`, p99, 'ms', 250),
  ];
}
