import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Answer } from '../../testing/client.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

/**
 * The disk writes of a step, counted by the server for the only connection of this service: parallel tests do not
 * matter, and this server writes no full-page images.
 */
const app = await startApp({}, { connect: { max: 1 } });
const { as, make, deps } = app;
const kpi = kpiMaker(app);

const head = await make.employee({ roles: ['Manager'] });
const department = await make.department({ manager_id: head.id });
const employee = await make.employee({ department_id: department.id, roles: ['Employee'] });
const [person, reviewer] = [await as(employee.user_id), await as(head.user_id)];
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

type Counted = { bytes: number; updated: number; in_place: number };

/** Bytes of WAL in total, and the number of updates of evaluations, and of those that touched no index. */
async function counted(): Promise<Counted> {
  await sql`select pg_stat_force_next_flush()`.execute(deps.db);
  const { rows } = await sql<Counted>`
    select sum(w.wal_bytes) as bytes, max(t.n_tup_upd) as updated, max(t.n_tup_hot_upd) as in_place
    from pg_stat_activity a cross join pg_stat_get_backend_wal(a.pid) as w
    cross join (select * from pg_stat_user_tables where relid = 'kpi_evaluations'::regclass) as t
    where a.datname = current_database()`.execute(deps.db);
  return rows[0] as Counted;
}

/** The writes of each step, in the order of the walks. */
const took = new Map<string, Counted[]>();
async function measured(name: string, step: () => Promise<Answer>) {
  const before = await counted();
  expect((await step()).status).toBe(200);
  const after = await counted();
  const counts = took.get(name) ?? [];
  counts.push({
    bytes: after.bytes - before.bytes,
    updated: after.updated - before.updated,
    in_place: after.in_place - before.in_place,
  });
  took.set(name, counts);
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** An evaluation from its first draft to its end. */
async function walk() {
  const { id, items } = await kpi.evaluation({ employee, reviewer: head });
  const url = `/api/kpi-evaluations/${id}`;
  const scored = (score: object) => items.map((item) => ({ id: item.id, ...score }));
  const draft = { self_comment: 'A quarter with more up than down.', items: scored({ self_score: 3 }) };
  await measured('draft', () => person.put(url, draft));
  await measured('self-assessment', () => person.post(`${url}/self-assessment`, { items: scored({ self_score: 4 }) }));
  const review = { manager_comment: 'Agreed in our talk.', items: scored({ manager_score: 4 }) };
  await measured('draft of the review', () => reviewer.put(url, review));
  await measured('manager-review', () => reviewer.post(`${url}/manager-review`, review));
  const released = { hr_comment: 'In line with others.', performance_flag: 'standard' };
  await measured('hr-review', () => hr.post(`${url}/hr-review`, released));
  await measured('accept', () => person.post(`${url}/accept`, {}));
  await measured('close', () => hr.post(`${url}/close`, {}));
}

const most = { step: 6 * 1_024, draft: 1_024 };
const drafts = ['draft', 'draft of the review'];

// older versions do not report how much a connection wrote
const isOlder = process.env.POSTGRES_TEST !== undefined;
test.skipIf(isOlder)(
  'a draft rewrites the row in place, and a step writes at most 6 KiB of WAL on average',
  async () => {
    // the first walk initialises pages, sequences and sessions
    await walk();
    took.clear();
    // occasionally a full index page splits, which writes most of a page; the median of several walks excludes this
    for (let walks = 0; walks < 7; walks += 1) await walk();
    const bytes = new Map([...took].map(([name, counts]) => [name, middle(counts.map((one) => one.bytes))]));
    const steps = [...bytes].filter(([name]) => !drafts.includes(name));
    expect(steps).toHaveLength(5);
    const sum = steps.reduce((all, [, step]) => all + step, 0);
    expect(sum, JSON.stringify([...took])).toBeGreaterThan(0);
    expect(sum / steps.length, JSON.stringify([...took])).toBeLessThanOrEqual(most.step);
    for (const name of drafts) {
      for (const one of took.get(name) ?? []) expect(one, name).toMatchObject({ updated: 1, in_place: 1 });
      expect(bytes.get(name), name).toBeLessThanOrEqual(most.draft);
    }
  },
);

test('a draft raises the revision, and the last change is still the last step', async () => {
  const { id, revision } = await kpi.evaluation({ employee, reviewer: head });
  const url = `/api/kpi-evaluations/${id}`;
  const before = (await person.get(url)).body.data;
  const { body } = await person.put(url, { self_comment: 'Another beginning.' });
  expect(body.data).toMatchObject({ revision: revision + 1, updated_at: before.updated_at });
  const { data } = (await hr.post(`${url}/extend`, { until: dayFromNow(9) })).body;
  expect(data.updated_at > before.updated_at).toBe(true);
});
