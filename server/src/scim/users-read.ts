import { foldEmail } from '@tenure/contract';
import { sql } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import { enterpriseSchema, userSchema } from './attributes.ts';
import type { Call, Connection } from './connection.ts';
import { isReached } from './connection.ts';
import type { Columns } from './filter-sql.ts';
import { columns } from './filter-sql.ts';
import { compact } from './documents.ts';
import type { Document } from './patch.ts';
import { noSuch } from './problem.ts';
import type { Page } from './query.ts';

/** A user of a connection, with the account and person that it belongs to. */
export type UserRow = {
  id: string;
  user_id: number | null;
  user_name: string;
  external_id: string | null;
  /** As the provider last said. */
  is_active: boolean;
  sent: Document;
  created_at: string;
  updated_at: string;
  /** Whether the account may sign in now; null for a person in a company out of reach. */
  may_sign_in: boolean | null;
  is_reached: boolean;
  /** Whether the connection may read HR's records of the person. */
  is_shown: boolean;
  is_blocked: boolean;
  email: string | null;
  locale: string | null;
  entity_id: number | null;
  name: string | null;
  first_name: string | null;
  last_name: string | null;
  job_title: string | null;
  phone: string | null;
  employee_number: string | null;
  department: string | null;
  company: string | null;
  manager: string | null;
  manager_id: string | null;
};

const maySignIn = sql`u.is_enabled and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`;

/** Whether an account may sign in, as far as a connection may know: null for people of other companies. */
const signInSeen = ({ entity_ids }: Pick<Connection, 'entity_ids'>) => sql<boolean | null>`(
  case when ${entity_ids}::bigint[] is null or e.entity_id = any(${entity_ids}::bigint[]) then ${maySignIn} end)`;

/** Joins people and their accounts to the users of a connection. */
const people = sql`
  left join users u on u.id = s.user_id
  left join employees e on e.user_id = u.id`;

/** True for a person whose records the connection may read: in its reach, and not deleted. */
const isShown = (connection: Pick<Connection, 'entity_ids'>) =>
  sql<boolean>`(${isReached(connection)} and e.activity_status <> 'inactive')`;

const selected = ({ connection }: Call) => sql`
  select s.id, s.user_id, s.user_name, s.external_id, s.is_active, s.sent, s.created_at, s.updated_at,
    ${signInSeen(connection)} as may_sign_in, ${isReached(connection)} as is_reached,
    ${isShown(connection)} as is_shown,
    exists (select from sign_in_blocks b where b.user_id = u.id and b.connection_id = s.connection_id) as is_blocked,
    u.email, u.locale, e.entity_id, coalesce(e.name, u.email) as name, e.first_name, e.last_name, e.job_title, e.phone,
    e.employee_number, d.name as department, c.name as company, m.name as manager,
    (select h.id from scim_users h where h.user_id = m.user_id and h.connection_id = s.connection_id) as manager_id
  from scim_users s ${people}
  left join departments d on d.id = e.department_id
  left join entities c on c.id = e.entity_id
  left join employees m on m.id = e.reporting_manager_id and ${isReached(connection, 'm')}`;

/** What HR's records say about an account. */
const fromRecords = (row: UserRow): Document =>
  compact({
    displayName: row.name,
    name: compact({ formatted: row.name, givenName: row.first_name, familyName: row.last_name }),
    title: row.job_title,
    preferredLanguage: row.locale,
    emails: [{ value: row.email, type: 'work', primary: true }],
    phoneNumbers: row.phone ? [{ value: row.phone, type: 'work' }] : [],
    [enterpriseSchema]: compact({
      employeeNumber: row.employee_number,
      organization: row.company,
      department: row.department,
      // the id of a manager whom the connection does not know would belong to another connection
      manager: row.manager_id ? compact({ value: row.manager_id, displayName: row.manager }) : null,
    }),
  });

/** What is known about a user beyond what the provider owns; nothing for a person out of reach. */
function detailsOf(row: UserRow): Document {
  if (row.user_id === null) return row.sent;
  return row.is_shown ? fromRecords(row) : {};
}

