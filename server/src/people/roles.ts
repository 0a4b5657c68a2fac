import type { Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { endPasswordLinks } from '../access/account-links.ts';
import type { InDepartments } from '../access/actor.ts';
import { isAdmin, loadRoles, mayGive } from '../access/given-roles.ts';
import type { Given, Role } from '../access/given-roles.ts';
import { changingRights } from '../access/growth.ts';
import { departmentsOfAssignment } from '../access/in-departments.ts';
import { endSessionsOf } from '../access/sessions.ts';
import { record } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { WriteCtx } from '../http/context.ts';
import { forbidden, invalidFields, say } from '../http/errors.ts';
import { roleName } from '../languages/role-name.ts';
import type { FieldErrors } from '../http/errors.ts';

/** A role as a form sends it. */
export type Assignment = {
  role_id: number;
  entity_ids?: number[] | null | undefined;
  department_ids?: number[] | null | undefined;
};

/** A person with an account, whose roles are assigned. */
export type Assignee = { id: number; user_id: number; entity_id: number; department_id?: number; name: string };

/** The refusal of roles and passwords for people without an account. */
export const noSignIn = text('employees.no_sign_in');

/** True when a role can be limited to companies. */
export const isLimitable = (role: Role) => role.scope !== 'own' && !(role.is_system && role.name === 'Admin');
/** True when a role can be limited to departments: roles for managed people reach the managed ones anyway. */
export const isLimitableToDepartments = (role: Role) => isLimitable(role) && role.scope === 'all';
/** The role of people who have no other. */
export const isDefault = (role: Role) => role.is_system && role.name === 'Employee';

/** Roles of an account, current or kept from before a return. */
export async function assignmentsIn(
  db: Db,
  table: 'role_assignments' | 'former_roles',
  userId: number,
  roles: readonly Role[],
): Promise<Given[]> {
  const provider =
    table === 'role_assignments'
      ? sql`(select p.name from identity_providers p where p.id = a.provider_id
             union all select c.name from scim_connections c where c.id = a.scim_connection_id)`
      : sql`null`;
  const { rows } = await sql<
    Pick<Given, 'entity_ids' | 'in_departments'> & { role_id: number; provider: string | null }
  >`
    select a.role_id, a.entity_ids, ${departmentsOfAssignment} as in_departments, ${provider}::text as provider
    from ${sql.table(table)} a where a.user_id = ${userId}`.execute(db);
  // the roles are sorted by name
  return roles.flatMap((role) => {
    const row = rows.find(({ role_id }) => role_id === role.id);
    if (!row) return [];
    const { entity_ids, in_departments, provider: from } = row;
    return [{ role, entity_ids: sorted(entity_ids), in_departments: in_departments ?? null, provider: from }];
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

/** The departments with these ids and their companies, locked against deletion until the end of the transaction. */
async function existingDepartments(db: Db, wanted: readonly Assignment[]): Promise<InDepartments['named']> {
  const ids = wanted.flatMap(({ department_ids }) => department_ids ?? []);
  if (ids.length === 0) return [];
  return db
    .selectFrom('departments')
    .select(['id', 'entity_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
}

/** The limits as stored: if departments of a company are named, the company counts as limited to these. */
function limitsOf({ entity_ids, department_ids }: Assignment, known: InDepartments['named']): Omit<Given, 'role'> {
  const named = known.filter(({ id }) => department_ids?.includes(id));
  if (named.length === 0) return { entity_ids: sorted(entity_ids), in_departments: null };
  const whole = (entity_ids ?? []).filter((id) => named.every(({ entity_id }) => entity_id !== id));
  return { entity_ids: sorted(whole), in_departments: { named, below: [] } };
}

/** The field of a list of roles in a request, and what must differ among its entries. */
type Listed<A extends Assignment> = { field: string; keyOf: (one: A) => string };

type Known = { entities: ReadonlySet<number>; departments: InDepartments['named']; isRepeated: boolean };

/** The wrong fields of one sent role; a later rule replaces the message of an earlier one. */
function wrongFields(one: Assignment, role: Role | undefined, { entities, departments, isRepeated }: Known) {
  const { entity_ids, department_ids } = one;
  const wrong: { [K in keyof Assignment]?: Text } = {};
  if (!role) wrong.role_id = messages.unavailable;
  if (isRepeated) wrong.role_id = text('validation.duplicate');
  if (entity_ids?.length === 0 && !department_ids?.length)
    wrong.entity_ids = text('validation.least_items', { least: 1 });
  if (entity_ids === undefined && department_ids?.length === 0)
    wrong.department_ids = text('validation.least_items', { least: 1 });
  if (entity_ids?.some((id) => !entities.has(id))) wrong.entity_ids = messages.unavailable;
  if (role && !isLimitable(role) && entity_ids) wrong.entity_ids = text('validation.prohibited');
  if (department_ids?.some((id) => departments.every((known) => known.id !== id)))
    wrong.department_ids = messages.unavailable;
  if (role && !isLimitableToDepartments(role) && department_ids?.length)
    wrong.department_ids = text('validation.prohibited');
  return wrong;
}

/** Reads the sent roles; all wrong fields are reported together. */
export async function readGiven<A extends Assignment>(
  db: Db,
  roles: readonly Role[],
  wanted: readonly A[],
  { field, keyOf }: Listed<A>,
): Promise<Given[]> {
  const errors: FieldErrors = {};
  const known = { entities: await existingEntities(db, wanted), departments: await existingDepartments(db, wanted) };
  const times = Map.groupBy(wanted, keyOf);
  const given = wanted.map((one, index) => {
    const role = roles.find(({ id }) => id === one.role_id);
    const isRepeated = (times.get(keyOf(one)) ?? []).length > 1;
    for (const [name, message] of Object.entries(wrongFields(one, role, { ...known, isRepeated }))) {
      const path = `${field}.${index}.${name}`;
      errors[path] = [say(path, message)];
    }
    return { role: role as Role, ...limitsOf(one, known.departments) };
  });
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return given;
}

/** The ids of the departments in a limit; null without any. */
export const departmentIdsOf = ({ in_departments }: Pick<Given, 'in_departments'>): number[] | null =>
  in_departments ? in_departments.named.map(({ id }) => id) : null;

const key = (given: Given) =>
  `${given.role.id}:${given.entity_ids?.join(',') ?? 'all'}:${departmentIdsOf(given)?.join(',') ?? ''}`;

/** Assignments in `these` without an equal one in `those`. */
export function difference(these: readonly Given[], those: readonly Given[]): Given[] {
  const known = new Set(those.map(key));
  return these.filter((one) => !known.has(key(one)));
}

/** Writes the roles of an account. */
export async function storeAssignments(
  db: Db,
  userId: number,
  taken: readonly Given[],
  given: readonly Given[],
): Promise<void> {
  const kept = new Set(given.map(({ role }) => role.id));
  const gone = taken.map(({ role }) => role.id).filter((id) => !kept.has(id));
  if (gone.length > 0)
    await db.deleteFrom('role_assignments').where('user_id', '=', userId).where('role_id', 'in', gone).execute();
  if (given.length > 0)
    await db
      .insertInto('role_assignments')
      .values(
        given.map((one) => ({
          user_id: userId,
          role_id: one.role.id,
          entity_ids: one.entity_ids,
          department_ids: departmentIdsOf(one),
        })),
      )
      .onConflict((oc) =>
        oc.columns(['user_id', 'role_id']).doUpdateSet((eb) => ({
          entity_ids: eb.ref('excluded.entity_ids'),
          department_ids: eb.ref('excluded.department_ids'),
          // whatever assigned it before
          source: 'manual',
          provider_id: null,
          scim_connection_id: null,
        })),
      )
      .execute();
}

/** A role with its limits, in the form of an audit entry. */
export function auditedRole(given: Given) {
  const department_ids = departmentIdsOf(given);
  return { role: given.role.name, entity_ids: given.entity_ids, ...(department_ids && { department_ids }) };
}
/** Roles in a stable order. */
export const auditedRoles = (all: readonly Given[]) => all.map(auditedRole).sort((a, b) => (a.role < b.role ? -1 : 1));

/** Refuses to remove a role that a provider's rule would give again. */
function refuseTaken(held: readonly Given[], target: readonly Given[]): void {
  const kept = new Set(target.map(({ role }) => role.id));
  const [taken] = held.filter(({ role, provider }) => provider && !kept.has(role.id));
  if (!taken) return;
  const { provider, role } = taken;
  throw invalidFields({
    assignments: [text('employees.role_of_provider', { role: roleName(role.name), provider: provider ?? '' })],
  });
}

/** Reads the roles sent for an account, each once. */
export const readAssignments = (db: Db, roles: readonly Role[], assignments: readonly Assignment[]): Promise<Given[]> =>
  readGiven(db, roles, assignments, { field: 'assignments', keyOf: ({ role_id }) => String(role_id) });

/**
 * Replaces a person's roles with `assignments`; none means Employee. Each added or removed role must lie within the
 * actor's permissions and scope (403), and Admin requires an Admin. An account that loses Admin loses all sessions. A
 * provider's role remains one while it is sent unchanged; with other limits, it counts as assigned by hand. Returns
 * whether anything changed.
 */
export async function assignRoles(
  ctx: WriteCtx,
  person: Assignee,
  assignments: readonly Assignment[],
): Promise<boolean> {
  const { db, actor, request } = ctx;
  const roles = await loadRoles(db);
  // departments are locked before accounts
  const wanted = await readAssignments(db, roles, assignments);
  // of two concurrent changes, the second sees the result of the first
  await sql`select 1 from users where id = ${person.user_id} for update`.execute(db);
  const held = await assignmentsIn(db, 'role_assignments', person.user_id, roles);
  const fallback = roles.filter(isDefault).map((role) => ({ role, entity_ids: null }));
  // a provider's role may end any day, so it must not be the only one
  const byHand = difference(
    wanted,
    held.filter(({ provider }) => provider),
  );
  const target = byHand.length > 0 ? wanted : [...wanted, ...fallback];
  refuseTaken(held, target);
  const [given, taken] = [difference(target, held), difference(held, target)];
  if (given.length + taken.length === 0) return false;
  // the default role for an empty list is not the actor's choice
  const checked = [...(wanted.length > 0 ? given : []), ...taken];
  if (checked.some((one) => !mayGive(actor, one, person))) throw forbidden();
  await changingRights(db, [person.user_id], () => storeAssignments(db, person.user_id, taken, given));
  if (held.some(isAdmin) && !target.some(isAdmin)) {
    await endSessionsOf(db, [person.user_id], 'lost the Admin role');
    await endPasswordLinks(db, [person.user_id]);
  }
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
