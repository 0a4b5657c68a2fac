import { sql } from 'kysely';
import { record } from '../audit.ts';
import { notifyUsersWaiting } from '../notifications/people-waiting.ts';
import { enterpriseSchema, users } from './attributes.ts';
import type { Attribute } from './attributes.ts';
import { applySignIn } from './blocks.ts';
import type { Call } from './connection.ts';
import { compact } from './documents.ts';
import { findMatch } from './match.ts';
import type { Match } from './match.ts';
import { readPatch, readResource } from './operations.ts';
import type { Changes } from './operations.ts';
import { applyAll } from './patch.ts';
import type { Document } from './patch.ts';
import { badValue, ScimProblem, taken } from './problem.ts';
import { reconcileGroupRoles } from './roles.ts';
import { documentOf, readUser } from './users-read.ts';
import type { UserRow } from './users-read.ts';
import type { Complex } from './values.ts';

/** The attributes of a user that the provider owns. */
type Owned = { user_name: string; external_id: string | null; is_active: boolean };

const byName: Readonly<Record<string, keyof Owned>> = {
  userName: 'user_name',
  externalId: 'external_id',
  active: 'is_active',
};
const ownedName = ({ name }: Attribute) => byName[name];

const maxElements = 5;
const few = (document: Document, name: string) => ((document[name] ?? []) as Complex[]).slice(0, maxElements);

/** What is stored of an unmatched user, so that HR recognises the person. */
const sentOf = (document: Document): Document => {
  const { displayName, name, title, [enterpriseSchema]: enterprise } = document;
  const { employeeNumber, organization, division, department } = (enterprise ?? {}) as Complex;
  return compact({
    displayName,
    name,
    title,
    emails: few(document, 'emails'),
    [enterpriseSchema]: compact({ employeeNumber, organization, division, department }),
  });
};

/** Notes the names that a request cannot change: unknown ones, and those that HR owns. */
function noteNames({ note }: Call, { operations, ignored }: Changes) {
  const names = operations.map(({ path: { attribute } }) => attribute).filter((one) => !ownedName(one));
  note.ignored = [...new Set([...ignored, ...names.map(({ name }) => name)])].slice(0, 50);
}

/** Refuses names that another user of the connection has. */
async function refuseTaken({ db, connection }: Call, owned: Owned, id: string | null): Promise<void> {
  const { rows } = await sql<{ is_name: boolean }>`
    select lower(user_name) = lower(${owned.user_name}) as is_name from scim_users
    where connection_id = ${connection.id} and id is distinct from ${id}::uuid
      and (lower(user_name) = lower(${owned.user_name}) or external_id = ${owned.external_id}) limit 1`.execute(db);
  const [other] = rows;
  if (other) throw taken(other.is_name ? 'userName' : 'externalId');
}

/** Records that a user was matched with an account. The account itself stays unchanged. */
async function noteAdopted({ acting, note }: Call, match: Match): Promise<void> {
  note.effect = 'adopted';
  note.user_id = match.user_id;
  await record(acting, {
    action: 'scim_user.linked',
    subject_id: match.user_id,
    subject_label: match.name,
    entity_id: match.entity_id,
    changes: { linked_by: { from: null, to: 'rule' } },
  });
}

/** Links an unmatched user to its account. */
async function adopt(call: Call, id: string, match: Match): Promise<void> {
  const { user_id, linked_by, linked_by_id } = match;
  await sql`
    update scim_users set user_id = ${user_id}, linked_by = ${linked_by}, linked_by_id = ${linked_by_id}, sent = '{}',
      dismissed_at = null
    where id = ${id}`.execute(call.db);
  await noteAdopted(call, match);
  await reconcileGroupRoles(call, [id]);
}

const maxWaiting = 10_000;

