import { messages, text } from '@tenure/contract';
import type { BodyOut, identityProviders } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { storeSecret } from '../../access/sealed-columns.ts';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { sentOf } from '../../db/values.ts';
import type { ServiceCtx, WriteCtx } from '../../http/context.ts';
import { invalid, blocked } from '../../http/errors.ts';
import { inTransaction } from '../../http/late-transaction.ts';
import type { LateTransactionCtx } from '../../http/late-transaction.ts';
import { endRolesOf } from '../../access/provider-roles.ts';
import { queueRoleRules } from '../../sso/apply-role-rules.ts';
import { endOutage } from '../../sso/outages.ts';
import { clientSecret } from '../../sso/providers.ts';
import type { Provider } from '../../sso/providers.ts';
import { ensureKey } from '../../sso/signing-key.ts';
import { deleteGroupRoles } from '../../sso/role-rules.ts';
import { requireGivingRules } from '../../people/rules-to-give.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { admitsOthers } from './admits.ts';
import { audited, checkKind, check, readConnection } from './connection.ts';
import { refuseTaken, storeDomains } from './domains.ts';
import { deleteOutdated, naming } from './outdated.ts';
import { refuseLeftOut, refuseRulesOutside } from './left-out.ts';
import { lockProvider } from './queries.ts';
import type { StoredProvider } from './queries.ts';
import { endProviderAccess, shortenSessions } from './end-access.ts';

type Sent = BodyOut<typeof identityProviders.update>;
type Fields = Partial<
  Omit<BodyOut<typeof identityProviders.create>, 'client_secret' | 'domains' | 'kind' | 'metadata_xml' | 'metadata_url'>
>;

/** The defaults of a provider. */
const otherwise = { address_claim: 'email', second_factor: 'never', address_attribute: null } as const;
const ruleOf = { oidc: 'verified_email', saml: 'linked_only' } as const;

