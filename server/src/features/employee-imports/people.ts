import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { isAdminAccount } from '../../access/admins.ts';
import { accountKey, coverOf, lockAccounts, noCover } from '../../access/cover.ts';
import { departmentsOfAssignment } from '../../access/in-departments.ts';
import { isByHand } from '../../access/role-sources.ts';
import { peopleFor, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import type { Given } from '../../access/given-roles.ts';
import { employeeFields, valuesOf } from '../../people/fields.ts';
import type { Values } from '../../people/fields.ts';
import { decided, isUnderReview, leftBefore } from '../../people/queries.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import type { DecidedReviews } from '../../people/rules.ts';

/** The columns of an existing person that checking a row needs. */
export type Person = Pick<
  EmployeeRecord,
  | 'id'
  | 'user_id'
  | 'name'
  | 'employee_number'
  | 'entity_id'
  | 'department_id'
  | 'reporting_manager_id'
  | 'activity_status'
  | 'employment_lifecycle'
  | 'last_working_date'
  | 'today'
  | 'deleted_at'
  | 'is_admin'
  | 'cover'
  | keyof DecidedReviews
  | 'entity_name'
  | 'department_name'
  | 'manager_number'
> & {
  roles: (Omit<Given, 'role'> & { id: number; name: string })[];
  /** The importer can change this person. */
  permitted: boolean;
  values: Values;
};

/** An account that uses an address of the file. */
export type Account = {
  email: string;
  employee_id: number | null;
  employee_number: string | null;
  activity_status: string | null;
  deleted: boolean;
  /** The importer sees the person. */
  visible: boolean;
};

/** A person who can be named as manager. */
export type KnownManager = { id: number; is_employed: boolean };

type Stored = Omit<Person, 'values' | 'cover'> & Pick<EmployeeRecord, (typeof employeeFields)[number]>;

const personColumns = sql`
  e.id, e.user_id, e.name, e.deleted_at, ${sql.join(employeeFields.map((field) => sql.ref(`e.${field}`)))},
  ${isUnderReview} as is_under_review, ${decided}, ${leftBefore}, (now() at time zone n.timezone)::date as today,
  n.name as entity_name, d.name as department_name, m.employee_number as manager_number,
  ${isAdminAccount(sql.ref('e.user_id'))} as is_admin,
  (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'entity_ids', a.entity_ids,
     'in_departments', ${departmentsOfAssignment}) order by r.name), '[]')
   from role_assignments a join roles r on r.id = a.role_id
   where a.user_id = e.user_id and ${isByHand('a')}) as roles`;

const accessFields = ['email', 'joining_date', 'early_access'] as const;
/** The access fields of a change; absent if unchanged. */
export type AccessFields = { [Field in (typeof accessFields)[number]]?: Values[Field] | undefined };

const changesAccess = (stored: AccessFields, wanted: AccessFields = {}) =>
  accessFields.some((field) => wanted[field] !== undefined && wanted[field] !== stored[field]);

/**
 * Reads the people with these folded employee numbers, including deleted ones; `lock` locks them until the end of the
 * transaction. Compares the rights of accounts whose access the change would affect.
 */
export async function loadPeople(
  db: Db,
  actor: Actor,
  wantedOf: ReadonlyMap<string, AccessFields>,
  { lock = false } = {},
): Promise<Map<string, Person>> {
  const numbers = [...wantedOf.keys()];
  if (numbers.length === 0) return new Map();
  const wanted = sql`fold(e.employee_number) = any(${numbers}::text[])`;
  // the next statement rereads a row that it had to wait for; evaluations start before or after
  if (lock) await sql`select from employees e where ${wanted} order by e.id for update`.execute(db);
  const permission: Permission = 'employees.update';
  const { rows } = await sql<Stored & { number_key: string }>`
    select ${personColumns}, fold(e.employee_number) as number_key,
           (${visiblePeople(actor)} and ${peopleFor(actor, permission)}) as permitted
    from employees e
    join entities n on n.id = e.entity_id
    join departments d on d.id = e.department_id
    left join employees m on m.id = e.reporting_manager_id
    where ${wanted}`.execute(db);
  const moved = rows.filter((row) => changesAccess(row, wantedOf.get(row.number_key)));
  const accounts = moved.map(accountKey);
  if (lock && accounts.length > 0) await lockAccounts(db, accounts);
  const covers = await coverOf(db, actor, accounts);
  return new Map(
    rows.map((row) => [
      row.number_key,
      { ...row, cover: covers.get(accountKey(row)) ?? noCover, values: valuesOf(row) },
    ]),
  );
}

/** The accounts that sign in with these addresses. */
export async function loadAccounts(db: Db, actor: Actor, emails: readonly string[]): Promise<Map<string, Account>> {
  if (emails.length === 0) return new Map();
  const { rows } = await sql<Account>`
    select u.email, e.id as employee_id, e.employee_number, e.activity_status,
           e.deleted_at is not null as deleted, coalesce(${visiblePeople(actor)}, false) as visible
    from users u left join employees e on e.user_id = u.id
    where u.email = any(${emails}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.email, row]));
}

/** Forces one index look-up per reference, whatever the planner's estimate. */
const managersBy = (actor: Actor, key: RawBuilder<unknown>, wanted: readonly string[]) => sql<
  KnownManager & { ref: string }
>`
  select wanted.ref, e.id, e.activity_status <> 'inactive' as is_employed
  from unnest(${wanted}::text[]) as wanted (ref)
  cross join lateral (select * from employees e where ${key} = wanted.ref offset 0) as e
  where e.deleted_at is null and ${visiblePeople(actor)}`;

/** The visible people that these references (folded numbers, addresses) name as managers. */
export async function loadManagers(
  db: Db,
  actor: Actor,
  refs: readonly string[],
): Promise<ReadonlyMap<string, KnownManager>> {
  const numbers = refs.filter((ref) => !ref.includes('@'));
  const emails = refs.filter((ref) => ref.includes('@'));
  const found = [
    ...(numbers.length > 0 ? (await managersBy(actor, sql`fold(e.employee_number)`, numbers).execute(db)).rows : []),
    ...(emails.length > 0 ? (await managersBy(actor, sql`e.email`, emails).execute(db)).rows : []),
  ];
  return new Map(found.map(({ ref, id, is_employed }) => [ref, { id, is_employed }]));
}

/** The reporting lines from these people to the top. */
export async function loadChains(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; reporting_manager_id: number }>`
    with recursive above as (
      select id, reporting_manager_id from employees where id = any(${ids}::bigint[])
      union
      select e.id, e.reporting_manager_id from employees e join above on e.id = above.reporting_manager_id
    )
    select id, reporting_manager_id from above where reporting_manager_id is not null`.execute(db);
  return new Map(rows.map((row) => [row.id, row.reporting_manager_id]));
}
