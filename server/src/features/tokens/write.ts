import { messages, maxTokens, text } from '@tenure/contract';
import type { BodyOut, ownTokens, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { Rights } from '../../access/actor.ts';
import { createToken } from '../../access/api-tokens.ts';
import type { NewToken } from '../../access/api-tokens.ts';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalid, invalidFields } from '../../http/errors.ts';
import { isActive, tokenTables } from '../../access/token-tables.ts';

type Sent = BodyOut<typeof ownTokens.create>;
/** The account of a new token, locked, with its current rights. */
type Holder = { user_id: number; rights: Pick<Rights, 'grants' | 'permissions'> };

/** A token gets what its account may do now; it does not gain rights with the account later. */
function checkPermissions(wanted: readonly Permission[], { rights }: Holder) {
  const missing = wanted.flatMap((name, index) => (rights.permissions.has(name) ? [] : [`permissions.${index}`]));
  if (missing.length > 0)
    throw invalidFields(Object.fromEntries(missing.map((field) => [field, [messages.unavailable]])));
}

/** Refuses companies that the account does not cover through a role. */
async function checkCompanies(db: Db, wanted: readonly number[] | null, { rights }: Holder) {
  if (wanted === null) return;
  const { rows } = await sql<{ id: number }>`select id from entities where id = any(${wanted}::bigint[])`.execute(db);
  const known = new Set(rows.map(({ id }) => id));
  const isReached = (id: number) =>
    rights.grants.some(
      ({ entity_ids, in_departments }) =>
        entity_ids === null ||
        entity_ids.includes(id) ||
        in_departments?.named.some(({ entity_id }) => entity_id === id),
    );
  if (wanted.some((id) => !known.has(id) || !isReached(id))) throw invalid('entity_ids', messages.unavailable);
}

async function refuseMore(db: Db, userId: number) {
  const { rows } = await sql<{ active: number }>`
    select count(*) as active from ${tokenTables} where t.user_id = ${userId} and ${isActive}`.execute(db);
  if ((rows[0]?.active ?? 0) >= maxTokens) throw invalid('name', text('tokens.too_many', { most: maxTokens }));
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Creates a token for an account. Only the response contains its text. */
export async function makeToken(
  ctx: WriteCtx,
  holder: Holder,
  sent: Sent,
  { kind, days, most }: Pick<NewToken, 'kind' | 'days'> & { most: number },
): Promise<{ id: number; token: string }> {
  const { db, actor } = ctx;
  const wanted = sent.days ?? Math.min(days, most);
  if (wanted > most) throw invalid('days', text('validation.most', { most }));
  const permissions = distinct(sent.permissions).sort();
  const entity_ids = sent.entity_ids ? distinct(sent.entity_ids).sort((a, b) => a - b) : null;
  checkPermissions(sent.permissions, holder);
  await checkCompanies(db, entity_ids, holder);
  await refuseMore(db, holder.user_id);
  const { id, token, expires_at } = await createToken(db, {
    user_id: holder.user_id,
    kind,
    name: sent.name,
    permissions,
    entity_ids,
    days: wanted,
    created_by: actor.user_id,
    session_id: actor.session_id,
  });
  const made = { permissions, entity_ids, expires_at };
  const changes = Object.fromEntries(Object.entries(made).map(([name, to]) => [name, { from: null, to }]));
  await record(ctx, { action: 'token.created', subject_id: id, subject_label: sent.name, changes });
  return { id, token };
}

/** Revokes a token, which takes effect at its next request on every node. */
export async function revokeToken(
  ctx: WriteCtx,
  { id, name, state }: { id: number; name: string; state: string },
  reason: string,
): Promise<void> {
  if (state !== 'active') return;
  await sql`update api_tokens set revoked_at = now(), reason = ${reason} where id = ${id} and revoked_at is null`.execute(
    ctx.db,
  );
  await record(ctx, { action: 'token.revoked', subject_id: id, subject_label: name });
}

/** Renames a token. */
export async function renameToken(ctx: WriteCtx, before: { id: number; name: string }, name: string): Promise<void> {
  if (before.name === name) return;
  await sql`update api_tokens set name = ${name} where id = ${before.id}`.execute(ctx.db);
  const changes = { name: { from: before.name, to: name } };
  await record(ctx, { action: 'token.updated', subject_id: before.id, subject_label: name, changes });
}
