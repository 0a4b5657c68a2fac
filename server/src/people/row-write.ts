import { sql } from 'kysely';
import type { RawBuilder, UpdateObject } from 'kysely';
import type { Actor, Rights } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { forbidden } from '../http/errors.ts';
import { transition } from '../workflow/transition.ts';
import type { Transition } from '../workflow/transition.ts';
import { employeeFields } from './fields.ts';
import type { Judged } from './gains.ts';
import type { Values } from './fields.ts';

/**
 * Every statement that writes rows of `employees` stands here, or asks `guardPeople` first: whatever the route, an
 * account that holds Admin is changed by Admins only. Routes ask earlier too, so that 403 comes before any look at state.
 */

/** Who writes: the account behind the request, or the service itself, which has to say so. */
export type Writer = Pick<Rights, 'is_admin'> | 'service';

/** People by their ids, or by a query for ids. */
type People = readonly number[] | RawBuilder<unknown>;

const oneOf = (people: People) => (Array.isArray(people) ? sql`any(${people}::bigint[])` : sql`any(${people})`);

/**
 * Asked by everything that changes people, also by what changes them through a foreign key: the company of a department
 * and the address of an account.
 * @throws 403 when one of the accounts holds Admin and the writer does not
 */
export async function guardPeople(db: Db, by: Writer, people: People): Promise<void> {
  if (by === 'service' || by.is_admin) return;
  const { rows } = await sql`
    select from employees e join users u on u.id = e.user_id
    where u.is_admin and e.id = ${oneOf(people)} limit 1`.execute(db);
  if (rows.length > 0) throw forbidden();
}

/** The same, by accounts. */
async function guardAccounts(db: Db, by: Writer, accounts: readonly number[]): Promise<void> {
  await guardPeople(db, by, sql`array(select id from employees where user_id = any(${accounts}::bigint[]))`);
}

type Row = UpdateObject<DB, 'employees'>;

/** Fields that say who manages somebody. */
const places = ['entity_id', 'department_id', 'reporting_manager_id'] as const;

/** What a change of these gives to others has to be judged before; the service asks nobody. */
function requireJudgement(by: Writer, set: object, gains: Judged | undefined) {
  if (by !== 'service' && !gains && places.some((field) => field in set))
    throw new Error('Who manages somebody was changed without judging what that gives to others.');
}

/** Gives all these people the same values; `gains` when these say who manages them. */
export async function changePeople(
  db: Db,
  by: Writer,
  ids: readonly number[],
  set: Row,
  gains?: Judged,
): Promise<void> {
  requireJudgement(by, set, gains);
  await guardPeople(db, by, ids);
  await db
    .updateTable('employees')
    .set(set)
    .where('id', 'in', ids as number[])
    .execute();
}

/** Raises the revision of people about whom something changed that stands beside their records. */
export async function touchPeople(db: Db, by: Writer, ids: readonly number[]): Promise<void> {
  await guardPeople(db, by, ids);
  await sql`update employees set updated_at = now() where id = any(${ids}::bigint[])`.execute(db);
}

/** A change of state, guarded in `transition` by the state it starts from. @returns the new revision */
export async function movePerson(db: Db, by: Writer, step: Omit<Transition, 'table'>, gains?: Judged): Promise<number> {
  requireJudgement(by, step.set ?? {}, gains);
  await guardPeople(db, by, [step.id]);
  return transition(db, { ...step, table: 'employees' });
}

/** What others decide about the account: never changed together with the rest. */
const changeable = employeeFields.filter((field) => field !== 'email' && field !== 'employee_number');

export type Touched = { id: number; name: string; entity_id: number };

/**
 * Gives each person values of their own.
 * What they give to others was judged.
 * @param changes a query for rows `(id, fields)`; `fields` is a JSON object of what is to change, without address and number
 */
export async function changeEach(db: Db, by: Writer, changes: RawBuilder<unknown>, _gains: Judged): Promise<Touched[]> {
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

/** What a new person is stored with; the account is there already. */
type NewRow = Values & { user_id: number };

/** Adds a person. */
export async function addPerson(db: Db, row: NewRow, _gains: Judged) {
  const columns = employeeFields.filter((field) => row[field] !== null);
  const { rows } = await sql<Touched & { user_id: number; employee_number: string }>`
    insert into employees (user_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    values (${row.user_id}, ${sql.join(columns.map((column) => row[column]))})
    returning id, user_id, entity_id, employee_number, name`.execute(db);
  return rows[0] as Touched & { user_id: number; employee_number: string };
}

const stored = employeeFields.map((field) => sql.ref(field));
/** The same without what is empty: less to send, and the columns are empty anyway. */
const filled = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

/** Adds people whose ids were taken ahead. */
export async function addPeople(db: Db, rows: readonly (NewRow & { id: number })[], _gains: Judged): Promise<void> {
  const json = JSON.stringify(rows.map((row) => filled({ ...row, early_access: row.early_access ?? false })));
  await sql`
    insert into employees (id, user_id, ${sql.join(stored)}) overriding system value
    select id, user_id, ${sql.join(stored)} from jsonb_populate_recordset(null::employees, ${json}::jsonb)`.execute(db);
}

/** Removes people who were added by mistake, for good. Their accounts stay. */
export async function removePeople(db: Db, by: Writer, people: People): Promise<(Touched & { user_id: number })[]> {
  await guardPeople(db, by, people);
  const { rows } = await sql<Touched & { user_id: number }>`
    delete from employees where id = ${oneOf(people)} returning id, name, entity_id, user_id`.execute(db);
  return rows;
}

/**
 * Gives accounts other addresses to sign in with; the address of the person follows by foreign key. Who gave one is
 * remembered: mail to it may be theirs to read.
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
