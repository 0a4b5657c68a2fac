import { sql } from 'kysely';
import type { RawBuilder, UpdateObject } from 'kysely';
import type { Actor, Rights } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { forbidden } from '../http/errors.ts';
import { transition } from '../workflow/transition.ts';
import type { Transition } from '../workflow/transition.ts';
import { employeeFields } from './fields.ts';
import type { GainsChecked } from './gains.ts';
import type { Values } from './fields.ts';

/**
 * Every statement that writes rows of `employees` is in this file or calls `guardPeople` first: in every case, only
 * Admins change accounts with Admin. Routes also check earlier, so that 403 precedes any check of state.
 */

/** The writer: the account of the request, or explicitly the service itself. */
export type Writer = Pick<Rights, 'is_admin'> | 'service';

/** People by id, or by a query for ids. */
type People = readonly number[] | RawBuilder<unknown>;

const oneOf = (people: People) => (Array.isArray(people) ? sql`any(${people}::bigint[])` : sql`any(${people})`);

/**
 * Guards every change of people, including those by foreign key through a department's company or an account's address.
 * Throws 403 if an account has Admin and the writer does not.
 */
export async function guardPeople(db: Db, by: Writer, people: People): Promise<void> {
  if (by === 'service' || by.is_admin) return;
  const { rows } = await sql`
    select from employees e join users u on u.id = e.user_id
    where u.is_admin and e.id = ${oneOf(people)} limit 1`.execute(db);
  if (rows.length > 0) throw forbidden();
}

/** The same by account. */
async function guardAccounts(db: Db, by: Writer, accounts: readonly number[]): Promise<void> {
  await guardPeople(db, by, sql`array(select id from employees where user_id = any(${accounts}::bigint[]))`);
}

type Row = UpdateObject<DB, 'employees'>;

/** Fields that decide who manages a person. */
const places = ['entity_id', 'department_id', 'reporting_manager_id'] as const;

/** A change of these fields must be checked first, unless the service makes it. */
function requireCheck(by: Writer, set: object, gains: GainsChecked | undefined) {
  if (by !== 'service' && !gains && places.some((field) => field in set))
    throw new Error('A change of who manages a person was not checked for what it gives to others.');
}

/** Sets the same values for all these people; needs `gains` if the values decide who manages them. */
export async function changePeople(
  db: Db,
  by: Writer,
  ids: readonly number[],
  set: Row,
  gains?: GainsChecked,
): Promise<void> {
  requireCheck(by, set, gains);
  await guardPeople(db, by, ids);
  await db
    .updateTable('employees')
    .set(set)
    .where('id', 'in', ids as number[])
    .execute();
}

/** Raises people's revision after a change outside their record. */
export async function touchPeople(db: Db, by: Writer, ids: readonly number[]): Promise<void> {
  await guardPeople(db, by, ids);
  await sql`update employees set updated_at = now() where id = any(${ids}::bigint[])`.execute(db);
}

/** Changes a state, guarded in `transition` by its start state. Returns the new revision. */
export async function movePerson(
  db: Db,
  by: Writer,
  step: Omit<Transition, 'table'>,
  gains?: GainsChecked,
): Promise<number> {
  requireCheck(by, step.set ?? {}, gains);
  await guardPeople(db, by, [step.id]);
  return transition(db, { ...step, table: 'employees' });
}

/** Fields other than address and number, which have their own statements. */
const changeable = employeeFields.filter((field) => field !== 'email' && field !== 'employee_number');

export type Touched = { id: number; name: string; entity_id: number };

/**
 * Sets individual values for people whose gains were checked. `changes` is a query for rows `(id, fields)`; `fields` is
 * a JSON object of the changes, without address and number.
 */
export async function changeEach(
  db: Db,
  by: Writer,
  changes: RawBuilder<unknown>,
  _gains: GainsChecked,
): Promise<Touched[]> {
  await guardPeople(db, by, sql`array(select t.id from (${changes}) as t)`);
  const assignments = changeable.map((field) => {
    const column = sql.ref(field);
    return sql`${column} = case when t.fields ? ${field} then (t.row).${column} else e.${column} end`;
  });
  const { rows } = await sql<Touched>`
    update employees e set ${sql.join(assignments)}
    from (select c.id, c.fields, jsonb_populate_record(null::employees, c.fields) as row from (${changes}) as c) as t
    where e.id = t.id
    returning e.id, e.name, e.entity_id`.execute(db);
  return rows;
}