/** The attributes of a user as answers show them, and as the starting point of changes. */
export const documentOf = (row: UserRow): Document => ({
  userName: row.user_name,
  ...compact({ externalId: row.external_id }),
  // a person who left is shown as inactive, whatever the provider says
  ...compact({ active: row.user_id === null ? row.is_active : row.may_sign_in }),
  ...detailsOf(row),
});

/** A user as an answer. The version covers everything shown, because HR changes records too. */
export function userBody({ base }: Pick<Call, 'base'>, row: UserRow): Document {
  const document = documentOf(row);
  return {
    schemas: [userSchema, ...(enterpriseSchema in document ? [enterpriseSchema] : [])],
    id: row.id,
    ...document,
    meta: {
      resourceType: 'User',
      created: row.created_at,
      lastModified: row.updated_at,
      location: `${base}/Users/${row.id}`,
      version: `W/"${sha256Hex(JSON.stringify([document, row.updated_at])).slice(0, 16)}"`,
    },
  };
}

/** A user of the connection, locked for a change. Throws 404. */
export async function lockUser(call: Call, id: string): Promise<UserRow> {
  const { db, connection } = call;
  const { rows } = await sql<Pick<UserRow, 'user_id'>>`
    select user_id from scim_users where connection_id = ${connection.id} and id = ${id} for update`.execute(db);
  if (rows.length === 0) throw noSuch('user');
  return readUser(call, id);
}

/** A user of the connection. Throws 404, also for one of another connection. */
export async function readUser(call: Call, id: string): Promise<UserRow> {
  const { db, connection } = call;
  const { rows } = await sql<UserRow>`
    ${selected(call)} where s.connection_id = ${connection.id} and s.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw noSuch('user');
  return row;
}

const ofSent = (path: string) => sql`s.sent #>> ${sql.lit(path)}`;
const waits = sql`s.user_id is null`;

/** The attributes that filters may use: for people, those that answers show. */
export function userColumns(connection: Pick<Connection, 'entity_ids'>): Columns {
  const shown = isShown(connection);
  const address = sql`coalesce(case when ${shown} then u.email end, ${ofSent('{emails,0,value}')})`;
  return columns(userSchema, {
    id: { type: 'id', of: sql`s.id` },
    userName: { type: 'text', of: sql`s.user_name` },
    externalId: { type: 'text', of: sql`s.external_id`, caseExact: true },
    active: { type: 'boolean', of: sql`(case when ${waits} then s.is_active else ${signInSeen(connection)} end)` },
    displayName: { type: 'text', of: sql`coalesce(case when ${shown} then e.name end, ${ofSent('{displayName}')})` },
    'name.familyName': {
      type: 'text',
      of: sql`coalesce(case when ${shown} then e.last_name end, ${ofSent('{name,familyName}')})`,
    },
    'emails.type': { type: 'text', of: sql`'work'::text` },
    'emails.value': {
      type: 'text',
      of: address,
      // two conditions, each with an index
      equals: (value) => sql`(
      s.user_id = (select a.id from users a where a.email = ${foldEmail(value)}) and ${shown}
      or ${waits} and lower(${ofSent('{emails,0,value}')}) = lower(${value}))`,
    },
    emails: { type: 'text', of: address },
    'meta.lastModified': { type: 'time', of: sql`s.updated_at` },
  });
}

/** A page of a connection's users, by id, and their total. */
export async function listUsers(
  call: Call,
  { where, count, offset }: Page,
): Promise<{ rows: UserRow[]; total: number }> {
  const { db, connection } = call;
  const condition = sql`s.connection_id = ${connection.id} and ${where(userColumns(connection))}`;
  const { rows: totals } = await sql<{ total: number }>`
    select count(*) as total from scim_users s ${people} where ${condition}`.execute(db);
  const total = totals[0]?.total ?? 0;
  if (count === 0 || offset >= total) return { rows: [], total };
  const { rows } = await sql<UserRow>`
    ${selected(call)} where ${condition} order by s.id limit ${count} offset ${offset}`.execute(db);
  return { rows, total };
}
