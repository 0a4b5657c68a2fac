import type { IdentityProvider, identityProviders, QueryOut, UnmatchedPerson, WaitingPerson } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachOf } from '../../access/actor.ts';
import type { Reach } from '../../access/actor.ts';
import { either, peopleFor } from '../../access/scope.ts';
import type { Config } from '../../config.ts';
import { readCertificate } from '../../crypto/certificate.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx, ServiceCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { sendsLogout } from '../../sso/metadata.ts';
import { outageOf } from '../../sso/outages.ts';
import {
  backchannelAddressOf,
  clientAuthOf,
  domainsOf,
  keysAddressOf,
  returnAddressOf,
  signedOutAddressOf,
} from '../../sso/providers.ts';
import type { AsStored, Provider } from '../../sso/providers.ts';
import { acsAddressOf, entityIdOf } from '../../sso/saml/places.ts';

type Computed =
  | 'return_address'
  | 'keys_address'
  | 'backchannel_address'
  | 'signed_out_address'
  | 'sends_logout'
  | 'acs_address'
  | 'metadata_address'
  | 'allowed_actions';
type Shown = Omit<IdentityProvider, Computed | 'certificates'> & Pick<Provider, 'certificates'>;

/** A provider as stored, locked for a change. */
export type StoredProvider = Provider &
  Pick<IdentityProvider, 'end_session' | 'has_client_secret' | 'revision' | 'linked_count'>;

const linkedCount = sql`(select count(*) from user_identities i where i.provider_id = p.id) as linked_count`;
const counts = sql`
  ${linkedCount},
  (select count(*) from sso_unmatched t where t.provider_id = p.id) as unmatched_count,
  (select count(*) from user_identities i where i.provider_id = p.id and i.groups_missing_at is not null)
    as groups_missing_count`;
const settings = sql`p.id, p.kind, p.name, p.is_enabled, p.issuer, p.client_id, ${clientAuthOf} as client_auth, p.scopes, p.entity_ids,
  ${domainsOf} as domains, p.match_rule, p.subject_claim, p.address_claim, p.second_factor, p.second_factor_values,
  p.session_max_hours, p.end_session, p.groups_claim, p.revision, p.sso_url, p.certificates, p.subject_attribute, p.address_attribute,
  p.client_secret is not null as has_client_secret`;
const columns = sql`${settings}, p.checked_at, p.tested_at,
  p.metadata ? 'end_session_endpoint' as can_end_session, ${outageOf} as failing, ${counts},
  p.created_at, p.updated_at`;

function certificateOf(der: string): IdentityProvider['certificates'][number] {
  const found = readCertificate(der);
  // it was readable when it was stored
  if (!found) throw new Error('a stored certificate can not be read');
  const { subject, fingerprint, valid_from, valid_until } = found;
  return { subject, fingerprint, valid_from, valid_until };
}

/** Administrators who can see a provider can change it. */
const present = (config: Config, row: Shown): IdentityProvider => ({
  ...row,
  failing: row.failing && { ...row.failing, since: new Date(row.failing.since).toISOString() },
  return_address: returnAddressOf(config, row.id),
  keys_address: keysAddressOf(config),
  backchannel_address: row.kind === 'oidc' ? backchannelAddressOf(config, row.id) : null,
  signed_out_address: row.kind === 'oidc' ? signedOutAddressOf(config) : null,
  sends_logout: row.kind === 'oidc' && sendsLogout(row.issuer),
  certificates: row.certificates.map(certificateOf),
  acs_address: acsAddressOf(config, row.id),
  metadata_address: entityIdOf(config, row.id),
  allowed_actions: ['update', row.is_enabled ? 'disable' : 'enable', 'delete'],
});

type Query = QueryOut<typeof identityProviders.list>;
const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
  name: sql`fold(p.name)`,
  created_at: sql`p.created_at`,
};

export async function listProviders({ db, deps }: ServiceCtx, query: Query) {
  const where = every(holdsWords([sql`p.name`, sql`p.issuer`], query.search));
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Shown>`
      select ${columns} from identity_providers p where ${where}
      ${orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`p.id`)}`,
    total: sql`select count(*) from identity_providers p where ${where}`,
  });
  return { rows: rows.map((row) => present(deps.config, row)), total };
}

/** A provider as responses show it. Throws 404. */
export async function readProvider(
  { db, deps }: Pick<ServiceCtx, 'db' | 'deps'>,
  id: number,
): Promise<IdentityProvider> {
  const { rows } = await sql<Shown>`select ${columns} from identity_providers p where p.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(deps.config, row);
}

/** A provider, locked for a change. Throws 404. */
export async function lockProvider(ctx: Pick<ReadCtx, 'db'>, id: number): Promise<StoredProvider> {
  // a statement that began after the lock counts its links
  await sql`select from identity_providers where id = ${id} for update`.execute(ctx.db);
  return findStored(ctx, id);
}

/** A provider as stored. Throws 404. */
export async function findStored({ db }: Pick<ReadCtx, 'db'>, id: number): Promise<StoredProvider> {
  const { rows } = await sql<AsStored<StoredProvider>>`
    select ${settings}, p.metadata, ${linkedCount} from identity_providers p where p.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row as StoredProvider;
}

type Place = Pick<Provider, 'id' | 'name' | 'entity_ids'>;

/**
 * A provider whose people the actor can link. Only users with all of its companies in scope see who tried to sign in,
 * because the people could belong to any of them. Throws 404.
 */
