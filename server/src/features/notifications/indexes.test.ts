import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { orderOf } from './queries.ts';

const { deps } = await startApp();

/** The plan when the planner uses sorts and full scans only for lack of a suitable index. */
async function planOf(condition: string, order: Parameters<typeof orderOf>[0]) {
  return deps.db.transaction().execute(async (db) => {
    for (const off of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'])
      await sql`set local ${sql.raw(off)} = off`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select * from notifications n
      where n.user_id = 1 and n.shown and ${sql.raw(condition)} order by ${orderOf(order)} limit 15`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

test.each([
  ['all, the latest first', 'true', {}],
  ['all, the oldest first', 'true', { sort_by: 'created_at', sort_direction: 'asc' }],
  ['the unread', 'n.read_at is null', { sort_direction: 'desc' }],
  ['by event', 'true', { sort_by: 'event' }],
  ['by event, backwards', 'true', { sort_by: 'event', sort_direction: 'desc' }],
] as const)('an index gives %s without sorting', async (_name, condition, order) => {
  const plan = await planOf(condition, order);
  expect(plan).toMatch(/Index (Only )?Scan/);
  expect(plan).not.toMatch(/Sort|Seq Scan/);
});
