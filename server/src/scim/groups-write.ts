import { sql } from 'kysely';
import { record } from '../audit.ts';
import { groups } from './attributes.ts';
import type { Call } from './connection.ts';
import type { Filter } from './filter.ts';
import { isUuid } from './filter-sql.ts';
import { documentOf, readGroup } from './groups-read.ts';
import type { GroupRow } from './groups-read.ts';
import { readPatch, readResource } from './operations.ts';
import type { Changes, Operation } from './operations.ts';
import { applyAll } from './patch.ts';
import { badFilter, badPath, badValue, ScimProblem, taken } from './problem.ts';
import { reconcileGroupRoles, usersIn } from './roles.ts';
import type { Complex } from './values.ts';

/** The result of operations for a group's members, however many they are. */
type MemberChange = { isReplaced: boolean; added: Set<string>; removed: Set<string> };

/** The number of members added or removed, and which of them are users. */
type Moved = { count: number; moved: string[] };
const none: Moved = { count: 0, moved: [] };

const idsIn = (value: unknown): string[] =>
  ((value ?? []) as Complex[]).map(({ value: id }) => {
    if (typeof id !== 'string') throw badValue('A member has the id of a user as its value.');
    return id;
  });

/** The ids in a filter of members. */
function idsOf(filter: Filter): string[] {
  if ('filters' in filter && filter.op === 'or') return filter.filters.flatMap(idsOf);
  const isValue = 'attrPath' in filter && filter.attrPath.toLowerCase() === 'value';
  if (!isValue || filter.op !== 'eq' || !('compValue' in filter) || typeof filter.compValue !== 'string')
    throw badFilter('Members are chosen by value eq "<id>".');
  return [filter.compValue];
}

function remove(change: MemberChange, { path: { filter }, value }: Operation) {
  // a removal with values, even with an empty list, applies to these alone: only one without any empties the group
  if (!filter && value === undefined) {
    change.isReplaced = true;
    change.added.clear();
    return;
  }
  for (const id of filter ? idsOf(filter) : idsIn(value)) {
    change.added.delete(id);
    change.removed.add(id);
  }
}

/** The result of the operations for the members. Throws 400. */
function memberChangeOf(operations: readonly Operation[]): MemberChange {
  const change: MemberChange = { isReplaced: false, added: new Set(), removed: new Set() };
  for (const operation of operations) {
    const { op, path, value } = operation;
    if (path.sub) throw badPath('A member is added or removed as a whole.');
    if (op === 'remove') {
      remove(change, operation);
      continue;
    }
    if (path.filter) throw badPath('A member is added without a filter.');
    if (op === 'replace') {
      change.isReplaced = true;
      change.added.clear();
      change.removed.clear();
    }
    for (const id of idsIn(value)) {
      change.added.add(id);
      change.removed.delete(id);
    }
  }
  return change;
}

/** Adds members, and notes if the connection does not know some of them. Returns the new ones. */
async function addMembers({ db, connection, note }: Call, groupId: string, ids: readonly string[]): Promise<Moved> {
  if (ids.length === 0) return none;
  const uuids = ids.filter(isUuid);
  const { rows } = await sql<{ known: number; moved: string[]; count: number }>`
    with added as (
      insert into scim_members (group_id, value, scim_user_id)
      select ${groupId}::uuid, id, case when id = any(${uuids}::text[]) then id::uuid end from unnest(${ids}::text[]) as id
      on conflict do nothing returning scim_user_id)
    select (select count(*) from added) as count,
      array(select scim_user_id from added where scim_user_id is not null) as moved,
      (select count(*) from scim_users where connection_id = ${connection.id} and id = any(${uuids}::uuid[])) as known`.execute(
    db,
  );
  const [{ known, ...moved }] = rows as [{ known: number } & Moved];
  if (known < ids.length) note.ignored.push('members.value');
  return moved;
}

async function removeMembers({ db }: Call, groupId: string, change: MemberChange): Promise<Moved> {
  const { isReplaced, added, removed } = change;
  if (!isReplaced && removed.size === 0) return none;
  const ids = [...(isReplaced ? added : removed)];
  const { rows } = await sql<{ id: string | null }>`
    delete from scim_members where group_id = ${groupId}
      and (value = any(${ids}::text[])) = ${!isReplaced} returning scim_user_id as id`.execute(db);
  return { count: rows.length, moved: rows.flatMap(({ id }) => id ?? []) };
}

async function changeMembers(call: Call, groupId: string, operations: readonly Operation[]) {
  const change = memberChangeOf(operations);
  const removed = await removeMembers(call, groupId, change);
  const added = await addMembers(call, groupId, [...change.added]);
  return { removed: removed.count, added: added.count, moved: [...removed.moved, ...added.moved] };
}