/** Adds the row of a user, with or without an account. Throws 400 if too many have none. */
async function insertUser({ db, connection }: Call, owned: Owned, document: Document, match: Match | undefined) {
  const userId = match?.user_id ?? null;
  const { rows } = await sql<{ id: string }>`
    insert into scim_users (connection_id, user_id, linked_by, linked_by_id, user_name, external_id, is_active, sent)
    select ${connection.id}::bigint, ${userId}::bigint, ${match?.linked_by ?? null}::text,
      ${match?.linked_by_id ?? null}::bigint, ${owned.user_name}::text, ${owned.external_id}::text,
      ${owned.is_active}::boolean, ${JSON.stringify(match ? {} : sentOf(document))}::jsonb
    where ${userId}::bigint is not null or (
      select count(*) from scim_users where connection_id = ${connection.id} and user_id is null) < ${maxWaiting}
    returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new ScimProblem(400, `A connection has at most ${maxWaiting} users without an account.`, 'tooMany');
  return row.id;
}

/** Creates a user, matched with an account or unmatched until HR links one. Throws 400 and 409. */
export async function createUser(call: Call, body: unknown): Promise<UserRow> {
  const { connection, note } = call;
  const changes = readResource(users, body);
  noteNames(call, changes);
  const document = applyAll({}, changes.operations);
  const { userName: user_name, externalId: external_id = null, active = true } = document;
  if (typeof user_name !== 'string') throw badValue('userName is required.');
  const owned = { user_name, external_id, is_active: active } as Owned;
  await refuseTaken(call, owned, null);
  const match = await findMatch(call, document);
  if (!match && connection.unmatched === 'refuse')
    throw new ScimProblem(400, 'No account in reach of this connection belongs to this user.', 'invalidValue');
  const id = await insertUser(call, owned, document, match);
  note.target = id;
  note.effect = 'staged';
  if (!match) {
    await notifyUsersWaiting(call.db, connection);
    return readUser(call, id);
  }
  // a newly created user has no groups yet
  await noteAdopted(call, match);
  await applySignIn(call, { ...match, is_reached: true }, owned.is_active);
  return readUser(call, id);
}

/** The provider's attributes after a request. Attributes that it does not name stay, and a name is never removed. */
function ownedAfter(row: UserRow, { operations }: Changes, after: Document): Owned {
  const named = new Set(operations.map(({ path: { attribute } }) => ownedName(attribute)));
  const { userName, externalId = null, active } = after;
  return {
    user_name: named.has('user_name') && typeof userName === 'string' ? userName : row.user_name,
    external_id: named.has('external_id') ? (externalId as string | null) : row.external_id,
    is_active: named.has('is_active') && typeof active === 'boolean' ? active : row.is_active,
  };
}

/** The account of an unmatched user, found now because HR or the provider knows more. */
const matchLater = (call: Call, row: UserRow, after: Document): Promise<Match | undefined> | undefined =>
  row.user_id === null ? findMatch(call, after) : undefined;

/** Changes a locked user. */
async function change(call: Call, row: UserRow, changes: Changes): Promise<UserRow> {
  const { db, note } = call;
  noteNames(call, changes);
  const after = applyAll(documentOf(row), changes.operations);
  const owned = ownedAfter(row, changes, after);
  await refuseTaken(call, owned, row.id);
  const sent = row.user_id === null ? sentOf(after) : {};
  await sql`
    update scim_users set user_name = ${owned.user_name}, external_id = ${owned.external_id},
      is_active = ${owned.is_active}, sent = ${JSON.stringify(sent)} where id = ${row.id}`.execute(db);
  note.changed = Object.entries(byName)
    .filter(([, column]) => owned[column] !== row[column])
    .map(([name]) => name);
  note.effect = note.changed.length > 0 ? 'updated' : 'unchanged';
  const match = await matchLater(call, row, { ...after, externalId: owned.external_id ?? undefined });
  if (match) await adopt(call, row.id, match);
  const isSaid = changes.operations.some(({ path: { attribute } }) => ownedName(attribute) === 'is_active');
  if (match ?? isSaid) await applySignIn(call, match ? { ...match, is_reached: true } : row, owned.is_active);
  return readUser(call, row.id);
}

/** Changes a user by a PATCH. */
export const patchUser = (call: Call, row: UserRow, body: unknown): Promise<UserRow> =>
  change(call, row, readPatch(users, body, row.id));

/** Changes a user by a PUT. Attributes that it leaves out stay. */
export const putUser = (call: Call, row: UserRow, body: unknown): Promise<UserRow> =>
  change(call, row, readResource(users, body, row.id));

/** Removes a user: the account is deactivated but stays, as does the person. */
export async function deleteUser(call: Call, row: UserRow): Promise<void> {
  const { db, connection, acting, note } = call;
  await applySignIn(call, row, false);
  // without a member, a group has a new version
  await sql`
    with gone as (delete from scim_members where scim_user_id = ${row.id} returning group_id)
    update scim_groups g set revision = revision + 1 from gone where g.id = gone.group_id and g.connection_id = ${connection.id}`.execute(
    db,
  );
  // before the database deletes the roles with the row, which would leave no audit entry
  await reconcileGroupRoles(call, [row.id]);
  await sql`delete from scim_users where id = ${row.id}`.execute(db);
  note.effect = note.effect === 'sign_in_blocked' ? note.effect : 'removed';
  await record(acting, {
    action: 'scim_user.deleted',
    subject_id: row.user_id,
    subject_label: row.name ?? row.user_name,
    entity_id: row.entity_id,
  });
}
