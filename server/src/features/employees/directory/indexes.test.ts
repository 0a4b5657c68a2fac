import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Actor } from '../../../access/actor.ts';
import { rightsOf } from '../../../access/rights.ts';
import { startApp } from '../../../testing/app.ts';
import { matchesSearch } from '../../../people/search-words.ts';
import { orderedIds } from './list.ts';

const { deps, make, owner } = await startApp();
const { user_id } = await make.admin();
const rights = await rightsOf(new Map(), deps.db, user_id, 'any');
const admin = { ...rights, user_id, employee_id: null } as Actor;

const ordered = [
  'last_name',
  'first_name',
  'employee_number',
  'email',
  'entity_id',
  'department_id',
  'job_title',
  'activity_status',
  'employment_lifecycle',
  'joining_date',
  'probation_end_date',
  'created_at',
  'updated_at',
] as const;

/** The plan when the planner uses sorts and full scans only for lack of a suitable index. */
async function planOf(sort_by: (typeof ordered)[number], sort_direction: 'asc' | 'desc') {
  return deps.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db);
    await sql`set local enable_bitmapscan = off`.execute(db);
    await sql`set local enable_sort = off`.execute(db);
    await sql`set local enable_incremental_sort = off`.execute(db);
    const ids = orderedIds(admin, { sort_by, sort_direction, page: 1 });
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${ids} limit 15`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

test.each(ordered)('an index gives the order by %s in both directions without sorting', async (sort) => {
  for (const direction of ['asc', 'desc'] as const) {
    const plan = await planOf(sort, direction);
    expect(plan).toMatch(/Index (Only )?Scan/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  }
});

test('a search after thousands of changes reads few pages', async () => {
  const { id, entity_id } = await make.department({ name: 'Crowded' });
  await owner.query(
    `insert into employees (employee_number, first_name, last_name, entity_id, department_id, employment_lifecycle)
     select 'C-' || n, md5('f' || n), md5('l' || n), $1, $2, 'confirmed'
     from generate_series(1, 3000) n`,
    [entity_id, id],
  );
  type Read = { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } };
  const pages = await deps.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': Read[] }>`explain (analyze, buffers, format json)
      select id from employees e where ${matchesSearch('nobody-has-this')}`.execute(db);
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('no plan');
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  });
  // at most 32 pages are pending in each of two indexes
  expect(pages).toBeLessThan(100);
});
