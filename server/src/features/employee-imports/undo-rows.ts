import { jobFields } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { changingRights } from '../../access/growth.ts';
import { isByHand } from '../../access/role-sources.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notifyRolesChanged } from '../../notifications/people.ts';
import type { GainsChecked } from '../../people/gains.ts';
import { changeEach, guardPeople, removePeople as remove } from '../../people/row-write.ts';
import type { Touched } from '../../people/row-write.ts';
import { setAddresses } from '../../people/sign-ins.ts';
import type { AddressChange } from '../../people/sign-ins.ts';
import { storedRules } from '../../sso/role-rules.ts';
import { followTransfers } from '../probation-reviews/transfers.ts';
import { undoReasonOf } from '../../imports/record.ts';
import type { ImportRecord } from '../../imports/record.ts';
import { passOnRevisions } from '../../imports/undo.ts';
import { managersFirst } from './lines.ts';

/** `gains`: the proof that the gains of managers were checked. */
type UndoCtx = ReadCtx & { gains: GainsChecked; onBatch: () => Promise<void> };

/** Some updated rows of an import. */
type Some = { importId: number; rows: readonly number[] };

const batch = 1_000;

const updatedRows = ({ importId, rows }: Some) => sql`
  select r.subject_id, r.before -> 'values' as earlier, r.before -> 'roles' as roles from import_rows r
  where r.import_id = ${importId} and r."row" = any(${rows}::int[])`;

/** Restores the job history from before the import: deletes the import's row and makes the previous one current. */
async function restoreHistory(db: Db, some: Some): Promise<void> {
  const moved = sql`select subject_id from (${updatedRows(some)}) as t where t.earlier ?| ${jobFields}::text[]`;
  await sql`delete from job_history where status = 'current' and employee_id in (${moved})`.execute(db);
  await sql`
    update job_history h set status = 'current', effective_to = null
    from (select distinct on (employee_id) id from job_history where status = 'past' and employee_id in (${moved})
          order by employee_id, effective_from desc, effective_to desc, id desc) as last
    where h.id = last.id`.execute(db);
}

type RoleChange = Touched & { user_id: number; before: string | null; after: string | null };

async function restoreRoles({ db, actor }: UndoCtx, some: Some): Promise<RoleChange[]> {
  const changed = sql`
    select e.user_id, t.roles from (${updatedRows(some)}) as t join employees e on e.id = t.subject_id
    where jsonb_typeof(t.roles) = 'array'`;
  const names = (roles: RawBuilder<unknown>) => sql`(select string_agg(r.name, '|' order by r.name) from ${roles})`;
  const { rows } = await sql<RoleChange>`
    select e.id, e.name, e.entity_id, c.user_id,
           ${names(sql`role_assignments a join roles r on r.id = a.role_id where a.user_id = c.user_id`)} as before,
           ${names(sql`jsonb_to_recordset(c.roles) as a (role_id bigint) join roles r on r.id = a.role_id`)} as after
    from (${changed}) as c join employees e on e.user_id = c.user_id order by e.id`.execute(db);
  const accounts = rows.map(({ user_id }) => user_id);
  await changingRights(db, accounts, async () => {
    await sql`delete from role_assignments a where a.user_id = any(${accounts}::bigint[]) and ${isByHand('a')}`.execute(
      db,
    );
    await sql`
      insert into role_assignments (user_id, role_id, entity_ids, department_ids)
      select c.user_id, a.role_id, a.entity_ids, a.department_ids
      from (${changed}) as c, jsonb_to_recordset(c.roles)
        as a (role_id bigint, entity_ids bigint[], department_ids bigint[])
      on conflict (user_id, role_id)
        do update set entity_ids = excluded.entity_ids, department_ids = excluded.department_ids,
                      source = 'manual', provider_id = null, scim_connection_id = null`.execute(db);
  });
  await notifyRolesChanged({ db, actor }, accounts);
  return rows;
}

async function restoreAddresses({ db, actor }: UndoCtx, some: Some): Promise<void> {
  const { rows } = await sql<AddressChange>`
    select e.id, e.user_id, e.email as "from", t.earlier ->> 'email' as "to"
    from (${updatedRows(some)}) as t join employees e on e.id = t.subject_id where t.earlier ? 'email'`.execute(db);
  await setAddresses({ db, actor }, rows);
}

