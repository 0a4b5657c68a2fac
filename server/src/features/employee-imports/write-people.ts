import { jobFields } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { changingRights } from '../../access/growth.ts';
import { isByHand } from '../../access/role-sources.ts';
import { changesBetween } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { notifyRolesChanged } from '../../notifications/people.ts';
import type { Field, Values } from '../../people/fields.ts';
import type { GainsChecked } from '../../people/gains.ts';
import { departmentIdsOf } from '../../people/roles.ts';
import type { Given } from '../../access/given-roles.ts';
import { addPeople, changeEach } from '../../people/row-write.ts';
import { setAddresses } from '../../people/sign-ins.ts';
import { recordJobChange } from '../../people/job-write.ts';
import { followTransfers } from '../probation-reviews/transfers.ts';
import { givenNames } from './row-changes.ts';
import type { Person } from './people.ts';

/** A row's new person, with the final number, department and manager. */
export type NewPerson = { row: number; values: Values; roles: readonly Given[] };
/** A changed person of a row. */
export type ChangedPerson = {
  row: number;
  person: Person;
  values: Values;
  changed: readonly Field[];
  roles: readonly Given[] | null;
};

export type Written = { row: number; status: 'created' | 'updated'; subject_id: number; before: unknown };
export type RowsCtx = {
  db: Db;
  actor: Pick<Actor, 'user_id' | 'name' | 'is_admin'>;
  gains: GainsChecked;
};
type Done = { written: Written[]; entries: Entry[] };

const historyFields = [...jobFields, 'employment_lifecycle'] as const;
const nameOf = ({ display_name, first_name, last_name }: Values) => display_name ?? `${first_name} ${last_name}`;

/** Reserves ids of people and accounts, so that one statement can insert managers and their reports. */
async function takeIds(db: Db, count: number): Promise<{ id: number; user_id: number }[]> {
  const { rows } = await sql<{ id: number; user_id: number }>`
    select nextval(people) as id, nextval(accounts) as user_id
    from (select pg_get_serial_sequence('employees', 'id')::regclass as people,
                 pg_get_serial_sequence('users', 'id')::regclass as accounts offset 0) as sequences,
         generate_series(1, ${count})`.execute(db);
  return rows;
}

type Placed = { id: number; user_id: number | null; values: Values; roles: readonly Given[] };

/** The summary of an account's assignments as the database stores it, which saves a second write. */
const summaryOf = ({ roles }: Placed) =>
  JSON.stringify(
    roles.map(({ role, entity_ids, in_departments }) => ({
      id: role.id,
      name: role.name,
      entity_ids,
      ...(in_departments && { department_ids: departmentIdsOf({ in_departments }) }),
    })),
  );

async function insertAll({ db, gains }: RowsCtx, people: readonly Placed[]): Promise<void> {
  const holders = people.filter(({ user_id }) => user_id !== null);
  await sql`
    insert into users (id, email, roles, locale) overriding system value
    select t.id, t.email, t.roles::jsonb, n.locale
    from unnest(${holders.map(({ user_id }) => user_id)}::bigint[], ${holders.map(({ values }) => values.email)}::text[],
                ${holders.map(summaryOf)}::text[], ${holders.map(({ values }) => values.entity_id)}::bigint[])
      as t (id, email, roles, entity_id)
    join entities n on n.id = t.entity_id`.execute(db);
  await addPeople(
    db,
    people.map(({ id, user_id, values }) => ({ ...values, id, user_id })),
    gains,
  );
}

