import { text } from '@tenure/contract';
import type { UnmatchedPerson } from '@tenure/contract';
import { sql } from 'kysely';
import type { WriteCtx } from '../../http/context.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import { can } from '../../people/policy.ts';
import { findEmployees } from '../../people/queries.ts';
import { findLinkable, linkIdentity } from '../../sso/identities.ts';
import type { Provider } from '../../sso/providers.ts';

type Place = Pick<Provider, 'id' | 'name' | 'entity_ids'>;

/**
 * Links a person who tried to the account of an employee. It opens that account, so the actor must be one who may give
 * it a password, and has linked it from then on.
 */
export async function linkPerson(
  ctx: WriteCtx,
  { provider, person }: { provider: Place; person: UnmatchedPerson },
  employeeId: number,
): Promise<void> {
  const employee = (await findEmployees(ctx, [employeeId], 'employees.reset_password')).get(employeeId);
  if (!employee) throw invalid('employee_id', text('validation.unavailable'));
  if (!can(ctx.actor)(employee).includes('reset-password')) throw forbidden();
  const account = await findLinkable(ctx.db, provider, employeeId);
  const by = { linked_by: 'hr', linked_by_id: ctx.actor.user_id } as const;
  const linked = account && (await linkIdentity(ctx, provider, { account, came: person, by }));
  if (!linked) throw invalid('employee_id', text('sso.not_linkable', { provider: provider.name }));
}

/** Forgets a person who tried, until they try again. */
export const dismissPerson = ({ db }: WriteCtx, { id }: Pick<UnmatchedPerson, 'id'>) =>
  sql`delete from sso_unmatched where id = ${id}`.execute(db);
