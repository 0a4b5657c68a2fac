import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { groupSchema } from './attributes.ts';
import type { Call } from './connection.ts';
import { compact } from './documents.ts';
import { columns } from './filter-sql.ts';
import type { Columns } from './filter-sql.ts';
import type { Document } from './patch.ts';
import { noSuch } from './problem.ts';
import type { Page } from './query.ts';

export type GroupRow = {
  id: string;
  display_name: string;
  external_id: string | null;
  revision: number;
  created_at: string;
  updated_at: string;
  /** A member without a name is not a user of the connection, or no longer one. */
  members: { id: string; name: string | null }[] | null;
};

const membersOf = sql`(
  select coalesce(json_agg(json_build_object('id', m.value, 'name', s.user_name) order by m.value), '[]'::json)
  from scim_members m
  left join scim_users s on s.id = m.scim_user_id and s.connection_id = g.connection_id
  where m.group_id = g.id)`;

const selected = (withMembers: boolean) => sql`
  select g.id, g.display_name, g.external_id, g.revision, g.created_at, g.updated_at,
    ${withMembers ? membersOf : sql`null::json`} as members
  from scim_groups g`;

/** The attributes of a group, except its members. */
export const documentOf = (row: GroupRow): Document =>
  compact({ displayName: row.display_name, externalId: row.external_id });

/** A group as an answer. */
export function groupBody({ base }: Pick<Call, 'base'>, row: GroupRow): Document {
  const members = row.members?.map(({ id, name }) => ({
    value: id,
    ...(name !== null && { display: name, type: 'User', $ref: `${base}/Users/${id}` }),
  }));
  return {
    schemas: [groupSchema],
    id: row.id,
    ...documentOf(row),
    ...(members && { members }),
    meta: {
      resourceType: 'Group',
      created: row.created_at,
      lastModified: row.updated_at,
      location: `${base}/Groups/${row.id}`,
      version: `W/"${row.revision}"`,
    },
  };
}

/** A group of the connection. Throws 404, also for one of another connection. */
export async function readGroup({ db, connection }: Call, id: string, withMembers = true): Promise<GroupRow> {
  const { rows } = await sql<GroupRow>`
    ${selected(withMembers)} where g.connection_id = ${connection.id} and g.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw noSuch('group');
  return row;
}

/** A group of the connection, locked for a change; without its members, who may number thousands. Throws 404. */
export async function lockGroup(call: Call, id: string): Promise<GroupRow> {
  const { db, connection } = call;
  const { rows } = await sql`
    select from scim_groups where connection_id = ${connection.id} and id = ${id} for update`.execute(db);
  if (rows.length === 0) throw noSuch('group');
  return readGroup(call, id, false);
}

const manyMembers = 200;

/** Whether a group has so many members that answers leave them out. */
export async function isLarge({ db }: Pick<Call, 'db'>, { id }: Pick<GroupRow, 'id'>): Promise<boolean> {
  const { rows } = await sql`select from scim_members where group_id = ${id} offset ${manyMembers} limit 1`.execute(db);
  return rows.length > 0;
}

/** The attributes that filters may use. */
const groupColumns: Columns = columns(groupSchema, {
  id: { type: 'id', of: sql`g.id` },
  displayName: { type: 'text', of: sql`g.display_name` },
  externalId: { type: 'text', of: sql`g.external_id`, caseExact: true },
  'meta.lastModified': { type: 'time', of: sql`g.updated_at` },
  'members.value': {
    type: 'text',
    caseExact: true,
    // any member matches
    of: sql`(select string_agg(m.value, ' ') from scim_members m where m.group_id = g.id)`,
    equals: (value) => sql`exists (
      select from scim_members m where m.group_id = g.id and m.value = ${value})`,
  },
});

/** Most members in a page of groups: it ends before the group that would exceed them, unless that is its first one. */
const maxMembers = 20_000;

/** The groups of a page that fit in it with their members. */
const withRoom = (page: RawBuilder<unknown>) => sql`
  select id from (
    select p.id, row_number() over (order by p.id) as place, sum(n.members) over (order by p.id) as members
    from (${page}) as p cross join lateral (
      select count(*) as members from (
        select from scim_members m where m.group_id = p.id limit ${maxMembers + 1}) as counted) as n) as sized
  where place = 1 or members <= ${maxMembers}`;

/** A page of a connection's groups, by id, and their total. With members it may be shorter than requested. */
export async function listGroups(
  { db, connection }: Call,
  { where, count, offset }: Page,
  withMembers: boolean,
): Promise<{ rows: GroupRow[]; total: number }> {
  const condition = sql`g.connection_id = ${connection.id} and ${where(groupColumns)}`;
  const { rows: totals } = await sql<{ total: number }>`
    select count(*) as total from scim_groups g where ${condition}`.execute(db);
  const total = totals[0]?.total ?? 0;
  if (count === 0 || offset >= total) return { rows: [], total };
  const page = sql`select g.id from scim_groups g where ${condition} order by g.id limit ${count} offset ${offset}`;
  const { rows } = await sql<GroupRow>`
    ${selected(withMembers)} where g.id in (${withMembers ? withRoom(page) : page}) order by g.id`.execute(db);
  return { rows, total };
}