/** The row of a new person, with an existing account if there is an address. */
type NewRow = Values & { user_id: number | null };

/** Adds a person. */
export async function addPerson(db: Db, row: NewRow, _gains: GainsChecked) {
  const columns = employeeFields.filter((field) => row[field] !== null);
  const { rows } = await sql<Touched & { user_id: number | null; employee_number: string }>`
    insert into employees (user_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    values (${row.user_id}, ${sql.join(columns.map((column) => row[column]))})
    returning id, user_id, entity_id, employee_number, name`.execute(db);
  return rows[0] as Touched & { user_id: number | null; employee_number: string };
}

const stored = employeeFields.map((field) => sql.ref(field));
/** Removes empty columns to send less. */
const filled = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

/** Adds people with reserved ids. */
export async function addPeople(
  db: Db,
  rows: readonly (NewRow & { id: number })[],
  _gains: GainsChecked,
): Promise<void> {
  const json = JSON.stringify(rows.map((row) => filled({ ...row, early_access: row.early_access ?? false })));
  await sql`
    insert into employees (id, user_id, ${sql.join(stored)}) overriding system value
    select id, user_id, ${sql.join(stored)} from jsonb_populate_recordset(null::employees, ${json}::jsonb)`.execute(db);
}

/** Deletes people who were added by mistake; their accounts stay. */
export async function removePeople(
  db: Db,
  by: Writer,
  people: People,
): Promise<(Touched & { user_id: number | null })[]> {
  await guardPeople(db, by, people);
  const { rows } = await sql<Touched & { user_id: number | null }>`
    delete from employees where id = ${oneOf(people)} returning id, name, entity_id, user_id`.execute(db);
  return rows;
}

/**
 * Changes sign-in addresses; the person's address follows by foreign key. Records who set the address, because that
 * person may be able to read its mail.
 */
export async function changeAddresses(
  db: Db,
  by: Pick<Actor, 'is_admin' | 'user_id'>,
  accounts: readonly { user_id: number; email: string }[],
): Promise<void> {
  await guardAccounts(
    db,
    by,
    accounts.map(({ user_id }) => user_id),
  );
  await sql`
    update users u set email = t.email, address_set_by = nullif(${by.user_id}::bigint, u.id)
    from jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) as t (user_id bigint, email text)
    where u.id = t.user_id`.execute(db);
}

/** Gives people their first address and, with it, an account with the role Employee. Returns the accounts by person. */
export async function giveAccounts(
  db: Db,
  by: Writer,
  given: readonly { id: number; email: string }[],
): Promise<ReadonlyMap<number, number>> {
  const ids = given.map(({ id }) => id);
  await guardPeople(db, by, ids);
  const { rows } = await sql<{ id: number; user_id: number }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as t (id bigint, email text)
    ), made as (
      insert into users (email, locale)
      select g.email, n.locale from given g join employees e on e.id = g.id join entities n on n.id = e.entity_id
      returning id, email
    )
    update employees e set user_id = m.id, email = m.email
    from given g join made m on m.email = g.email
    where e.id = g.id and e.user_id is null
    returning e.id, e.user_id`.execute(db);
  await sql`
    insert into role_assignments (user_id, role_id)
    select account, r.id from unnest(${rows.map(({ user_id }) => user_id)}::bigint[]) as account, roles r
    where r.is_system and r.name = 'Employee'`.execute(db);
  return new Map(rows.map(({ id, user_id }) => [id, user_id]));
}

/** Removes address and account of people who never signed in. The roles go first, while they name the person. */
export async function removeAccounts(db: Db, by: Writer, accounts: readonly number[]): Promise<void> {
  await guardAccounts(db, by, accounts);
  await sql`delete from role_assignments where user_id = any(${accounts}::bigint[])`.execute(db);
  await sql`update employees set user_id = null, email = null where user_id = any(${accounts}::bigint[])`.execute(db);
  await sql`delete from users where id = any(${accounts}::bigint[])`.execute(db);
}
