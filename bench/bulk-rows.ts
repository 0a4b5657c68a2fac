import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { load } from './load.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

const many = 5_000;
type Run = { id: number; status: string; counts: { changed: number; refused: number } };
type Changed = { bulk: Run | null; revisions: { id: number; revision: number }[] };

async function call<T>(bench: Bench, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${bench.base}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...bench.admin.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: T };
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

/** Returns evaluations with scores to the HR review, ordered by id. */
async function awaitingHr({ database }: Bench): Promise<number[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `update kpi_evaluations set status = 'hr_review', hr_comment = null, suggested_flag = 'standard',
                                performance_flag = null
     where id in (select v.id from kpi_evaluations v join kpi_cycles c on c.id = v.cycle_id and c.status = 'published'
                  where v.status in ('hr_review', 'pending_acceptance', 'accepted', 'completed')
                  order by v.id limit $1) returning id`,
    [many],
  );
  await client.end();
  return rows.map(({ id }) => Number(id));
}

async function untilOver(bench: Bench, id: number): Promise<Run> {
  for (;;) {
    const run = await call<Run>(bench, `/kpi-evaluation-bulks/${id}`);
    if (run.status !== 'processing') return run;
    await wait(100);
  }
}

/** HR releases thousands of results at once, and how long others wait meanwhile. */
export async function bulkRows(bench: Bench): Promise<Row[]> {
  const ids = await awaitingHr(bench);
  const body = { kind: 'hr-review', hr_comment: 'Thank you for this year.', ids };
  const looked = performance.now();
  const { revisions } = await call<Changed>(bench, '/kpi-evaluations/bulk', { ...body, dry_run: true });
  const preview = performance.now() - looked;
  const others = load({
    url: `${bench.base}/api/employees`,
    headers: bench.manager.headers,
    connections: 2,
    seconds: bench.seconds * 2,
  });
  const started = performance.now();
  const { bulk } = await call<Changed>(bench, '/kpi-evaluations/bulk', { ...body, revisions });
  const { counts } = await untilOver(bench, bulk?.id ?? 0);
  const seconds = (performance.now() - started) / 1_000;
  if (counts.changed !== ids.length) throw new Error(`${counts.refused} results were not released`);
  const { p99 } = await others;
  return [
    boundRow(`preview of the release of ${ids.length} results`, preview, 'ms', 2_000),
    boundRow(`release of ${ids.length} results at once`, seconds, 's', 10),
    boundRow(`directory p99 while ${ids.length} results are released`, p99, 'ms', 250),
  ];
}
