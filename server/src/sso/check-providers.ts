import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { HttpError } from '../http/errors.ts';
import type { JobContext } from '../jobs/task.ts';
import { changesBetween, record } from '../audit.ts';
import { notifyProviderChanged } from '../notifications/providers.ts';
import { algorithmsOf, OtherIssuer } from './metadata.ts';
import type { Metadata } from './metadata.ts';
import { endOutage, recordOutage } from './outages.ts';

/** Reads all OpenID Connect discovery documents once a day, and notifies administrators of changed addresses. */

type Stored = { id: number; name: string; issuer: string; metadata: Metadata };

const places = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'end_session_endpoint',
] as const;

/** The fields that are compared, by their names in the document. */
const watched = (metadata: Metadata) => ({
  ...Object.fromEntries(places.map((name) => [name, metadata[name] ?? null])),
  id_token_signing_alg_values_supported: algorithmsOf(metadata),
});

const store = (db: Db, { id, issuer }: Stored, metadata: Metadata) =>
  sql`
  update identity_providers set metadata = ${JSON.stringify(metadata)}::jsonb, checked_at = now()
  where id = ${id} and issuer = ${issuer}`.execute(db);

/** If a provider's document cannot be read, its last one stays in use. */
export async function checkProviders({ deps }: JobContext): Promise<void> {
  const { db, log, openId } = deps;
  const { rows } =
    await sql<Stored>`select id, name, issuer, metadata from identity_providers where kind = 'oidc' order by id`.execute(
      db,
    );
  for (const provider of rows) {
    const { id: provider_id, issuer, name } = provider;
    const found = await openId.discover(issuer).catch(async (error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      const { message } = error;
      log.warn(
        { event: 'sso_provider_unread', provider_id, reason: message },
        'a discovery document could not be read: the previous one stays in use',
      );
      const reason = error instanceof OtherIssuer ? 'issuer' : 'unreadable';
      await recordOutage(db, provider, { part: 'discovery', reason });
      return undefined;
    });
    if (!found) continue;
    const changes = changesBetween(watched(provider.metadata), watched(found));
    const fields = Object.keys(changes);
    await db.transaction().execute(async (trx) => {
      await store(trx, provider, found);
      await endOutage(trx, provider_id, 'discovery');
      if (fields.length === 0) return;
      await record(
        { db: trx, actor: null },
        { action: 'identity_provider.updated', subject_id: provider_id, subject_label: name, changes },
      );
      await notifyProviderChanged(trx, { id: provider_id, name, fields });
    });
    if (fields.length > 0)
      log.warn(
        { event: 'sso_provider_changed', provider_id, fields },
        'the discovery document of a provider has other addresses or algorithms',
      );
  }
}
