import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { notifyEach } from '../../notifications/notify.ts';
import { decidesAsOwner, isNewlyEligible, mayBeNewlyEligible, members, publishersIn } from './newly-eligible.ts';

/** Deletes outdated findings. Those of left-out people stay, so that undoing the decision restores the task. */
const deleteOutdated = (db: Db) =>
  sql`
  delete from kpi_newly_eligible x
  where not exists (
    select from ${members} where c.id = x.cycle_id and e.id = x.employee_id and ${mayBeNewlyEligible})`.execute(db);

/** Stores newly found people. Returns their number by cycle and company. */
async function findNew(db: Db, now: string) {
  const { rows } = await sql<{ cycle_id: number; entity_id: number; people: number }>`
    with found as (
      insert into kpi_newly_eligible (cycle_id, employee_id, found_at)
      select c.id, e.id, ${now}::timestamptz from ${members} where ${isNewlyEligible}
      order by c.id, e.id
      on conflict do nothing
      returning cycle_id, employee_id
    )
    select f.cycle_id, e.entity_id, count(*) as people
    from found f join employees e on e.id = f.employee_id group by 1, 2`.execute(db);
  return rows;
}

type Found = Awaited<ReturnType<typeof findNew>>;

/**
 * Notifies the users who decide, once per cycle: its owner about the companies where the owner can publish; for the
 * others HR there, or the administrators if there is no HR.
 */
const notifyFound = (db: Db, found: Found, now: string) =>
  notifyEach(
    { db, actor: null },
    'kpi_newly_eligible',
    { type: 'kpi_cycle' },
    sql`
    with found as (
      select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as f (cycle_id bigint, entity_id bigint, people int)
    ), owners as (
      select f.cycle_id, f.entity_id, f.people, o.user_id
      from found f join kpi_cycles c on c.id = f.cycle_id
      join employees o on ${decidesAsOwner(sql`f.entity_id`)}
    ), holders as (
      select distinct f.cycle_id, f.entity_id, f.people, a.user_id, roles.is_system and roles.name = 'Admin' as is_admin
      from found f
      join lateral (select a.user_id, a.role_id from ${publishersIn(sql`f.entity_id`)}) as a on true
      join roles on roles.id = a.role_id
      join reachable_users u on u.user_id = a.user_id
      where not exists (select from owners w where w.cycle_id = f.cycle_id and w.entity_id = f.entity_id)
    ), deciding as (
      select cycle_id, people, user_id from owners
      union all
      select h.cycle_id, h.people, h.user_id from holders h
      where h.is_admin <> exists (
        select from holders o where o.cycle_id = h.cycle_id and o.entity_id = h.entity_id and not o.is_admin)
    )
    select d.user_id, d.cycle_id as subject_id, ${now}::text as round,
           '/kpi/cycles/' || d.cycle_id || '?tab=eligible' as url,
           jsonb_build_object('cycle', c.name, 'count', sum(d.people)) as params,
           'plain' as variant, null::text as copy_to
    from deciding d join kpi_cycles c on c.id = d.cycle_id
    group by d.user_id, d.cycle_id, c.name`,
  );

/** Finds people who became eligible for a published cycle and notifies about each once. Returns their number. */
export const findNewlyEligible = ({ deps, now }: JobContext): Promise<number> =>
  inJobTransaction(deps.db, async (db) => {
    const at = now.toString();
    await deleteOutdated(db);
    const found = await findNew(db, at);
    if (found.length > 0) await notifyFound(db, found, at);
    return found.reduce((sum, { people }) => sum + people, 0);
  });
