import { eventTypes } from '@tenure/contract';
import type { EventType } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { chainAudit } from '../../jobs/audit.ts';
import { inBatches, inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';

const batch = 2_000;

/** Each action with its event type, and the required new status, if any. */
const sources = Object.entries(eventTypes).flatMap(([type, source]: [string, (typeof eventTypes)[EventType]]) =>
  source.actions.map((action) => ({ action, type, status: 'status' in source ? source.status : null })),
);

/**
 * Creates events for the entries chained since the last run, at most one batch. The chain is in commit order, so an
 * entry committed late is not missed.
 * @returns how many links it read
 */
async function collectSome(db: Db): Promise<number> {
  const { rows } = await sql<{ links: number }>`
    with reached as materialized (
      select link, sequence from events_reached for update
    ), links as materialized (
      select c.position, c.audit_id from audit_chain c
      where c.position > (select link from reached) order by c.position limit ${batch}
    ), made as (
      insert into events (sequence, audit_id, type, at, subject_id, entity_id, employee_id, about_employee_id, changed, by_user, by_token)
      select (select sequence from reached) + row_number() over (order by l.position), a.id, s.type, a.at, a.subject_id,
             a.entity_id,
             case a.subject_type when 'employee' then a.subject_id
               when 'sign_in_block' then (select e.id from employees e where e.user_id = a.subject_id)
               when 'job_history' then (select h.employee_id from job_history h where h.id = a.subject_id)
               else a.about_employee_id end,
             a.about_employee_id, array(select jsonb_object_keys(a.changes) order by 1), a.actor_id is not null,
             a.token_id is not null
      from links l
      join audit_log a on a.id = l.audit_id
      join jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as s (action text, type text, status text)
        on s.action = a.action and (s.status is null or a.changes #>> '{status,to}' = s.status)
      returning sequence
    ), noted as (
      update events_reached set
        link = coalesce((select max(position) from links), link),
        sequence = coalesce((select max(sequence) from made), sequence)
    )
    select count(*)::int as links from links`.execute(db);
  return rows[0]?.links ?? 0;
}

/** Chains committed entries and creates their events. */
export async function chainAndCollect(ctx: JobContext): Promise<void> {
  await chainAudit(ctx);
  await collectEvents(ctx);
}

/** Creates the events of chained entries. */
export const collectEvents = ({ deps }: JobContext) => inBatches(batch, () => inJobTransaction(deps.db, collectSome));

/** How many days an event can be read. */
export const eventDays = 30;

/** Removes old events; the audit log keeps their entries. */
export const deleteEvents = ({ deps, now }: JobContext) =>
  inBatches(10_000, () =>
    inJobTransaction(deps.db, async (db) => {
      const { numAffectedRows } = await sql`
        delete from events where sequence in (
          select sequence from events where at < ${now.toString()}::timestamptz - make_interval(days => ${eventDays})
          order by at limit 10000)`.execute(db);
      return Number(numAffectedRows ?? 0);
    }),
  );
