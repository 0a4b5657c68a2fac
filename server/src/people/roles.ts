import type { Permission, Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity } from '../access/actor.ts';
import type { Actor, ManagedDepth, Reach, RoleScope } from '../access/actor.ts';
import { changingRights } from '../access/growth.ts';
import { everyRight, reachesEntities } from '../access/cover.ts';
import { endSessionsOf } from '../access/sessions.ts';
import { record } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { WriteCtx } from '../http/context.ts';
import { forbidden, invalidFields, say } from '../http/errors.ts';
import type { FieldErrors } from '../http/errors.ts';

/** A role as sent by a form. */
export type Assignment = { role_id: number; entity_ids?: number[] | null | undefined };

/** The account of a person that gets roles. */
export type Assignee = { id: number; user_id: number; entity_id: number; name: string };
/** The person for whom a role is judged. */
type Placed = Pick<Assignee, 'id' | 'entity_id'>;

export type Role = {
  id: number;
  name: string;
  scope: RoleScope;
  managed_depth: ManagedDepth;
  is_system: boolean;
  permissions: ReadonlySet<Permission>;
};
export type Given = { role: Role; entity_ids: number[] | null };

/** The refusal of roles and passwords for people without an account. */
export const noSignIn = text('employees.no_sign_in');

const isAdmin = ({ role }: Given) => role.is_system && role.name === 'Admin';
/** True when a role can be limited to companies. */
export const isLimitable = (role: Role) => role.scope !== 'own' && !(role.is_system && role.name === 'Admin');
/** The role of people without any other. */
export const isDefault = (role: Role) => role.is_system && role.name === 'Employee';

export async function loadRoles(db: Db): Promise<Role[]> {
  const { rows } = await sql<Omit<Role, 'permissions'> & { permissions: Permission[] }>`
    select r.id, r.name, r.scope, r.managed_depth, r.is_system,
           coalesce((select array_agg(p.permission) from role_permissions p where p.role_id = r.id), '{}') as permissions
    from roles r order by r.name`.execute(db);
  return rows.map((row) => ({ ...row, permissions: new Set(row.permissions) }));
}

/** Roles of an account, current or kept from before a return. */
export async function assignmentsIn(
  db: Db,
  table: 'role_assignments' | 'former_roles',
  userId: number,
  roles: readonly Role[],
): Promise<Given[]> {
  const { rows } = await sql<{ role_id: number; entity_ids: number[] | null }>`
    select role_id, entity_ids from ${sql.table(table)} where user_id = ${userId}`.execute(db);
  // the roles are sorted by name
  return roles.flatMap((role) => {
    const row = rows.find(({ role_id }) => role_id === role.id);
    return row ? [{ role, entity_ids: sorted(row.entity_ids) }] : [];
  });
}

