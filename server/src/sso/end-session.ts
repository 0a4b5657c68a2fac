import { sql } from 'kysely';
import type { Ctx } from '../http/context.ts';
import type { Metadata } from './metadata.ts';
import { signedOutAddressOf } from './providers.ts';

type Found = { client_id: string; metadata: Metadata; email: string | null };

/**
 * Where the browser goes to sign out at the session's provider (OpenID Connect RP-Initiated Logout 1.0); undefined if
 * the provider has no address for it or is not to be asked. The provider's tokens are not stored, so some providers ask
 * the user to confirm.
 */
export async function endSessionUrl({
  db,
  deps,
  actor,
}: Pick<Ctx, 'db' | 'deps' | 'actor'>): Promise<string | undefined> {
  if (actor.method !== 'sso') return undefined;
  const { rows } = await sql<Found>`
    select p.client_id, p.metadata, i.email from identity_providers p
    left join user_identities i on i.provider_id = p.id and i.user_id = ${actor.user_id}
    where p.id = ${actor.provider_id ?? 0} and p.end_session`.execute(db);
  const [found] = rows;
  if (!found?.metadata.end_session_endpoint) return undefined;
  const url = new URL(found.metadata.end_session_endpoint);
  url.searchParams.set('client_id', found.client_id);
  url.searchParams.set('post_logout_redirect_uri', signedOutAddressOf(deps.config));
  if (found.email !== null) url.searchParams.set('logout_hint', found.email);
  return url.href;
}
