import type { ChatTarget } from '@tenure/contract';
import { sql } from 'kysely';
import { openValue } from '../../access/sealed-columns.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../http/context.ts';
import { reasonOf } from '../../http-out/failures.ts';

export type Outcome = Pick<ChatTarget, 'http_status' | 'error'>;

const limits = { timeoutMs: 15_000, maxBytes: 16_384, statusOnly: true } as const;

async function post({ door }: Deps, url: string, body: string): Promise<Outcome> {
  try {
    const { status } = await door.send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(body),
      ...limits,
    });
    return { http_status: status, error: status >= 200 && status < 300 ? null : 'status' };
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason) throw error;
    return { http_status: null, error: reason };
  }
}

export const urlColumn = { table: 'chat_targets', column: 'url' } as const;

/** The sealed address of a target. */
export async function readAddress(db: Db, id: number): Promise<string | null> {
  const { rows } = await sql<{ sealed: string | null }>`
    select url as sealed from chat_targets where id = ${id}`.execute(db);
  return rows[0]?.sealed ?? null;
}

type Address = { id: number; sealed: string | null };

/** Posts once, and stores the outcome. An address that can no longer be decrypted counts as denied. */
export async function sendTo(deps: Deps, { id, sealed }: Address, body: string): Promise<Outcome> {
  const url = openValue(deps.ring, urlColumn, { id, sealed });
  const outcome: Outcome = url ? await post(deps, url.toString(), body) : { http_status: null, error: 'denied' };
  const { http_status, error } = outcome;
  await sql`
    update chat_targets set tried_at = now(), http_status = ${http_status}, error = ${error}
    where id = ${id}`.execute(deps.db);
  if (error !== null)
    deps.log.warn(
      { event: 'chat_failed', chat_target_id: id, error, status: http_status },
      'a post to a chat channel failed',
    );
  return outcome;
}

/** The services behind the addresses accept one message per second. */
export const secondsBetweenTests = 1;

/** Claims the target's one test message of this second, across all processes. False if it was already claimed. */
export async function takeTest(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    update chat_targets set tested_at = now()
    where id = ${id} and (tested_at is null or tested_at <= now() - make_interval(secs => ${secondsBetweenTests}))
    returning id`.execute(db);
  return rows.length > 0;
}
