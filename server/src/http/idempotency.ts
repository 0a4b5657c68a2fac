import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { invalid, unavailable } from './errors.ts';
import type { HttpError } from './errors.ts';
import type { Execution } from './request-context.ts';

/** The request that a key stands for; the same key is refused for any other. */
export type IdempotentRequest = { userId: number; key: string; method: string; path: string; bodyHash: string };
/** An answer as it is stored; `sight` is a fingerprint of what its sender saw, if the answer is repeated unchanged. */
export type Stored = { status: number; text: string; sight: string | null };
/** Neither of the two: the key is ours and the work is still to be done. */
export type Claim = { stored?: Stored; refusal?: HttpError };

const isValidKey = (key: string) => /^[\x21-\x7e]{1,255}$/.test(key);
const field = 'idempotency_key';
/** The work was done, and its answer is not repeated. */
const used = text('validation.used');
export const alreadyUsed = () => invalid(field, used);
const usedOtherwise = text('validation.used_otherwise');

/** Inserts the key, or waits at most 5 s for the request that just did. Returns whether it is ours now. */
async function insertKey(db: Db, { userId, key, method, path, bodyHash }: IdempotentRequest): Promise<boolean> {
  const { rows: limits } = await sql<{ lock: string; statement: string }>`
    select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`.execute(db);
  const [{ lock, statement }] = limits as [{ lock: string; statement: string }];
  await sql`select set_config('lock_timeout', '5s', true), set_config('statement_timeout', '6s', true)`.execute(db);
  const claimed = await sql`
    insert into idempotency_keys (user_id, key, method, path, body_hash)
    values (${userId}, ${key}, ${method}, ${path}, ${bodyHash})
    on conflict (user_id, key) do update set
      method = excluded.method, path = excluded.path, body_hash = excluded.body_hash, status = null, body = null, sight = null,
      created_at = now()
    where idempotency_keys.created_at < now() - interval '24 hours'
    returning 1`
    .execute(db)
    .catch((error: { code?: string }) => {
      throw error.code === '55P03' ? unavailable(1) : error;
    });
  await sql`select set_config('lock_timeout', ${lock}, true), set_config('statement_timeout', ${statement}, true)`.execute(
    db,
  );
  return claimed.rows.length > 0;
}

/** What is known about a key: nothing, the earlier answer, or why it may not be used. */
export async function lookUpKey(db: Db, request: IdempotentRequest): Promise<Claim> {
  if (!isValidKey(request.key)) return { refusal: invalid(field, text('validation.format')) };
  const before = await db
    .selectFrom('idempotency_keys')
    .select(['method', 'path', 'body_hash', 'status', 'body', 'sight'])
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .where('created_at', '>=', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst();
  if (!before) return {};
  const isSame =
    before.method === request.method && before.path === request.path && before.body_hash === request.bodyHash;
  if (!isSame) return { refusal: invalid(field, usedOtherwise) };
  // an answer with a secret is marked as given and never stored
  if (before.status === null) return { refusal: alreadyUsed() };
  return { stored: { status: before.status, text: before.body ?? '', sight: before.sight } };
}

/** Claims a key inside the transaction of the work: ours, or the earlier answer, or why it may not be used. */
export async function claimKey(db: Db, request: IdempotentRequest): Promise<Claim> {
  if (!isValidKey(request.key) || !(await insertKey(db, request))) return lookUpKey(db, request);
  return {};
}

/** Another request with the same key came first, so this one's work is rolled back. */
export class KeyTaken extends Error {}

/**
 * Claims a key in one of several transactions of the work.
 * @throws {KeyTaken} so that the transaction is rolled back
 */
export async function claimKeyOrThrow(db: Db, request: IdempotentRequest): Promise<void> {
  if (!(await insertKey(db, request))) throw new KeyTaken();
}

/** Deletes a key whose work had no effect. */
export async function freeKey(db: Db, { userId, key }: IdempotentRequest): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('user_id', '=', userId).where('key', '=', key).execute();
}

/** Stores the answer of the work under its key, in the transaction of the work. */
export async function storeAnswer(db: Db, request: IdempotentRequest, { status, text, sight }: Stored): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status, body: text, sight })
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .execute();
}

/** Repeating these is harmless or refused; the hash of a body with a password would be as good as the password. */
const neverKept = new Set(['/logout', '/profile/step-up', '/profile/totp/confirm']);

/** The request that an Idempotency-Key stands for; undefined without a key, or if its answer is never stored. */
export function idempotentRequest({ context, route, body }: Execution): IdempotentRequest | undefined {
  const key = context.request.headers['idempotency-key'];
  const { endpoint } = route;
  if (key === undefined || endpoint.method !== 'POST' || !context.actor || neverKept.has(endpoint.path))
    return undefined;
  const path = context.request.url.split('?', 1)[0] ?? '';
  return { userId: context.actor.user_id, key: String(key), method: endpoint.method, path, bodyHash: body.hash };
}
