import { isDeepStrictEqual } from 'node:util';
import type { IdentityProvider } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PrivateKey } from 'openid-client';
import { openValue } from '../access/sealed-columns.ts';
import type { Config } from '../config.ts';
import type { KeyRing } from '../crypto/keys.ts';
import type { Db } from '../db/connect.ts';
import type { Metadata } from './metadata.ts';
import { signInsFail } from './outages.ts';
import { signingKey } from './signing-key.ts';

/** A provider as sign-ins read it. */
export type Provider = Pick<
  IdentityProvider,
  | 'id'
  | 'kind'
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
  | 'sso_url'
  | 'subject_attribute'
  | 'address_attribute'
  | 'revision'
> & {
  /** The discovery document; empty for a SAML provider, which has none. */
  metadata: Metadata;
  /** As stored: base64 of DER. */
  certificates: string[];
};
/** A SAML provider, with what this kind requires. */
export type SamlProvider = Provider & { kind: 'saml'; sso_url: string };

/** The column with the client secret that the provider issued. */
export const clientSecret = { table: 'identity_providers', column: 'client_secret' } as const;

/** The domains of the provider `p`, sorted. */
export const domainsOf = sql<string[]>`
  array(select d.domain from provider_domains d where d.provider_id = p.id order by d.domain)`;

/** How the service authenticates to the provider `p`. */
export const clientAuthOf = sql<Provider['client_auth']>`
  case when p.uses_key then 'private_key_jwt' else p.client_auth end`;

/** A provider, with the secret or key that authenticates the service. */
export type Client = {
  provider: Provider;
  secret: string | PrivateKey;
  /** Sign-ins through it failed recently. */
  isFailing?: boolean;
  /** When it was read, by the database's clock. */
  read_at?: string;
};
/** A SAML provider: requests to it prove nothing, because it sends its answers to the address that it knows. */
type SamlClient = { provider: SamlProvider; secret: null; read_at?: string };

export const isSaml = (provider: Provider): provider is SamlProvider =>
  provider.kind === 'saml' && provider.sso_url !== null;

/** As stored: there is no discovery document for a SAML provider. */
export type AsStored<Row extends { metadata: Metadata }> = Omit<Row, 'metadata'> & { metadata: Partial<Metadata> };

/** What decides whom an answer lets in, and as whom. */
const deciding = sql`p.id, p.kind, p.issuer, p.client_id, ${clientAuthOf} as client_auth, p.scopes, p.entity_ids,
  ${domainsOf} as domains, p.match_rule, p.subject_claim, p.address_claim, p.second_factor, p.second_factor_values,
  p.session_max_hours, p.groups_claim, p.sso_url, p.certificates, p.subject_attribute, p.address_attribute`;

/** A provider, enabled or not; undefined if there is none with this id, or its secret cannot be read. */
export async function findProvider(db: Db, ring: KeyRing, id: number): Promise<Client | SamlClient | undefined> {
  const { rows } = await sql<AsStored<Provider> & { sealed: string | null; is_failing: boolean; read_at: string }>`
    select ${deciding}, p.name, p.is_enabled, p.metadata, p.revision, p.client_secret as sealed, ${signInsFail} as is_failing,
           clock_timestamp()::text as read_at
    from identity_providers p where p.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { sealed, is_failing: isFailing, read_at, ...stored } = row;
  const provider = stored as Provider;
  if (isSaml(provider)) return { provider, secret: null, read_at };
  const isKey = provider.client_auth === 'private_key_jwt';
  const secret = isKey ? await signingKey(db, ring) : openValue(ring, clientSecret, { id, sealed })?.toString();
  return secret === undefined ? undefined : { provider, secret, isFailing, read_at };
}

/**
 * The enabled providers, locked until the end of the transaction. Code that assigns roles locks them before the people,
 * so that disabling one comes before, and is seen, or after, and removes the roles.
 */
export async function lockProviders(db: Db): Promise<void> {
  await sql`select from identity_providers where is_enabled order by id for key share`.execute(db);
}

/**
 * The same for one provider and those that some accounts are linked to, so that a sign-in waits for no other one. A
 * link may be created after they were read, so code that assigns roles checks them again (`requireHeld`).
 */
export async function lockProvidersOf(
  db: Db,
  id: number,
  accounts: RawBuilder<unknown>,
): Promise<ReadonlyMap<number, Pick<Provider, 'revision'>>> {
  const { rows } = await sql<Pick<Provider, 'id' | 'revision'>>`
    select p.id, p.revision from identity_providers p
    where p.is_enabled and (p.id = ${id} or p.id in (
      select i.provider_id from user_identities i where i.user_id in (${accounts})))
    order by p.id for key share of p`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether a locked provider still lets the same people in as when it was read. */
export async function isUnchanged(db: Db, read: Provider): Promise<boolean> {
  const { rows } = await sql<Partial<Provider>>`
    select ${deciding} from identity_providers p where p.id = ${read.id}`.execute(db);
  return isDeepStrictEqual({ ...read, ...rows[0] }, read);
}

/** Where providers find the service's public keys. */
export const keysAddressOf = ({ APP_URL }: Config): string => `${APP_URL}/sso/jwks.json`;

/** Where a provider sends the browser back: a page of the browser application for each provider. */
export const returnAddressOf = ({ FRONTEND_URL, APP_URL }: Config, id: number): string =>
  `${FRONTEND_URL[0] ?? APP_URL}/sso/callback/${id}`;

/** Where a provider reports that a user signed out there. */
export const backchannelAddressOf = ({ APP_URL }: Config, id: number): string =>
  `${APP_URL}/sso/${id}/backchannel-logout`;

/** Where a provider sends the browser after the user signed out there. */
export const signedOutAddressOf = ({ FRONTEND_URL, APP_URL }: Config): string => `${FRONTEND_URL[0] ?? APP_URL}/login`;