export async function findForLinks({ db, actor }: ReadCtx, id: number): Promise<Place> {
  const { rows } =
    await sql<Place>`select p.id, p.name, p.entity_ids from identity_providers p where p.id = ${id}`.execute(db);
  const [provider] = rows;
  const reach = reachOf(actor, 'employees.reset_password');
  const isReached = provider?.entity_ids?.every((entity) => reach.entity_ids.includes(entity)) ?? false;
  if (!provider || !(reach.everything || isReached)) throw notFound();
  return provider;
}

/**
 * True for an unmatched person `t` whom the actor can see. People of all companies may try to sign in, so this hides a
 * person with the address of an account outside the actor's scope.
 */
function isShownTo(actor: ReadCtx['actor']): RawBuilder<SqlBool> {
  const permissions = ['employees.create', 'employees.reset_password'] as const;
  if (permissions.some((permission) => reachOf(actor, permission).everything)) return sql<SqlBool>`true`;
  const isReached = either(permissions.map((permission) => peopleFor(actor, permission)));
  return sql<SqlBool>`not exists (
    select from users u left join employees e on e.user_id = u.id
    where u.email = t.email and not coalesce(${isReached}, false))`;
}

type UnmatchedQuery = QueryOut<typeof identityProviders.unmatched>;
const unmatchedSorts: Record<NonNullable<UnmatchedQuery['sort_by']>, RawBuilder<unknown>> = {
  last_try_at: sql`t.last_try_at`,
  name: sql`fold(t.name)`,
  email: sql`t.email`,
};
const unmatchedColumns = sql`t.id, t.subject, t.email, t.name, t.groups_count, t.tries, t.last_try_at`;

export async function listUnmatched({ db, actor }: ReadCtx, providerId: number, query: UnmatchedQuery) {
  const where = every([
    sql`t.provider_id = ${providerId}`,
    isShownTo(actor),
    ...holdsWords([sql`t.name`, sql`t.email`, sql`t.subject`], query.search),
  ]);
  return selectPage(db, query, {
    rows: sql<UnmatchedPerson>`
      select ${unmatchedColumns} from sso_unmatched t where ${where}
      ${orderedBy(unmatchedSorts[query.sort_by ?? 'last_try_at'], query.sort_direction, sql`t.id`)}`,
    total: sql`select count(*) from sso_unmatched t where ${where}`,
  });
}

/** Finds and locks one of the unmatched people. Throws 404. */
export async function lockUnmatched({ db, actor }: ReadCtx, providerId: number, id: number): Promise<UnmatchedPerson> {
  // a change of the issuer, which does not know this person, comes before, and is seen, or after
  await sql`select from identity_providers where id = ${providerId} for key share`.execute(db);
  const { rows } = await sql<UnmatchedPerson>`
    select ${unmatchedColumns} from sso_unmatched t
    where t.provider_id = ${providerId} and t.id = ${id} and ${isShownTo(actor)} for update of t`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** True for a provider `p` if one of these scopes covers all of its companies. */
const covered = (reaches: readonly Reach[]): RawBuilder<SqlBool> =>
  reaches.some(({ everything }) => everything)
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${either(reaches.map(({ entity_ids }) => sql<SqlBool>`p.entity_ids <@ ${entity_ids}::bigint[]`))}) is true`;

type WaitingQuery = QueryOut<typeof identityProviders.waiting>;
type Waiting = Omit<WaitingPerson, 'allowed_actions'> & { is_linkable: boolean };

/** The actor's actions on an unmatched person; adding also needs the permission to add people. */
function actionsOn(actor: ReadCtx['actor'], isLinkable: boolean): string[] {
  const adds = holds(actor, 'employees.create');
  return [...(isLinkable ? ['link', ...(adds ? ['create'] : []), 'dismiss'] : []), ...(adds ? ['add'] : [])];
}

/** One of the unmatched people, for the form that adds the person. Throws 404. */
export async function readUnmatched({ db, actor }: ReadCtx, provider: Place, id: number): Promise<WaitingPerson> {
  const { rows } = await sql<UnmatchedPerson>`
    select ${unmatchedColumns} from sso_unmatched t
    where t.provider_id = ${provider.id} and t.id = ${id} and ${isShownTo(actor)}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  const { id: providerId, name } = provider;
  return { ...row, provider: { id: providerId, name }, allowed_actions: actionsOn(actor, true) };
}

/** A page of the unmatched people of all providers whose companies are in the actor's scope. */
export async function listWaiting({ db, actor }: ReadCtx, query: WaitingQuery) {
  const [adds, links] = [reachOf(actor, 'employees.create'), reachOf(actor, 'employees.reset_password')];
  const where = every([
    covered([adds, links]),
    isShownTo(actor),
    ...holdsWords([sql`t.name`, sql`t.email`, sql`t.subject`, sql`p.name`], query.search),
  ]);
  const tables = sql`sso_unmatched t join identity_providers p on p.id = t.provider_id`;
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Waiting>`
      select ${unmatchedColumns}, json_build_object('id', p.id, 'name', p.name) as provider,
             ${covered([links])} as is_linkable
      from ${tables} where ${where}
      ${orderedBy(unmatchedSorts[query.sort_by ?? 'last_try_at'], query.sort_direction, sql`t.id`)}`,
    total: sql`select count(*) from ${tables} where ${where}`,
  });
  return {
    rows: rows.map(({ is_linkable, ...row }) => ({ ...row, allowed_actions: actionsOn(actor, is_linkable) })),
    total,
  };
}