async function checkCompanies(db: Db, ids: readonly number[] | null | undefined): Promise<void> {
  if (!ids) return;
  const { rows } = await sql<{ id: number }>`select id from entities where id = any(${ids}::bigint[])`.execute(db);
  const known = new Set(rows.map(({ id }) => id));
  if (ids.some((id) => !known.has(id))) throw invalid('entity_ids', messages.unavailable);
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
const inOrder = (ids: readonly number[]) => distinct(ids).sort((a, b) => a - b);

/** The columns for client authentication: the previous release only knows secrets. */
const authOf = (client_auth: Provider['client_auth']) =>
  client_auth === 'private_key_jwt' ? { uses_key: true } : { uses_key: false, client_auth };

/** Refuses a provider that authenticates with a secret but has none. */
function checkSecret(client_auth: Provider['client_auth'], hasSecret: boolean): void {
  if (client_auth !== 'private_key_jwt' && !hasSecret) throw invalid('client_secret', messages.required);
}

/** Stores the secret, or ensures that there is a key instead. */
async function storeProof(
  { db, deps }: Pick<ServiceCtx, 'db' | 'deps'>,
  { id, client_auth }: Pick<Provider, 'id' | 'client_auth'>,
  secret: string | undefined,
): Promise<void> {
  if (client_auth === 'private_key_jwt') {
    await ensureKey(db, deps.ring);
    // delete the unused secret, so that it cannot leak
    await sql`update identity_providers set client_secret = null where id = ${id}`.execute(db);
    return;
  }
  if (secret !== undefined) await storeSecret(db, deps.ring, clientSecret, id, Buffer.from(secret));
}

/** Without duplicates; `openid` makes the request a sign-in. */
const tidied = (fields: Fields) =>
  sentOf({
    ...fields,
    scopes: fields.scopes && distinct(['openid', ...fields.scopes]),
    entity_ids: fields.entity_ids && inOrder(fields.entity_ids),
    second_factor_values: fields.second_factor_values && distinct(fields.second_factor_values),
  });

/** Adds a provider, disabled. Returns its id. */
export async function createProvider(
  ctx: LateTransactionCtx & { body: BodyOut<typeof identityProviders.create> },
): Promise<number> {
  const { kind = 'oidc', client_secret, domains = [], metadata_xml, metadata_url, ...sent } = ctx.body;
  checkKind(kind, ctx.body, { isNew: true });
  const { client_auth = 'client_secret_basic', ...rest } = sent;
  const fields = tidied(rest);
  const { match_rule = ruleOf[kind], issuer = '' } = fields;
  check({ ...otherwise, ...fields, kind, match_rule, issuer });
  if (kind === 'oidc') checkSecret(client_auth, client_secret !== undefined);
  await checkCompanies(ctx.db, fields.entity_ids);
  const read = await readConnection(ctx.deps, kind, { issuer, metadata_xml, metadata_url });
  const { metadata = {}, ...found } = { issuer, ...read };
  return inTransaction(ctx, async (inside) => {
    const { db } = inside;
    const { client_id = '' } = rest;
    const { id } = await db
      .insertInto('identity_providers')
      .values({
        ...fields,
        ...found,
        ...authOf(client_auth),
        kind,
        match_rule,
        client_id,
        name: rest.name,
        metadata: JSON.stringify(metadata),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (kind === 'oidc') await storeProof({ ...ctx, db }, { id, client_auth }, client_secret);
    await storeDomains(db, id, domains);
    const proof = kind === 'oidc' ? { client_auth, ...(client_secret && { client_secret }) } : {};
    await record(inside, {
      action: 'identity_provider.created',
      subject_id: id,
      subject_label: rest.name,
      changes: changesBetween({}, { ...fields, ...audited(found), kind, domains, ...proof }),
    });
    return id;
  });
}

/** Refuses inconsistent settings, and changes that would make its subjects other people. */
function checkChange(
  provider: StoredProvider,
  fields: Partial<Provider>,
  source: 'issuer' | 'metadata_xml' | 'metadata_url' = 'issuer',
): StoredProvider {
  const after = { ...provider, ...fields };
  check(after, provider);
  for (const field of naming)
    if (after[field] !== provider[field] && provider.linked_count > 0)
      throw invalid(field === 'issuer' ? source : field, text('sso.has_people'));
  return after;
}

/** Changes a provider. Reads its discovery document again; SAML metadata only if the request has it. */
export async function updateProvider(ctx: LateTransactionCtx & { body: Sent }, found: StoredProvider): Promise<void> {
  const { revision, kind = found.kind, client_secret, domains, metadata_xml, metadata_url, ...rest } = ctx.body;
  checkRevision(found, { revision }, stateOf(found));
  if (kind !== found.kind) throw invalid('kind', messages.selected);
  checkKind(kind, ctx.body, { isNew: false });
  const fields = tidied(rest);
  const { issuer } = checkChange(found, fields);
  await checkCompanies(ctx.db, fields.entity_ids);
  const { metadata, ...read } = await readConnection(ctx.deps, kind, { issuer, metadata_xml, metadata_url });
  await inTransaction(ctx, async (inside) => {
    const provider = await lockProvider(inside, found.id);
    checkRevision(provider, { revision: found.revision }, stateOf(provider));
    const source = metadata_xml === undefined ? 'metadata_url' : 'metadata_xml';
    const after = checkChange(provider, { ...fields, ...read }, kind === 'oidc' ? 'issuer' : source);
    if (kind === 'oidc') checkSecret(after.client_auth, after.has_client_secret || client_secret !== undefined);
    if (admitsOthers(provider, { ...after, ...(domains && { domains }) })) await requireGiving(inside, provider);
    await refuseLeftOut(inside.db, after);
    if (fields.entity_ids) await refuseRulesOutside(inside.db, after);
    // the discovery document was just read successfully
    if (kind === 'oidc') await endOutage(inside.db, provider.id, 'discovery');
    const sent = {
      ...fields,
      ...audited(read),
      ...(domains && { domains: domains.toSorted() }),
      ...(client_secret && { client_secret }),
    };
    const changes = changesBetween({ ...provider, ...audited(provider) }, sent);
    if (Object.keys(changes).length === 0) return storeOther(inside, provider.id, metadata);
    const isTestVoid = client_secret !== undefined || connection.some((field) => differ(after, provider, field));
    await storeChange(inside, provider.id, {
      ...fields,
      ...read,
      metadata,
      ...(isTestVoid && { tested_at: null, test_result: null }),
      // domains are stored in another table, and change the provider too
      ...(domains && { updated_at: sql<string>`now()` }),
    });
    if (kind === 'oidc') await storeProof({ ...ctx, db: inside.db }, after, client_secret);
    if (domains && provider.is_enabled) await refuseTaken(inside.db, provider.id, domains);
    if (domains) await storeDomains(inside.db, provider.id, domains);
    await endOutdated(inside, provider, after);
    await record(inside, {
      action: 'identity_provider.updated',
      subject_id: provider.id,
      subject_label: after.name,
      changes,
    });
  });
}

/** Ends what a change makes invalid: sessions that last too long, links, and roles by groups. */
async function endOutdated(ctx: WriteCtx, before: StoredProvider, after: StoredProvider): Promise<void> {
  await shortenSessions(ctx.db, after);
  await deleteOutdated(ctx.db, before, after);
  // another claim means other groups
  if (after.groups_claim !== before.groups_claim) await deleteGroupRoles(ctx, before);
  if (differ(after, before, 'entity_ids')) await queueRoleRules(ctx.db, { kind: 'identity_provider', id: before.id });
}

/** True if a field has another value; lists are compared by their elements. */
const differ = (one: StoredProvider, other: StoredProvider, field: (typeof connection)[number] | 'entity_ids') =>
  String(one[field]) !== String(other[field]);

/** The fields that a test depends on: a change of one makes its result invalid. */
const connection = [
  'issuer',
  'client_id',
  'client_auth',
  'subject_claim',
  'sso_url',
  'certificates',
  'subject_attribute',
] as const;

type Change = Partial<Omit<Provider, 'metadata'>> & {
  metadata?: Provider['metadata'] | undefined;
  tested_at?: null;
  test_result?: null;
  updated_at?: RawBuilder<string>;
};

const storeChange = ({ db }: WriteCtx, id: number, { metadata, client_auth, ...fields }: Change) =>
  db
    .updateTable('identity_providers')
    .set({
      ...fields,
      ...(client_auth && authOf(client_auth)),
      ...(metadata && { metadata: JSON.stringify(metadata), checked_at: sql`now()` }),
    })
    .where('id', '=', id)
    .execute();

/** Stores the discovery document of a provider that is otherwise unchanged, if it is another one. */
async function storeOther({ db }: WriteCtx, id: number, metadata: Provider['metadata'] | undefined): Promise<void> {
  if (!metadata) return;
  await sql`
    update identity_providers set metadata = ${JSON.stringify(metadata)}::jsonb, checked_at = now()
    where id = ${id} and metadata <> ${JSON.stringify(metadata)}::jsonb`.execute(db);
}

/** The state of a provider for a refusal. */
const stateOf = ({ is_enabled }: Pick<StoredProvider, 'is_enabled'>) => (is_enabled ? 'enabled' : 'disabled');

/** Its rules give roles to the people who sign in. */
const requireGiving = (ctx: WriteCtx, { id, name }: StoredProvider) =>
  requireGivingRules(ctx, { kind: 'identity_provider', id, name });

/** Refuses to remove a provider that people must use, because they could not sign in any more. */
async function refuseDemanded(db: Db, id: number): Promise<void> {
  const { rows } = await sql`
    select from sign_in_policies where sso_required and ${id} = any(sso_provider_ids) limit 1`.execute(db);
  if (rows.length > 0) throw blocked('provider', text('sso.in_use'));
}

/** Enables or disables a locked provider; disabling ends the sessions that came from it. */
export async function switchProvider(
  ctx: WriteCtx & { body: { revision?: number | undefined } },
  provider: StoredProvider,
  is_enabled: boolean,
): Promise<void> {
  checkRevision(provider, ctx.body, stateOf(provider));
  if (provider.is_enabled === is_enabled) return;
  if (is_enabled) {
    await requireGiving(ctx, provider);
    await refuseTaken(ctx.db, provider.id, provider.domains);
  } else await refuseDemanded(ctx.db, provider.id);
  await ctx.db.updateTable('identity_providers').set({ is_enabled }).where('id', '=', provider.id).execute();
  if (!is_enabled) {
    await endProviderAccess(ctx.db, provider.id);
    await endOutage(ctx.db, provider.id);
  }
  // the groups of people are unknown while no one signs in through it
  if (!is_enabled) await deleteGroupRoles(ctx, provider);
  await record(ctx, {
    action: is_enabled ? 'identity_provider.enabled' : 'identity_provider.disabled',
    subject_id: provider.id,
    subject_label: provider.name,
  });
}

/** Removes a locked provider with its links. */
export async function deleteProvider(ctx: WriteCtx, provider: StoredProvider): Promise<void> {
  await refuseDemanded(ctx.db, provider.id);
  await endProviderAccess(ctx.db, provider.id);
  await endRolesOf(ctx, { kind: 'identity_provider', id: provider.id, name: provider.name });
  await ctx.db.deleteFrom('identity_providers').where('id', '=', provider.id).execute();
  await record(ctx, {
    action: 'identity_provider.deleted',
    subject_id: provider.id,
    subject_label: provider.name,
    changes: {
      issuer: { from: provider.issuer, to: null },
      client_id: { from: provider.client_id, to: null },
      linked_count: { from: provider.linked_count, to: null },
    },
  });
}
