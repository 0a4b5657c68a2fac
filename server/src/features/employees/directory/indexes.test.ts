import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Actor } from '../../../access/actor.ts';
import { rightsOf } from '../../../access/rights.ts';
import { startApp } from '../../../testing/app.ts';
import { orderedIds } from './list.ts';

const { deps, make } = await startApp();
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

/** The plan when sorts and full scans are allowed only without a suitable index. */
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
