import { sql } from 'kysely';
import { endAccessOf } from '../access/api-tokens.ts';
import { isByHand } from '../access/role-sources.ts';
import { record } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { ReadCtx, WriteCtx } from '../http/context.ts';
import { isSelf } from './policy.ts';
import { loadRoles, mayGive } from '../access/given-roles.ts';
import { assignmentsIn, auditedRole, isDefault, isLimitableToDepartments } from './roles.ts';
import type { Given, Role } from '../access/given-roles.ts';
import type { Assignee } from './roles.ts';

/** People who return start with a fresh account; their previous roles are proposed to people who can give them. */

const auditedRoles = (all: readonly Given[]) => all.map(auditedRole);

async function takeRoles(db: Db, userId: number, taken: readonly Given[], fallback: Role | undefined): Promise<void> {
  const ids = taken.map(({ role }) => role.id);
  await sql`
    insert into former_roles (user_id, role_id, entity_ids, department_ids)
    select a.user_id, a.role_id, a.entity_ids, a.department_ids from role_assignments a
    where a.user_id = ${userId} and a.role_id = any(${ids}::bigint[]) and ${isByHand('a')}
    on conflict (user_id, role_id) do update
    set entity_ids = excluded.entity_ids, department_ids = excluded.department_ids, taken_at = now()`.execute(db);
  await sql`delete from role_assignments where user_id = ${userId} and role_id = any(${ids}::bigint[])`.execute(db);
  if (fallback)
    await db
      .insertInto('role_assignments')
      .values({ user_id: userId, role_id: fallback.id })
      .onConflict((oc) => oc.doNothing())
      .execute();
}

/**
 * Resets the account of a person who returns: no password, no session, and the role Employee. Keeps the previous roles
 * as a proposal. Removing the roles needs no permission, because it is not the actor's decision.
 */
export async function beginAnew(
  { db, actor, request }: WriteCtx,
  { user_id, ...returning }: Omit<Assignee, 'user_id'> & { user_id: number | null },
  because: string,
): Promise<void> {
  if (user_id === null) return;
  const person = { ...returning, user_id };
  await db
    .updateTable('users')
    .set({
      password_hash: null,
      one_time_password: false,
      must_change_password: false,
      password_expires_at: null,
      password_issued_by: null,
    })
    .where('id', '=', person.user_id)
    .execute();
  await endAccessOf(db, [person.user_id], because);
  // a rule gives its roles again by the groups of the next sign-in, not by earlier ones
  await sql`
    update user_identities set groups = null where user_id = ${person.user_id} and groups is not null`.execute(db);
  const roles = await loadRoles(db);
  const held = await assignmentsIn(db, 'role_assignments', person.user_id, roles);
  const taken = held.filter((one) => !isDefault(one.role));
  if (taken.length === 0 && held.length > 0) return;
  const fallback = roles.find(isDefault);
  await takeRoles(db, person.user_id, taken, fallback);
  await record(
    { db, actor, request },
    {
      action: 'employee.roles_changed',
      subject_id: person.id,
      subject_label: person.name,
      entity_id: person.entity_id,
      changes: { roles: { from: auditedRoles(held), to: fallback ? [{ role: fallback.name, entity_ids: null }] : [] } },
    },
  );
}

const loadFormer = ({ db }: ReadCtx, person: Assignee, roles: readonly Role[]) =>
  assignmentsIn(db, 'former_roles', person.user_id, roles);

/** True for a role whose limits are still possible: its departments may have been deleted. */
const isStillPossible = ({ role, in_departments }: Given) =>
  !in_departments || (in_departments.named.length > 0 && isLimitableToDepartments(role));

/** Previous roles of the person that the actor can give; none for the actor's own record. */
export async function proposedRoles(ctx: ReadCtx, person: Assignee, roles: readonly Role[]): Promise<Given[]> {
  if (isSelf(ctx.actor, person)) return [];
  const former = (await loadFormer(ctx, person, roles)).filter(isStillPossible);
  if (former.length === 0) return [];
  const held = await assignmentsIn(ctx.db, 'role_assignments', person.user_id, roles);
  const known = new Set(held.map(({ role }) => role.id));
  return former.filter((one) => !known.has(one.role.id) && mayGive(ctx.actor, one, person));
}

/** After a decision about the person's roles: removes the proposed roles that the actor could have given. */
export async function answerProposal(ctx: ReadCtx, person: Assignee): Promise<void> {
  const roles = await loadRoles(ctx.db);
  const former = await loadFormer(ctx, person, roles);
  const answered = former.filter((one) => mayGive(ctx.actor, one, person)).map(({ role }) => role.id);
  if (answered.length === 0) return;
  await ctx.db
    .deleteFrom('former_roles')
    .where('user_id', '=', person.user_id)
    .where('role_id', 'in', answered)
    .execute();
}