export async function existingEntities(
  db: Db,
  wanted: readonly Pick<Assignment, 'entity_ids'>[],
): Promise<ReadonlySet<number>> {
  const ids = wanted.flatMap(({ entity_ids }) => entity_ids ?? []);
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('entities').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

const sorted = (ids: readonly number[] | null | undefined) => (ids ? [...new Set(ids)].sort((a, b) => a - b) : null);

/** Reads the sent roles; all wrong fields are reported together. */
async function readAssignments(db: Db, roles: readonly Role[], wanted: readonly Assignment[]): Promise<Given[]> {
  const errors: FieldErrors = {};
  const refuse = (field: string, message: Text) => (errors[field] = [say(field, message)]);
  const entities = await existingEntities(db, wanted);
  const given = wanted.map(({ role_id, entity_ids }, index) => {
    const role = roles.find(({ id }) => id === role_id);
    const [roleField, entityField] = [`assignments.${index}.role_id`, `assignments.${index}.entity_ids`];
    if (!role) refuse(roleField, messages.unavailable);
    if (wanted.filter((other) => other.role_id === role_id).length > 1) refuse(roleField, text('validation.duplicate'));
    if (entity_ids?.length === 0) refuse(entityField, text('validation.least_items', { least: 1 }));
    if (entity_ids?.some((id) => !entities.has(id))) refuse(entityField, messages.unavailable);
    if (role && !isLimitable(role) && entity_ids) refuse(entityField, text('validation.prohibited'));
    return { role: role as Role, entity_ids: sorted(entity_ids) };
  });
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return given;
}

function covers(reach: Reach, scope: RoleScope, entityIds: readonly number[] | null, person: Placed): boolean {
  // managed people change daily, so a role for them is judged by its companies
  if (reach.everything || scope !== 'own') return reachesEntities(reach, entityIds);
  const { managed, managed_entity_ids } = reach;
  return (
    reachesEntity(reach, person.entity_id) ||
    (managed && (managed_entity_ids === null || managed_entity_ids.includes(person.entity_id)))
  );
}

/** True when the actor has all rights that the role would give the person. */
export const liesWithin = (actor: Actor, { role, entity_ids }: Given, person: Placed): boolean =>
  everyRight(actor, role, ({ reach, scope }) => covers(reach, scope, entity_ids, person));

/** True when the actor can give or remove the role: Admin needs an Admin, other roles lie within the actor's own. */
export const mayGive = (actor: Actor, given: Given, person: Placed): boolean =>
  isAdmin(given) ? actor.is_admin : liesWithin(actor, given, person);

const key = ({ role, entity_ids }: Given) => `${role.id}:${entity_ids?.join(',') ?? ''}`;

/** Assignments of `these` that are not equally among `those`. */
function difference(these: readonly Given[], those: readonly Given[]): Given[] {
  const known = new Set(those.map(key));
  return these.filter((one) => !known.has(key(one)));
}

async function store(db: Db, userId: number, taken: readonly Given[], given: readonly Given[]): Promise<void> {
  const kept = new Set(given.map(({ role }) => role.id));
  const gone = taken.map(({ role }) => role.id).filter((id) => !kept.has(id));
  if (gone.length > 0)
    await db.deleteFrom('role_assignments').where('user_id', '=', userId).where('role_id', 'in', gone).execute();
  if (given.length > 0)
    await db
      .insertInto('role_assignments')
      .values(given.map(({ role, entity_ids }) => ({ user_id: userId, role_id: role.id, entity_ids })))
      .onConflict((oc) =>
        oc.columns(['user_id', 'role_id']).doUpdateSet((eb) => ({ entity_ids: eb.ref('excluded.entity_ids') })),
      )
      .execute();
}

const auditedRoles = (all: readonly Given[]) =>
  all.map(({ role, entity_ids }) => ({ role: role.name, entity_ids })).sort((a, b) => (a.role < b.role ? -1 : 1));

/**
 * Replaces the roles of a person by `assignments`; none means Employee. Each added or removed role must lie within the
 * permissions and scope of the actor (403), Admin needs an Admin. An account that loses Admin loses all sessions.
 * Returns whether anything changed.
 */
export async function assignRoles(
  ctx: WriteCtx,
  person: Assignee,
  assignments: readonly Assignment[],
): Promise<boolean> {
  const { db, actor, request } = ctx;
  // of two concurrent changes the second sees the first
  await sql`select 1 from users where id = ${person.user_id} for update`.execute(db);
  const roles = await loadRoles(db);
  const held = await assignmentsIn(db, 'role_assignments', person.user_id, roles);
  const wanted = await readAssignments(db, roles, assignments);
  const fallback = roles.filter(isDefault).map((role) => ({ role, entity_ids: null }));
  const target = wanted.length > 0 ? wanted : fallback;
  const [given, taken] = [difference(target, held), difference(held, target)];
  if (given.length + taken.length === 0) return false;
  // the default role of an empty set is not the actor's choice
  const judged = [...(wanted.length > 0 ? given : []), ...taken];
  if (judged.some((one) => !mayGive(actor, one, person))) throw forbidden();
  await changingRights(db, [person.user_id], () => store(db, person.user_id, taken, given));
  if (held.some(isAdmin) && !target.some(isAdmin)) await endSessionsOf(db, [person.user_id], 'lost the Admin role');
  await record(
    { db, actor, request },
    {
      action: 'employee.roles_changed',
      subject_id: person.id,
      subject_label: person.name,
      entity_id: person.entity_id,
      changes: { roles: { from: auditedRoles(held), to: auditedRoles(target) } },
    },
  );
  return true;
}