/** Operations on members, and all others. */
const isOfMembers = ({ path: { attribute } }: Operation) => attribute.name === 'members';
const partsOf = ({ operations }: Changes) => ({
  members: operations.filter(isOfMembers),
  others: operations.filter((one) => !isOfMembers(one)),
});

async function refuseTaken({ db, connection }: Call, externalId: string | null, id: string | null): Promise<void> {
  const { rows } = await sql`
    select from scim_groups where connection_id = ${connection.id} and external_id = ${externalId}
      and id is distinct from ${id}::uuid`.execute(db);
  if (rows.length > 0) throw taken('externalId');
}

const maxGroups = 10_000;

/** Creates a group. Throws 400 and 409. */
export async function createGroup(call: Call, body: unknown): Promise<GroupRow> {
  const { db, connection, acting, note } = call;
  const changes = readResource(groups, body);
  note.ignored = changes.ignored.slice(0, 50);
  const { members, others } = partsOf(changes);
  const { displayName, externalId = null } = applyAll({}, others) as { displayName?: string; externalId?: string };
  if (displayName === undefined) throw badValue('displayName is required.');
  await refuseTaken(call, externalId, null);
  const { rows } = await sql<{ id: string }>`
    insert into scim_groups (connection_id, display_name, external_id)
    select ${connection.id}::bigint, ${displayName}::text, ${externalId}::text
    where (select count(*) from scim_groups where connection_id = ${connection.id}) < ${maxGroups}
    returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new ScimProblem(400, `A connection has at most ${maxGroups} groups.`, 'tooMany');
  note.target = row.id;
  note.effect = 'updated';
  const { added, moved } = await changeMembers(call, row.id, members);
  await record(acting, {
    action: 'scim_group.created',
    subject_label: displayName,
    changes: added > 0 ? { members_added: { from: null, to: added } } : {},
  });
  await reconcileGroupRoles(call, moved);
  return readGroup(call, row.id);
}

async function change(call: Call, row: GroupRow, changes: Changes): Promise<GroupRow> {
  const { db, acting, note } = call;
  note.ignored = changes.ignored.slice(0, 50);
  const { members, others } = partsOf(changes);
  const after = applyAll(documentOf(row), others) as { displayName?: string; externalId?: string };
  // a replacement without a name keeps it
  const display_name = after.displayName ?? row.display_name;
  const external_id = after.externalId ?? null;
  await refuseTaken(call, external_id, row.id);
  const { added, removed, moved } = await changeMembers(call, row.id, members);
  const count = added + removed;
  const isRenamed = display_name !== row.display_name;
  note.changed = [
    ...(isRenamed ? ['displayName'] : []),
    ...(external_id === row.external_id ? [] : ['externalId']),
    ...(count > 0 ? ['members'] : []),
  ];
  note.effect = note.changed.length > 0 ? 'updated' : 'unchanged';
  if (note.changed.length === 0) return row;
  // even if only members changed, because a group's version includes its members
  await sql`
    update scim_groups set display_name = ${display_name}, external_id = ${external_id}, revision = revision + 1
    where id = ${row.id}`.execute(db);
  await record(acting, {
    action: 'scim_group.updated',
    subject_label: display_name,
    changes: {
      ...(isRenamed && { name: { from: row.display_name, to: display_name } }),
      ...(added > 0 && { members_added: { from: null, to: added } }),
      ...(removed > 0 && { members_removed: { from: null, to: removed } }),
    },
  });
  // rules refer to groups by their displayName
  await reconcileGroupRoles(call, isRenamed ? [...moved, ...(await usersIn(call, row.id))] : moved);
  return readGroup(call, row.id, false);
}

/** Changes a locked group by a PATCH. The answer leaves out members, who may number thousands. */
export const patchGroup = (call: Call, row: GroupRow, body: unknown): Promise<GroupRow> =>
  change(call, row, readPatch(groups, body, row.id));

/** Changes a locked group by a PUT. Attributes that it leaves out stay. */
export const putGroup = (call: Call, row: GroupRow, body: unknown): Promise<GroupRow> =>
  change(call, row, readResource(groups, body, row.id));

/** Removes a group; its members stay. */
export async function deleteGroup(call: Call, row: GroupRow): Promise<void> {
  const { db, acting, note } = call;
  const members = await usersIn(call, row.id);
  await sql`delete from scim_groups where id = ${row.id}`.execute(db);
  note.effect = 'removed';
  await record(acting, { action: 'scim_group.deleted', subject_label: row.display_name });
  await reconcileGroupRoles(call, members);
}
