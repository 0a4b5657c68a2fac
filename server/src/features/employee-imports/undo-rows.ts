import { jobFields } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { endSessionsOf } from '../../access/sessions.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { refuseGains, standingOf } from '../employees/gains.ts';
import type { Move } from '../employees/gains.ts';
import { changeAddresses, changeEach, guardPeople, removePeople as remove } from '../employees/row-write.ts';
import type { Touched } from '../employees/row-write.ts';
import { reasonOf } from '../../imports/record.ts';
import type { ImportRecord } from '../../imports/record.ts';

type Acting = { db: Db; actor: Actor };

const updatedRows = ({ id }: ImportRecord) => sql`
  select r.subject_id, r.before -> 'values' as earlier, r.before -> 'roles' as roles from import_rows r
  where r.import_id = ${id} and r.status = 'updated'`;

/** Puts the job history back to where it was before the import: its row goes, the one before is current again. */
async function restoreHistory(db: Db, record: ImportRecord): Promise<void> {
  const moved = sql`select subject_id from (${updatedRows(record)}) as t where t.earlier ?| ${jobFields}::text[]`;
  await sql`delete from job_history where status = 'current' and employee_id in (${moved})`.execute(db);
  await sql`
    update job_history h set status = 'current', effective_to = null
    from (select employee_id, max(id) as id from job_history where status = 'past' and employee_id in (${moved})
          group by employee_id) as last
    where h.id = last.id`.execute(db);
}

async function restoreRoles(db: Db, record: ImportRecord): Promise<void> {
  const changed = sql`
    select e.user_id, t.roles from (${updatedRows(record)}) as t join employees e on e.id = t.subject_id
    where jsonb_typeof(t.roles) = 'array'`;
  await sql`delete from role_assignments where user_id in (select user_id from (${changed}) as c)`.execute(db);
  await sql`
    insert into role_assignments (user_id, role_id, entity_ids)
    select c.user_id, a.role_id, a.entity_ids
    from (${changed}) as c, jsonb_to_recordset(c.roles) as a (role_id bigint, entity_ids bigint[])`.execute(db);
}

async function restoreAddresses({ db, actor }: Acting, record: ImportRecord): Promise<void> {
  const { rows } = await sql<{ user_id: number; email: string }>`
    select e.user_id, t.earlier ->> 'email' as email
    from (${updatedRows(record)}) as t join employees e on e.id = t.subject_id where t.earlier ? 'email'`.execute(db);
  await changeAddresses(db, actor, rows);
  await endSessionsOf(
    db,
    rows.map(({ user_id }) => user_id),
    'e-mail changed',
  );
}

/** Where the updated people go back to. */
async function movesBack(db: Db, record: ImportRecord): Promise<Move[]> {
  const { rows } = await sql<Move>`
    select e.id, json_build_object('entity_id', e.entity_id, 'department_id', e.department_id,
                                   'reporting_manager_id', e.reporting_manager_id) as before,
           json_build_object('entity_id', e.entity_id, 'department_id', e.department_id,
                             'reporting_manager_id', e.reporting_manager_id)::jsonb || t.earlier as after
    from (${updatedRows(record)}) as t join employees e on e.id = t.subject_id
    where t.earlier ?| '{entity_id,department_id,reporting_manager_id}'::text[]`.execute(db);
  return rows.map(({ id, before, after }) => ({ id, before, after: standingOf(after) }));
}

/** Gives updated people their earlier values. */
async function restorePeople({ db, actor }: Acting, record: ImportRecord): Promise<Touched[]> {
  await guardPeople(db, actor, sql`array(select u.subject_id from (${updatedRows(record)}) as u)`);
  const gains = await refuseGains(db, actor, await movesBack(db, record));
  await restoreAddresses({ db, actor }, record);
  await restoreRoles(db, record);
  const earlier = sql`select u.subject_id as id, u.earlier as fields from (${updatedRows(record)}) as u`;
  const rows = await changeEach(db, actor, earlier, gains);
  await restoreHistory(db, record);
  return rows;
}

/** Removes people the import made, with their accounts. */
async function removePeople({ db, actor }: Acting, { id }: ImportRecord): Promise<Touched[]> {
  // before the people, because some of it names others of them as managers
  await sql`
    delete from job_history where employee_id in (
      select subject_id from import_rows where import_id = ${id} and status = 'created')`.execute(db);
  const made = sql`array(select subject_id from import_rows where import_id = ${id} and status = 'created')`;
  const rows = await remove(db, actor, made);
  await sql`delete from users where id = any(${rows.map(({ user_id }) => user_id)}::bigint[])`.execute(db);
  return rows;
}

/** Departments the import made go when nobody is, or ever was, in them. */
async function removeDepartments({ db }: Acting, { created_departments }: ImportRecord): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    delete from departments d
    where d.id = any(${created_departments}::bigint[]) and d.manager_id is null and d.team_lead_id is null
      and not exists (select from employees e where e.department_id = d.id)
      and not exists (select from departments c where c.parent_id = d.id)
      and not exists (select from job_history h where h.department_id = d.id)
      and not exists (select from kpi_evaluations v where v.department_id = d.id)
      and not exists (select from probation_reviews v where v.department_id = d.id)
      and not exists (select from kpi_cycle_departments k where k.department_id = d.id)
    returning d.id, d.name, d.entity_id`.execute(db);
  return rows;
}

const told = (touched: readonly Touched[], action: Entry['action'], reason: string): Entry[] =>
  touched.map(({ id, name, entity_id }) => ({ action, subject_id: id, subject_label: name, entity_id, reason }));

/** Takes back what an import wrote; all in the transaction of `db`. */
export async function undoRows(acting: Acting, record: ImportRecord): Promise<void> {
  const restored = await restorePeople(acting, record);
  const removed = await removePeople(acting, record);
  const departments = await removeDepartments(acting, record);
  await sql`
    update import_rows set status = 'undone'
    where import_id = ${record.id} and status in ('created', 'updated')`.execute(acting.db);
  const reason = `Undo of ${reasonOf(record).toLowerCase()}`.slice(0, 500);
  await recordAudit(
    acting,
    ...told(restored, 'employee.reverted', reason),
    ...told(removed, 'employee.removed', reason),
    ...told(departments, 'department.deleted', reason),
  );
}
