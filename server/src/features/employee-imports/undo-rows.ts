import { jobFields } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { changingRights } from '../../access/growth.ts';
import { endSessionsOf } from '../../access/sessions.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { tellAddressChanged } from '../../notifications/account.ts';
import { tellRolesChanged } from '../../notifications/people.ts';
import type { Judged } from '../employees/gains.ts';
import { changeAddresses, changeEach, guardPeople, removePeople as remove } from '../employees/row-write.ts';
import type { Touched } from '../employees/row-write.ts';
import { followPeople } from '../probation-reviews/place-changes.ts';
import { reasonOf } from '../../imports/record.ts';
import type { ImportRecord } from '../../imports/record.ts';

/** `gains`: what the rows give to managers was judged. */
type Acting = { db: Db; actor: Actor; gains: Judged };

const updatedRows = ({ id }: ImportRecord) => sql`
  select r.subject_id, r.before -> 'values' as earlier, r.before -> 'roles' as roles from import_rows r
  where r.import_id = ${id} and r.status = 'updated' and r.kept_reason is null`;
const madeRows = ({ id }: ImportRecord) => sql`
  select subject_id from import_rows where import_id = ${id} and status = 'created' and kept_reason is null`;

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

type RoleChange = Touched & { user_id: number; before: string | null; after: string | null };

async function restoreRoles({ db, actor }: Acting, record: ImportRecord): Promise<RoleChange[]> {
  const changed = sql`
    select e.user_id, t.roles from (${updatedRows(record)}) as t join employees e on e.id = t.subject_id
    where jsonb_typeof(t.roles) = 'array'`;
  const names = (roles: RawBuilder<unknown>) => sql`(select string_agg(r.name, '|' order by r.name) from ${roles})`;
  const { rows } = await sql<RoleChange>`
    select e.id, e.name, e.entity_id, c.user_id,
           ${names(sql`role_assignments a join roles r on r.id = a.role_id where a.user_id = c.user_id`)} as before,
           ${names(sql`jsonb_to_recordset(c.roles) as a (role_id bigint) join roles r on r.id = a.role_id`)} as after
    from (${changed}) as c join employees e on e.user_id = c.user_id order by e.id`.execute(db);
  const accounts = rows.map(({ user_id }) => user_id);
  await changingRights(db, accounts, async () => {
    await sql`delete from role_assignments where user_id = any(${accounts}::bigint[])`.execute(db);
    await sql`
      insert into role_assignments (user_id, role_id, entity_ids)
      select c.user_id, a.role_id, a.entity_ids
      from (${changed}) as c, jsonb_to_recordset(c.roles) as a (role_id bigint, entity_ids bigint[])`.execute(db);
  });
  await tellRolesChanged({ db, actor }, accounts);
  return rows;
}

async function restoreAddresses({ db, actor }: Acting, record: ImportRecord): Promise<void> {
  const { rows } = await sql<{ user_id: number; from: string; to: string }>`
    select e.user_id, e.email as "from", t.earlier ->> 'email' as "to"
    from (${updatedRows(record)}) as t join employees e on e.id = t.subject_id where t.earlier ? 'email'`.execute(db);
  if (rows.length === 0) return;
  await changeAddresses(
    db,
    actor,
    rows.map(({ user_id, to }) => ({ user_id, email: to })),
  );
  await endSessionsOf(
    db,
    rows.map(({ user_id }) => user_id),
    'e-mail changed',
  );
  await tellAddressChanged({ db, actor }, rows);
}

/** Open reviews follow people who stand in another company again. */
async function followMoved({ db, actor }: Acting, record: ImportRecord): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select t.subject_id as id from (${updatedRows(record)}) as t where t.earlier ? 'entity_id'`.execute(db);
  if (rows.length > 0)
    await followPeople(
      { db, actor },
      rows.map(({ id }) => id),
    );
}

/** Gives updated people their earlier values. */
async function restorePeople(
  acting: Acting,
  record: ImportRecord,
): Promise<{ people: Touched[]; roles: RoleChange[] }> {
  const { db, actor, gains } = acting;
  await guardPeople(db, actor, sql`array(select u.subject_id from (${updatedRows(record)}) as u)`);
  await restoreAddresses(acting, record);
  const roles = await restoreRoles(acting, record);
  const earlier = sql`select u.subject_id as id, u.earlier as fields from (${updatedRows(record)}) as u`;
  const people = await changeEach(db, actor, earlier, gains);
  await restoreHistory(db, record);
  await followMoved(acting, record);
  return { people, roles };
}

/** Removes people the import made, with their accounts. */
async function removePeople({ db, actor }: Acting, record: ImportRecord): Promise<Touched[]> {
  // before the people, because some of it names others of them as managers
  await sql`delete from job_history where employee_id in (${madeRows(record)})`.execute(db);
  const rows = await remove(db, actor, sql`array(${madeRows(record)})`);
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

const rolesTold = (changes: readonly RoleChange[], reason: string): Entry[] =>
  changes.map(({ id, name, entity_id, before, after }) => ({
    action: 'employee.roles_changed',
    subject_id: id,
    subject_label: name,
    entity_id,
    changes: { roles: { from: before, to: after } },
    reason,
  }));

/** Takes back what an import wrote in the rows that were not marked to stay; all in the transaction of `db`. */
export async function undoRows(acting: Acting, record: ImportRecord): Promise<void> {
  const restored = await restorePeople(acting, record);
  const removed = await removePeople(acting, record);
  const departments = await removeDepartments(acting, record);
  await sql`
    update import_rows set status = 'undone'
    where import_id = ${record.id} and status in ('created', 'updated') and kept_reason is null`.execute(acting.db);
  const reason = `Undo of ${reasonOf(record).toLowerCase()}`.slice(0, 500);
  await recordAudit(
    acting,
    ...told(restored.people, 'employee.reverted', reason),
    ...rolesTold(restored.roles, reason),
    ...told(removed, 'employee.removed', reason),
    ...told(departments, 'department.deleted', reason),
  );
}
