import type { IdentityProvider } from '@tenure/contract';
import { sql } from 'kysely';
import { readSecret } from '../access/sealed-columns.ts';
import type { Config } from '../config.ts';
import type { KeyRing } from '../crypto/keys.ts';
import type { Db } from '../db/connect.ts';
import type { Metadata } from './metadata.ts';

/** A provider as signing in reads it. */
export type Provider = Pick<
  IdentityProvider,
  | 'id'
  | 'name'
  | 'is_enabled'
  | 'issuer'
  | 'client_id'
  | 'client_auth'
  | 'scopes'
  | 'entity_ids'
  | 'domains'
  | 'match_rule'
  | 'subject_claim'
  | 'address_claim'
  | 'second_factor'
  | 'second_factor_values'
  | 'session_max_hours'
  | 'groups_claim'
> & { metadata: Metadata };

/** The column with the secret that a provider gave the service. */
export const clientSecret = { table: 'identity_providers', column: 'client_secret' } as const;

/** The domains of the provider `p`, sorted. */
export const domainsOf = sql<string[]>`
  array(select d.domain from identity_domains d where d.provider_id = p.id order by d.domain)`;

/** A provider with its secret, on or off; undefined when there is none of this id, or no key opens its secret. */
export async function findProvider(
  db: Db,
  ring: KeyRing,
  id: number,
): Promise<{ provider: Provider; secret: string } | undefined> {
  const { rows } = await sql<Provider>`
    select p.id, p.name, p.is_enabled, p.issuer, p.client_id, p.client_auth, p.scopes, p.entity_ids, ${domainsOf} as domains,
           p.match_rule, p.subject_claim, p.address_claim, p.second_factor, p.second_factor_values, p.session_max_hours,
           p.groups_claim, p.metadata
    from identity_providers p where p.id = ${id}`.execute(db);
  const [provider] = rows;
  const secret = provider && (await readSecret(db, ring, clientSecret, id));
  return provider && secret ? { provider, secret: secret.toString() } : undefined;
}

/**
 * The providers that are on, held so until the end of the transaction: what gives roles holds them before the people,
 * so that switching one off comes before, and is seen, or after, and takes the roles away.
 */
export async function holdProviders(db: Db): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from identity_providers where is_enabled order by id for key share`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Where a provider sends the browser back: a page of the browser application, one for each provider. */
export const returnAddressOf = ({ FRONTEND_URL, APP_URL }: Config, id: number): string =>
  `${FRONTEND_URL[0] ?? APP_URL}/sso/callback/${id}`;
