import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { reasonOf } from '../../imports/record.ts';
import type { ImportRecord } from '../../imports/record.ts';
import type { NewRow, Plan } from '../job-history/past-rows.ts';
import type { Person } from './known.ts';
import type { CheckedJob } from './plan-jobs.ts';

/** Writes the job histories of many people with set-based statements: a fixed number for each batch. */

type Acting = { db: Db; actor: Pick<Actor, 'user_id' | 'name'>; record: ImportRecord };

/** A person whose history changes; `row` is their first row in the file, which stores the earlier history. */
export type Changing = { row: number; person: Person; days: readonly CheckedJob[]; plan: Plan };

/** A checksum of the rows that have begun: it changes with any change of these. */
export const stateOf = (person: ReturnType<typeof sql>) => sql<string>`(
  select md5(string_agg(h.id || ':' || h.revision, ',' order by h.id)) from job_history h
  where h.employee_id = ${person} and h.status in ('past', 'current'))`;

/** The rows that have begun, by person, for an undo; as JSON that is restored unchanged. */
async function historiesOf(db: Db, people: readonly Changing[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; jobs: string }>`
    select h.employee_id as id, jsonb_agg(to_jsonb(h) order by h.id)::text as jobs from job_history h
    where h.employee_id = any(${people.map(({ person }) => person.id)}::bigint[]) and h.status in ('past', 'current')
    group by 1`.execute(db);
  return new Map(rows.map(({ id, jobs }) => [id, jobs]));
}

/** What the undo of a row needs. */
export type Kept = { person: number; jobs: string };

async function changeRows(db: Db, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update job_history h
    set effective_from = t.effective_from, effective_to = t.effective_to, status = t.status, source = t.source,
        changed_fields = t.changed_fields
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (
      id bigint, effective_from date, effective_to date, status text, source text, changed_fields text[])
    where h.id = t.id`.execute(db);
}

type Added = NewRow & { employee_id: number };

/** Inserts the importer's rows, and parts of other rows with their original author. Returns the ids by person. */
async function insertRows({ db, actor, record }: Acting, rows: readonly Added[]): Promise<Map<number, number>> {
  if (rows.length === 0) return new Map();
  const { rows: made } = await sql<{ id: number; employee_id: number }>`
    insert into job_history (employee_id, effective_from, effective_to, status, source, changed_fields, entity_id,
                             department_id, reporting_manager_id, job_title, grade, employment_type,
                             employment_lifecycle, reason, created_by, created_by_name, created_at)
    select t.employee_id, t.effective_from, t.effective_to, t.status, t.source, t.changed_fields, t.entity_id,
           t.department_id, t.reporting_manager_id, t.job_title, t.grade, t.employment_type, t.employment_lifecycle,
           case when o.id is null then ${reasonOf(record)}::text else o.reason end,
           case when o.id is null then ${actor.user_id} else o.created_by end,
           coalesce(o.created_by_name, ${actor.name}), coalesce(o.created_at, now())
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (
      employee_id bigint, effective_from date, effective_to date, status text, source text, changed_fields text[],
      entity_id bigint, department_id bigint, reporting_manager_id bigint, job_title text, grade text,
      employment_type text, employment_lifecycle text, "like" bigint)
    left join job_history o on o.id = t."like"
    returning id, employee_id`.execute(db);
  return new Map(made.toReversed().map(({ id, employee_id }) => [employee_id, id]));
}

/** One entry per person: the first and the last day that the file covers. */
function entryOf({ person, days: checked }: Changing, id: number, reason: string): Entry {
  const days = checked.filter(({ action }) => action === 'create' || action === 'update');
  return {
    action: 'job_history.imported',
    subject_id: id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: {
      effective_from: { from: null, to: days[0]?.from ?? null },
      effective_to: { from: null, to: days.at(-1)?.to ?? null },
    },
    reason,
  };
}

/**
 * Writes the planned histories of some people. Returns the earlier histories, by the row of the file that stores them.
 */
export async function storeHistories(acting: Acting, people: readonly Changing[]): Promise<Map<number, Kept>> {
  if (people.length === 0) return new Map();
  const { db, record } = acting;
  const before = await historiesOf(db, people);
  // periods are recomputed once at the end instead of after each statement
  await sql`select set_config('tenure.periods', 'later', true)`.execute(db);
  // parts of other rows copy their authors before those rows are deleted
  const added = people.flatMap(({ person, plan }) => plan.added.map((row) => ({ ...row, employee_id: person.id })));
  const ids = await insertRows(acting, added);
  const removed = people.flatMap(({ plan }) => plan.removed);
  if (removed.length > 0) await sql`delete from job_history where id = any(${removed}::bigint[])`.execute(db);
  const changed = people.flatMap(({ plan }) => plan.changed);
  await changeRows(db, changed);
  await sql`select set_config('tenure.periods', '', true)`.execute(db);
  await sql`select settle_job_periods(${people.map(({ person }) => person.id)}::bigint[])`.execute(db);
  const reason = reasonOf(record);
  const subject = ({ person, plan }: Changing) => ids.get(person.id) ?? plan.changed.at(-1)?.id ?? 0;
  await recordAudit(acting, ...people.map((one) => entryOf(one, subject(one), reason)));
  return new Map(people.map(({ row, person: { id } }) => [row, { person: id, jobs: before.get(id) ?? '[]' }]));
}
