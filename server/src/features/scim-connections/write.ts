import { messages, text } from '@tenure/contract';
import type { BodyOut, scimConnections } from '@tenure/contract';
import { sql } from 'kysely';
import { createToken, endTokensOf } from '../../access/api-tokens.ts';
import { endRolesOf } from '../../access/provider-roles.ts';
import { checkedOwners } from '../../access/owners.ts';
import type { RoleSource } from '../../access/role-sources.ts';
import { changesBetween, record } from '../../audit.ts';
import { randomId } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import { sentOf } from '../../db/values.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { notifyConnectionToken } from '../../notifications/own-account.ts';
import { queueRoleRules } from '../../sso/apply-role-rules.ts';
import { findRuleOutside, rulesOf } from '../../sso/role-rules.ts';
import { reachesMore, requireGivingRules } from '../../people/rules-to-give.ts';
import { checkRevision } from '../../workflow/transition.ts';
import type { StoredConnection } from './queries.ts';

/** The lifetime of a connection's token, as for service accounts. */
const tokenDays = 730;

type Fields = Omit<BodyOut<typeof scimConnections.update>, 'revision'>;

/** Sorts the ids without duplicates; refuses unknown companies, and owners who cannot be notified. */
async function tidied(db: Db, sent: Fields): Promise<Fields> {
  const owner_ids = sent.owner_ids && (await checkedOwners(db, sent.owner_ids));
  const fields: Fields = { ...sent, owner_ids };
  const { entity_ids } = fields;
  if (!entity_ids) return sentOf(fields);
  const ids = [...new Set<number>(entity_ids)].toSorted((a, b) => a - b);
  const { rows } = await sql`select from entities where id = any(${ids}::bigint[])`.execute(db);
  if (rows.length !== ids.length) throw invalid('entity_ids', messages.unavailable);
  return sentOf({ ...fields, entity_ids: ids });
}

/** A connection as a source of roles. */
const sourceOf = ({ id, name }: Pick<StoredConnection, 'id' | 'name'>): RoleSource => ({
  kind: 'scim_connection',
  id,
  name,
});

/** The state of a connection for a refusal. */
const stateOf = ({ is_enabled }: Pick<StoredConnection, 'is_enabled'>) => (is_enabled ? 'enabled' : 'disabled');

/** Adds a connection with the account that acts for it. Returns its id. */
export async function createConnection(
  ctx: WriteCtx & { body: BodyOut<typeof scimConnections.create> },
): Promise<number> {
  const { db, body, actor } = ctx;
  const fields = { owner_ids: [actor.user_id], ...(await tidied(db, body)) };
  const { id: user_id } = await db
    .insertInto('users')
    .values({ email: `scim-${randomId().toLowerCase()}@service.invalid`, account_kind: 'service' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('scim_connections')
    .values({ ...fields, name: body.name, user_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(ctx, {
    action: 'scim_connection.created',
    subject_id: id,
    subject_label: body.name,
    changes: changesBetween({}, fields),
  });
  return id;
}

/** True when a change lets a connection have more people, or ends a dry run. */
const admitsOthers = (before: StoredConnection, after: StoredConnection): boolean =>
  reachesMore(after.entity_ids, before.entity_ids) ||
  (before.is_dry_run && !after.is_dry_run) ||
  (after.provider_id !== null && after.provider_id !== before.provider_id);

export async function updateConnection(
  ctx: WriteCtx & { body: BodyOut<typeof scimConnections.update> },
  found: StoredConnection,
): Promise<void> {
  const { revision, ...sent } = ctx.body;
  checkRevision(found, { revision }, stateOf(found));
  const fields = await tidied(ctx.db, sent);
  const changes = changesBetween(found, fields);
  if (Object.keys(changes).length === 0) return;
  if (admitsOthers(found, { ...found, ...fields })) await requireGivingRules(ctx, sourceOf(found));
  if (fields.entity_ids && (await findRuleOutside(ctx.db, fields.entity_ids, rulesOf(sourceOf(found)))))
    throw invalid('entity_ids', text('scim.rules_elsewhere'));
  await ctx.db.updateTable('scim_connections').set(fields).where('id', '=', found.id).execute();
  await record(ctx, {
    action: 'scim_connection.updated',
    subject_id: found.id,
    subject_label: fields.name ?? found.name,
    changes,
  });
  if (fields.entity_ids !== undefined) await queueRoleRules(ctx.db, sourceOf(found));
}

/** Enables or disables a locked connection. */
export async function switchConnection(
  ctx: WriteCtx & { body: { revision?: number | undefined } },
  found: StoredConnection,
  is_enabled: boolean,
): Promise<void> {
  checkRevision(found, ctx.body, stateOf(found));
  if (found.is_enabled === is_enabled) return;
  if (is_enabled) await requireGivingRules(ctx, sourceOf(found));
  await ctx.db.updateTable('scim_connections').set({ is_enabled }).where('id', '=', found.id).execute();
  // its groups are kept, because no provider would send them again, so the roles return with it
  if (is_enabled) await queueRoleRules(ctx.db, sourceOf(found));
  else await endRolesOf(ctx, sourceOf(found));
  await record(ctx, {
    action: is_enabled ? 'scim_connection.enabled' : 'scim_connection.disabled',
    subject_id: found.id,
    subject_label: found.name,
  });
}

/** Removes a locked connection, its account and its tokens. Blocks stay: a removal must not let anyone in. */
export async function deleteConnection(ctx: WriteCtx, found: StoredConnection): Promise<void> {
  await endRolesOf(ctx, sourceOf(found));
  await ctx.db.deleteFrom('scim_connections').where('id', '=', found.id).execute();
  await ctx.db.deleteFrom('users').where('id', '=', found.user_id).execute();
  await record(ctx, {
    action: 'scim_connection.deleted',
    subject_id: found.id,
    subject_label: found.name,
    changes: { entity_ids: { from: found.entity_ids, to: null } },
  });
}

/** Revokes the token of a locked connection, if there is one. */
export async function revokeToken(ctx: WriteCtx, found: StoredConnection): Promise<void> {
  await endTokensOf(ctx.db, [found.user_id], 'revoked');
  await record(ctx, {
    action: 'scim_connection.token_revoked',
    subject_id: found.id,
    subject_label: found.name,
  });
}

/** Creates the token of a locked connection; the previous one ends. */
export async function replaceToken(
  ctx: WriteCtx,
  found: StoredConnection,
): Promise<{ token: string; expires_at: string }> {
  // the holder of the token decides who is in which group
  await requireGivingRules(ctx, sourceOf(found));
  await endTokensOf(ctx.db, [found.user_id], 'replaced');
  const { id, token, expires_at } = await createToken(ctx.db, {
    user_id: found.user_id,
    kind: 'provisioning',
    name: found.name,
    permissions: null,
    entity_ids: null,
    days: tokenDays,
    created_by: ctx.actor.user_id,
    session_id: ctx.actor.session_id,
  });
  await record(ctx, {
    action: 'scim_connection.token_created',
    subject_id: found.id,
    subject_label: found.name,
    changes: { expires_at: { from: null, to: expires_at } },
  });
  await notifyConnectionToken(ctx, found.owner_ids, { id, connection: found });
  return { token, expires_at };
}