async function assign(db: Db, given: readonly { user_id: number | null; roles: readonly Given[] }[]): Promise<void> {
  const rows = given.flatMap(({ user_id, roles }) =>
    (user_id === null ? [] : roles).map((one) => ({
      user_id,
      role_id: one.role.id,
      entity_ids: one.entity_ids,
      department_ids: departmentIdsOf(one),
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into role_assignments (user_id, role_id, entity_ids, department_ids)
    select user_id, role_id, entity_ids, department_ids
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as t (user_id bigint, role_id bigint, entity_ids bigint[], department_ids bigint[])
    on conflict (user_id, role_id)
      do update set entity_ids = excluded.entity_ids, department_ids = excluded.department_ids
      -- a provider's role stays: the file does not know its limits
      where ${isByHand('role_assignments')}`.execute(db);
}

/** Groups equal items, so that one statement handles each group. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return [...groups.values()];
}

type Jobs = readonly { id: number; fields: readonly string[] }[];

async function recordJobs({ db, actor }: RowsCtx, jobs: Jobs, more: { reason: string; is_first?: boolean }) {
  for (const group of grouped(jobs, ({ fields }) => fields.join())) {
    const changed_fields = group[0]?.fields ?? [];
    if (changed_fields.length > 0)
      await recordJobChange(
        db,
        { employee_ids: group.map(({ id }) => id), changed_fields, by: actor, source: 'imported', ...more },
        followTransfers,
      );
  }
}

/** Adds people with accounts, roles and the first history row. Managers may be among them, by negative row number. */
export async function createPeople(acting: RowsCtx, people: readonly NewPerson[], reason: string): Promise<Done> {
  if (people.length === 0) return { written: [], entries: [] };
  const ids = await takeIds(acting.db, people.length);
  const idOfRow = new Map(people.map(({ row }, index) => [-row, ids[index]?.id as number]));
  const complete = people.map(({ row, values, roles }, index) => {
    const manager = values.reporting_manager_id;
    const reporting_manager_id = manager === null ? null : (idOfRow.get(manager) ?? manager);
    const reserved = ids[index] as { id: number; user_id: number };
    return {
      row,
      roles,
      values: { ...values, reporting_manager_id },
      id: reserved.id,
      // a person without an address gets no account
      user_id: values.email === null ? null : reserved.user_id,
    };
  });
  await insertAll(acting, complete);
  await assign(acting.db, complete);
  const jobs = complete.map(({ id, values }) => ({
    id,
    fields: historyFields.filter((field) => values[field] !== null),
  }));
  await recordJobs(acting, jobs, { reason, is_first: true });
  return {
    written: complete.map(({ row, id }) => ({ row, status: 'created', subject_id: id, before: null })),
    entries: complete.map(({ id, values }) => ({
      action: 'employee.created',
      subject_id: id,
      subject_label: nameOf(values),
      entity_id: values.entity_id,
      changes: changesBetween({}, values),
      reason,
    })),
  };
}

/** Changes addresses. Returns the people with their accounts afterwards. */
async function moveAddresses(doing: RowsCtx, people: readonly ChangedPerson[]): Promise<readonly ChangedPerson[]> {
  const moved = people.filter(({ changed }) => changed.includes('email'));
  const given = await setAddresses(
    doing,
    moved.map(({ person: { id, user_id, values: stored }, values }) => ({
      id,
      user_id,
      from: stored.email,
      to: values.email,
    })),
  );
  return people.map((one) => {
    const user_id = given.get(one.person.id);
    return user_id === undefined ? one : { ...one, person: { ...one.person, user_id } };
  });
}

async function changeFields({ db, actor, gains }: RowsCtx, people: readonly ChangedPerson[]): Promise<void> {
  const json = JSON.stringify(people.map(({ person, values }) => ({ id: person.id, fields: values })));
  await changeEach(
    db,
    actor,
    sql`select id, fields from jsonb_to_recordset(${json}::jsonb) as r (id bigint, fields jsonb)`,
    gains,
  );
}

async function replaceRoles(db: Db, given: readonly { user_id: number; roles: readonly Given[] }[]): Promise<void> {
  const kept = given.flatMap(({ user_id, roles }) => roles.map(({ role }) => ({ user_id, role_id: role.id })));
  await sql`
    delete from role_assignments a
    where a.user_id = any(${given.map(({ user_id }) => user_id)}::bigint[]) and ${isByHand('a')}
      and not exists (select from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as t (user_id bigint, role_id bigint)
                      where t.user_id = a.user_id and t.role_id = a.role_id)`.execute(db);
  await assign(db, given);
}

async function changeRoles({ db, actor }: RowsCtx, people: readonly ChangedPerson[]): Promise<void> {
  const given = people.flatMap(({ person: { user_id }, roles }) =>
    roles && user_id !== null ? [{ user_id, roles }] : [],
  );
  if (given.length === 0) return;
  await changingRights(
    db,
    given.map(({ user_id }) => user_id),
    () => replaceRoles(db, given),
  );
  await notifyRolesChanged(
    { db, actor },
    given.map(({ user_id }) => user_id),
  );
}

async function revisionsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('employees')
    .select(['id', 'revision'])
    .where('id', 'in', ids as number[])
    .execute();
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

function entriesOf({ person, values, changed, roles }: ChangedPerson, reason: string): Entry[] {
  const about = { subject_id: person.id, subject_label: nameOf(values), entity_id: values.entity_id, reason };
  const fields = Object.fromEntries(changed.map((field) => [field, values[field]]));
  const roleChange = roles && { from: person.roles.map(({ name }) => name).join('|'), to: givenNames(roles) };
  return [
    ...(changed.length > 0
      ? [{ ...about, action: 'employee.updated', changes: changesBetween(person.values, fields) } as const]
      : []),
    ...(roleChange ? [{ ...about, action: 'employee.roles_changed', changes: { roles: roleChange } } as const] : []),
  ];
}

/** Updates people, with all consequences. */
export async function updatePeople(acting: RowsCtx, people: readonly ChangedPerson[], reason: string): Promise<Done> {
  if (people.length === 0) return { written: [], entries: [] };
  const { db } = acting;
  const ids = people.map(({ person }) => person.id);
  const found = await revisionsOf(db, ids);
  const holders = await moveAddresses(acting, people);
  await changeFields(acting, people);
  await changeRoles(acting, holders);
  const jobs = people.map(({ person, changed }) => ({
    id: person.id,
    fields: jobFields.filter((field) => changed.includes(field)),
  }));
  await recordJobs(acting, jobs, { reason });
  const revisions = await revisionsOf(db, ids);
  return {
    written: people.map(({ row, person, changed, roles }) => ({
      row,
      status: 'updated',
      subject_id: person.id,
      before: {
        found: found.get(person.id),
        revision: revisions.get(person.id),
        values: Object.fromEntries(changed.map((field) => [field, person.values[field]])),
        roles: roles
          ? person.roles.map((one) => ({
              role_id: one.id,
              entity_ids: one.entity_ids,
              department_ids: departmentIdsOf(one),
            }))
          : null,
      },
    })),
    entries: people.flatMap((one) => entriesOf(one, reason)),
  };
}
