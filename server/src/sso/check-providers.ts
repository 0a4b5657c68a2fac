import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { HttpError } from '../http/errors.ts';
import type { JobContext } from '../jobs/task.ts';
import { notifyProviderChanged } from '../notifications/own-account.ts';
import { algorithmsOf } from './metadata.ts';
import type { Metadata } from './metadata.ts';

/** Reads the discovery documents of all providers of OpenID Connect once a day, and tells administrators when one names other places. */

type Stored = { id: number; name: string; issuer: string; metadata: Metadata };

const places = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'end_session_endpoint',
] as const;

/** The names of what changed. */
function changed(before: Metadata, after: Metadata): string[] {
  const names: string[] = places.filter((name) => before[name] !== after[name]);
  const [former, current] = [algorithmsOf(before).join(' '), algorithmsOf(after).join(' ')];
  return former === current ? names : [...names, 'id_token_signing_alg_values_supported'];
}

const store = (db: Db, { id, issuer }: Stored, metadata: Metadata) =>
  sql`
  update identity_providers set metadata = ${JSON.stringify(metadata)}::jsonb, checked_at = now()
  where id = ${id} and issuer = ${issuer}`.execute(db);

/** A provider that cannot be read keeps what it said last. */
export async function checkProviders({ deps }: JobContext): Promise<void> {
  const { db, log, openId } = deps;
  const { rows } =
    await sql<Stored>`select id, name, issuer, metadata from identity_providers where kind = 'oidc' order by id`.execute(
      db,
    );
  for (const provider of rows) {
    const { id: provider_id, issuer, name } = provider;
    const found = await openId.discover(issuer).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      const reason = error.message;
      log.warn({ event: 'sso_provider_unread', provider_id, reason }, 'a discovery document could not be read');
      return undefined;
    });
    if (!found) continue;
    const fields = changed(provider.metadata, found);
    await db.transaction().execute(async (trx) => {
      await store(trx, provider, found);
      if (fields.length > 0) await notifyProviderChanged(trx, { id: provider_id, name, fields });
    });
    if (fields.length > 0)
      log.warn({ event: 'sso_provider_changed', provider_id, fields }, 'a provider names other places than before');
  }
}
