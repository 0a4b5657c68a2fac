import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { invalid, unavailable } from './errors.ts';

/** Which request a key stands for: the same key for anything else is refused. */
export type IdempotentRequest = { userId: number; key: string; method: string; path: string; bodyHash: string };
export type Stored = { status: number; body: unknown };

export const isValidKey = (key: string) => /^[\x21-\x7e]{1,255}$/.test(key);

const used = 'The :attribute has already been used with a different request.';

/**
 * Claims a key inside the transaction of the work. A second request with the same key waits for the first, at most
 * 5 s. Returns the stored answer where the work was done before.
 */
export async function claimKey(db: Db, request: IdempotentRequest): Promise<Stored | undefined> {
  await sql`set local lock_timeout = '5s'`.execute(db);
  const claimed = await sql`
    insert into idempotency_keys (user_id, key, method, path, body_hash)
    values (${request.userId}, ${request.key}, ${request.method}, ${request.path}, ${request.bodyHash})
    on conflict (user_id, key) do update set
      method = excluded.method, path = excluded.path, body_hash = excluded.body_hash, status = null, body = null,
      created_at = now()
    where idempotency_keys.created_at < now() - interval '24 hours'
    returning 1`
    .execute(db)
    .catch((error: { code?: string }) => {
      throw error.code === '55P03' ? unavailable(1) : error;
    });
  await sql`set local lock_timeout = '2s'`.execute(db);
  if (claimed.rows.length > 0) return undefined;
  const stored = await db
    .selectFrom('idempotency_keys')
    .select(['method', 'path', 'body_hash', 'status', 'body'])
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .executeTakeFirstOrThrow();
  const same = stored.method === request.method && stored.path === request.path && stored.body_hash === request.bodyHash;
  if (!same) throw invalid('idempotency_key', used);
  if (stored.status === null) throw invalid('idempotency_key', 'The :attribute has already been used.');
  return { status: stored.status, body: stored.body };
}

/** Keeps the answer of the work under its key; an answer with a secret is only marked as given. */
export async function storeAnswer(db: Db, request: IdempotentRequest, answer: Stored | undefined): Promise<void> {
  if (!answer) return;
  await db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, body: JSON.stringify(answer.body ?? null) })
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .execute();
}
