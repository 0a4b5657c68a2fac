import { text } from '@tenure/contract';
import type { ScimWaiting } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { WriteCtx } from '../../http/context.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import { can } from '../../people/policy.ts';
import { findEmployees } from '../../people/queries.ts';
import { settleSignIn } from '../../scim/blocks.ts';
import { isReached, newNote } from '../../scim/connection.ts';
import type { Place } from './queries.ts';

type Account = { user_id: number; name: string; entity_id: number };

/** The account of a person, where a connection can have it: no administrator, no emergency account, none of another one. */
async function findLinkable({ db }: WriteCtx, connection: Place, employeeId: number): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select u.id as user_id, e.name, e.entity_id from users u join employees e on e.user_id = u.id
    where e.id = ${employeeId} and ${isReached(connection)} and not u.is_admin and not u.break_glass
      and not exists (select from scim_users s where s.user_id = u.id)
    for no key update of u`.execute(db);
  return rows[0];
}

/**
 * Links a user who waits to the account of a person. The identity provider switches that account off and on from then on,
 * so the actor must be one who may give it a password, and the connection one that is in effect.
 */
export async function linkWaiting(
  ctx: WriteCtx,
  { connection, user }: { connection: Place; user: ScimWaiting },
  employeeId: number,
): Promise<void> {
  // what is refused or undone for the provider does not come by way of HR
  if (!connection.is_enabled || connection.is_dry_run)
    throw invalid('employee_id', text('scim.not_in_effect', { connection: connection.name }));
  const employee = (await findEmployees(ctx, [employeeId], 'employees.reset_password')).get(employeeId);
  if (!employee) throw invalid('employee_id', text('validation.unavailable'));
  if (!can(ctx.actor)(employee).includes('reset-password')) throw forbidden();
  const account = await findLinkable(ctx, connection, employeeId);
  if (!account) throw invalid('employee_id', text('scim.not_linkable', { connection: connection.name }));
  await sql`update scim_users set user_id = ${account.user_id}, sent = '{}' where id = ${user.id}::uuid`.execute(
    ctx.db,
  );
  await record(ctx, {
    action: 'scim_user.linked',
    subject_id: account.user_id,
    subject_label: account.name,
    entity_id: account.entity_id,
    changes: { connection: { from: null, to: connection.name }, linked_by: { from: null, to: 'hr' } },
  });
  // what the provider said before counts now
  if (!user.is_active)
    await settleSignIn(
      { db: ctx.db, connection, acting: ctx, note: newNote() },
      { ...account, is_reached: true },
      false,
    );
}

/** Takes a user from the list of those who wait; the identity provider keeps it. */
export const dismissWaiting = ({ db }: WriteCtx, { id }: Pick<ScimWaiting, 'id'>) =>
  sql`update scim_users set dismissed_at = now(), sent = '{}' where id = ${id}::uuid`.execute(db);