/** Open reviews move back to the former company with their people. */
async function followMoved({ db, actor }: UndoCtx, some: Some): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select t.subject_id as id from (${updatedRows(some)}) as t where t.earlier ? 'entity_id'`.execute(db);
  if (rows.length > 0)
    await followTransfers(
      { db, actor },
      rows.map(({ id }) => id),
    );
}

/** Restores the earlier values of updated people. */
async function restorePeople(acting: UndoCtx, some: Some): Promise<{ people: Touched[]; roles: RoleChange[] }> {
  const { db, actor, gains } = acting;
  await guardPeople(db, actor, sql`array(select u.subject_id from (${updatedRows(some)}) as u)`);
  await restoreAddresses(acting, some);
  const roles = await restoreRoles(acting, some);
  const earlier = sql`select u.subject_id as id, u.earlier as fields from (${updatedRows(some)}) as u`;
  const people = await changeEach(db, actor, earlier, gains);
  await restoreHistory(db, some);
  await followMoved(acting, some);
  return { people, roles };
}

/** Removes people created by the import, with their accounts. */
async function removePeople({ db, actor }: UndoCtx, ids: readonly number[]): Promise<Touched[]> {
  await sql`delete from job_history where employee_id = any(${ids}::bigint[])`.execute(db);
  const rows = await remove(db, actor, ids);
  await sql`delete from users where id = any(${rows.flatMap(({ user_id }) => user_id ?? [])}::bigint[])`.execute(db);
  return rows;
}

type Going = { row: number; status: 'created' | 'updated'; subject_id: number; manager_id: number | null };

/** The rows not marked to stay. */
async function goingRows(db: Db, { id }: ImportRecord): Promise<Going[]> {
  const { rows } = await sql<Going>`
    select r."row", r.status, r.subject_id, e.reporting_manager_id as manager_id
    from import_rows r join employees e on e.id = r.subject_id
    where r.import_id = ${id} and r.status in ('created', 'updated') and r.kept_reason is null
    order by r."row"`.execute(db);
  return rows;
}

const inBatches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / batch) }, (_, index) => all.slice(index * batch, (index + 1) * batch));

/** People created by the import, with reports before their managers. */
function madeOf(going: readonly Going[]): number[] {
  const made = going.filter(({ status }) => status === 'created');
  const managers = new Map(made.map(({ subject_id, manager_id }) => [subject_id, manager_id]));
  const ids = made.map(({ subject_id }) => subject_id);
  const managerOf = (id: number) => managers.get(id) ?? undefined;
  return managersFirst(ids, managerOf).toReversed();
}

/** Removes departments created by the import that have no references and no people, now or earlier. */
async function removeDepartments({ db }: UndoCtx, { created_departments }: ImportRecord): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    delete from departments d
    where d.id = any(${created_departments}::bigint[]) and d.manager_id is null and d.team_lead_id is null
      and not exists (select from employees e where e.department_id = d.id)
      and not exists (select from departments c where c.parent_id = d.id)
      and not exists (select from job_history h where h.department_id = d.id)
      and not exists (select from kpi_evaluations v where v.department_id = d.id)
      and not exists (select from probation_reviews v where v.department_id = d.id)
      and not exists (select from kpi_cycle_departments k where k.department_id = d.id)
      and not exists (select from role_assignments a where d.id = any(a.department_ids))
      and not exists (select from (${storedRules}) as r where d.id = any(r.department_ids))
    returning d.id, d.name, d.entity_id`.execute(db);
  return rows;
}

const entriesFor = (touched: readonly Touched[], action: Entry['action'], reason: string): Entry[] =>
  touched.map(({ id, name, entity_id }) => ({ action, subject_id: id, subject_label: name, entity_id, reason }));

const roleEntries = (changes: readonly RoleChange[], reason: string): Entry[] =>
  changes.map(({ id, name, entity_id, before, after }) => ({
    action: 'employee.roles_changed',
    subject_id: id,
    subject_label: name,
    entity_id,
    changes: { roles: { from: before, to: after } },
    reason,
  }));

/** Undoes the rows not marked to stay, in batches within the transaction of `db`. */
export async function undoRows(acting: UndoCtx, record: ImportRecord): Promise<void> {
  const { db } = acting;
  const reason = undoReasonOf(record);
  const going = await goingRows(db, record);
  const updated = going.flatMap(({ row, status }) => (status === 'updated' ? [row] : []));
  for (const rows of inBatches(updated)) {
    const { people, roles } = await restorePeople(acting, { importId: record.id, rows });
    await recordAudit(acting, ...entriesFor(people, 'employee.reverted', reason), ...roleEntries(roles, reason));
    await acting.onBatch();
  }
  await passOnRevisions(db, 'employees', record.id);
  for (const ids of inBatches(madeOf(going))) {
    await recordAudit(acting, ...entriesFor(await removePeople(acting, ids), 'employee.removed', reason));
    await acting.onBatch();
  }
  const departments = await removeDepartments(acting, record);
  await recordAudit(acting, ...entriesFor(departments, 'department.deleted', reason));
  await sql`
    update import_rows set status = 'undone'
    where import_id = ${record.id} and status in ('created', 'updated') and kept_reason is null`.execute(db);
}
