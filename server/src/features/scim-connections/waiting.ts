import { text } from '@tenure/contract';
import type { scimConnections, ScimWaiting } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { HandlerCtx, WriteCtx } from '../../http/context.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import type { Message } from '../../http/errors.ts';
import { can } from '../../people/policy.ts';
import { findEmployees } from '../../people/queries.ts';
import { loadRoles, mayGive } from '../../access/given-roles.ts';
import { assignmentsIn, noSignIn } from '../../people/roles.ts';
import type { Assignee } from '../../people/roles.ts';
import { applySignIn } from '../../scim/blocks.ts';
import { isReached, newNote } from '../../scim/connection.ts';
import { reconcileGroupRoles } from '../../scim/roles.ts';
import { createEmployee } from '../employees/record/create.ts';
import type { Place } from './queries.ts';

type Account = { user_id: number; name: string; entity_id: number };

/** A person's account that a connection can link: not an administrator, an emergency account, or already linked. */
async function findLinkable({ db }: WriteCtx, connection: Place, employeeId: number): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select u.id as user_id, e.name, e.entity_id from users u join employees e on e.user_id = u.id
    where e.id = ${employeeId} and ${isReached(connection)} and not u.is_admin and not u.break_glass
      and not exists (select from scim_users s where s.user_id = u.id)
    for no key update of u`.execute(db);
  return rows[0];
}

type Found = { connection: Place; user: ScimWaiting };

/** Refuses a connection that is not in effect: HR must not do what the connection may not. */
function requireInEffect(connection: Place, field: string): void {
  if (!connection.is_enabled || connection.is_dry_run)
    throw invalid(field, text('scim.not_in_effect', { connection: connection.name }));
}

/** A link gives the person the roles of the user's groups, so the actor needs the right to give them. */
async function giveRolesOf(ctx: WriteCtx, { connection, user, field }: Found & { field: string }, person: Assignee) {
  await reconcileGroupRoles({ db: ctx.db, acting: ctx, connection }, [user.id]);
  const held = await assignmentsIn(ctx.db, 'role_assignments', person.user_id, await loadRoles(ctx.db));
  const given = held.filter(({ provider }) => provider === connection.name);
  const { rows: withheld } = await sql`
    select from scim_users where id = ${user.id}::uuid and withheld_roles <> '{}'`.execute(ctx.db);
  if (withheld.length > 0 || given.some((one) => !mayGive(ctx.actor, one, person)))
    throw invalid(field, text('scim.roles_beyond', { connection: connection.name }));
}

/**
 * Links an unlinked user to a person's account. The identity provider then controls whether that account can sign in,
 * so the actor needs the permission to give it a password, and the connection must be in effect.
 */
export async function linkWaiting(
  ctx: WriteCtx,
  { connection, user }: Found,
  employeeId: number,
  field = 'employee_id',
): Promise<void> {
  requireInEffect(connection, field);
  const employee = (await findEmployees(ctx, [employeeId], 'employees.reset_password')).get(employeeId);
  if (!employee) throw invalid(field, text('validation.unavailable'));
  if (!can(ctx.actor)(employee).includes('reset-password')) throw forbidden();
  const account = await findLinkable(ctx, connection, employeeId);
  if (!account) throw invalid(field, text('scim.not_linkable', { connection: connection.name }));
  // an administrator can give all roles of groups, now and later
  const accountableUser = ctx.actor.is_admin ? null : ctx.actor.user_id;
  await sql`
    update scim_users set user_id = ${account.user_id}, linked_by = 'person', linked_by_id = ${accountableUser}, sent = '{}'
    where id = ${user.id}::uuid`.execute(ctx.db);
  await record(ctx, {
    action: 'scim_user.linked',
    subject_id: account.user_id,
    subject_label: account.name,
    entity_id: account.entity_id,
    changes: { connection: { from: null, to: connection.name }, linked_by: { from: null, to: 'hr' } },
  });
  await giveRolesOf(ctx, { connection, user, field }, { ...employee, user_id: account.user_id });
  // the state that the provider sent earlier takes effect now
  if (!user.is_active)
    await applySignIn(
      { db: ctx.db, connection, acting: ctx, note: newNote() },
      { ...account, is_reached: true },
      false,
    );
}

/** Adds an unlinked user as a person, and links the two. Returns the id of the person. */
export async function createWaiting(
  ctx: HandlerCtx<typeof scimConnections.createWaiting>,
  found: Found,
): Promise<{ id: number; warnings: Message[] }> {
  requireInEffect(found.connection, 'entity_id');
  if (!ctx.body.email) throw invalid('email', noSignIn);
  const { id, warnings } = await createEmployee(ctx);
  await linkWaiting(ctx, found, id, 'entity_id');
  return { id, warnings };
}

/** Dismisses an unlinked user; the identity provider keeps it. */
export const dismissWaiting = ({ db }: WriteCtx, { id }: Pick<ScimWaiting, 'id'>) =>
  sql`update scim_users set dismissed_at = now(), sent = '{}' where id = ${id}::uuid`.execute(db);
