import { text } from '@tenure/contract';
import type { identityProviders, UnmatchedPerson } from '@tenure/contract';
import { sql } from 'kysely';
import type { HandlerCtx, WriteCtx } from '../../http/context.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import type { Message } from '../../http/errors.ts';
import { can } from '../../people/policy.ts';
import { findEmployees } from '../../people/queries.ts';
import { noSignIn } from '../../people/roles.ts';
import { findLinkable, linkIdentity } from '../../sso/identities.ts';
import type { Provider } from '../../sso/providers.ts';
import { createEmployee } from '../employees/record/create.ts';

type Found = { provider: Place; person: UnmatchedPerson };
type Place = Pick<Provider, 'id' | 'name' | 'entity_ids'>;

/**
 * Links an unmatched person to the account of an employee. This gives access to the account, so the actor needs the
 * permission to give it a password, and is recorded as the one who linked it.
 */
export async function linkPerson(
  ctx: WriteCtx,
  { provider, person }: Found,
  employeeId: number,
  field = 'employee_id',
): Promise<void> {
  const employee = (await findEmployees(ctx, [employeeId], 'employees.reset_password')).get(employeeId);
  if (!employee) throw invalid(field, text('validation.unavailable'));
  if (!can(ctx.actor)(employee).includes('reset-password')) throw forbidden();
  const account = await findLinkable(ctx.db, provider, employeeId);
  const by = { linked_by: 'hr', linked_by_id: ctx.actor.user_id } as const;
  const linked = account && (await linkIdentity(ctx, provider, { account, profile: person, by }));
  if (!linked) throw invalid(field, text('sso.not_linkable', { provider: provider.name }));
}

/** Adds an unmatched person as an employee with an account, which they can sign in to afterwards. */
export async function createPerson(
  ctx: HandlerCtx<typeof identityProviders.createUnmatched>,
  found: Found,
): Promise<{ id: number; warnings: Message[] }> {
  if (!ctx.body.email) throw invalid('email', noSignIn);
  const { id, warnings } = await createEmployee(ctx);
  await linkPerson(ctx, found, id, 'entity_id');
  return { id, warnings };
}

/** Deletes an unmatched person, until they try to sign in again. */
export const dismissPerson = ({ db }: WriteCtx, { id }: Pick<UnmatchedPerson, 'id'>) =>
  sql`delete from sso_unmatched where id = ${id}`.execute(db);
