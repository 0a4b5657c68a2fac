import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Actor, Reach } from '../../access/actor.ts';
import { startApp } from '../../testing/app.ts';
import { calendarOf } from './days.ts';
import { figuresOf } from './people.ts';

const { deps, make } = await startApp();

test('on two local days people are counted by indexes of days too', async () => {
  // two such places never have the same day
  for (const timezone of ['Pacific/Kiritimati', 'Etc/GMT+12'])
    await make.employee({ entity_id: (await make.entity({ timezone })).id });
  const reach = { everything: true, entity_ids: [], own: false } as unknown as Reach;
  const actor = { user_id: 1, employee_id: null, grants: [], is_admin: true } as unknown as Actor;
  const when = await calendarOf({ db: deps.db, actor }, undefined);
  expect(when.groups.length).toBeGreaterThan(1);
  const plan = await deps.db.transaction().execute(async (db) => {
    for (const off of ['enable_seqscan', 'enable_bitmapscan']) await sql`set local ${sql.raw(off)} = off`.execute(db);
    const asked = figuresOf(actor, reach, { entityIds: undefined, when, all: true });
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${asked}`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/Index Cond: \(\(?last_working_date >= /);
  expect(plan).toMatch(/Index Cond: \(\(?joining_date >= /);
  expect(plan).not.toMatch(/Filter: .*(hashed SubPlan.*| joining_date .*) OR /);
});
