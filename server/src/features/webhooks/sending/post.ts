import type { deliveryErrors, Webhook } from '@tenure/contract';
import { sql } from 'kysely';
import { openSecret } from '../../../crypto/sealed-column.ts';
import type { KeyRing } from '../../../crypto/keys.ts';
import { signMessage } from '../../../crypto/webhook-signature.ts';
import type { Db } from '../../../db/connect.ts';
import type { Door } from '../../../http-out/door.ts';
import { reasonOf } from '../../../http-out/failures.ts';

export type DeliveryError = (typeof deliveryErrors)[number];
/** The outcome of an attempt. */
export type Outcome = {
  http_status: number | null;
  error: DeliveryError | null;
  ms: number;
  /** Seconds for which the receiver asked to wait. */
  retry_after: number | null;
};

/** The address of the receiver, and the signing keys. */
export type Receiver = Pick<Webhook, 'url' | 'signature'> & { keys: readonly Buffer[] };

/** The timeout of a response, and the maximum bytes read, although only its status matters. */
export const receiverLimits = { timeoutMs: 15_000, maxBytes: 16_384 } as const;

/** Seconds of a `Retry-After`, which may be a date. */
function secondsOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}

/** Sends a message once. Never throws because of the receiver. */
export async function post(
  door: Door,
  { url, signature, keys }: Receiver,
  { id, body }: { id: string; body: string },
): Promise<Outcome> {
  const started = performance.now();
  const timestamp = Math.floor(Date.now() / 1_000);
  const ended = (outcome: Pick<Outcome, 'http_status' | 'error'>, retry_after: number | null = null): Outcome => ({
    ...outcome,
    retry_after,
    ms: Math.round(performance.now() - started),
  });
  try {
    const { status, headers } = await door.send({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signMessage(signature, keys, { id, timestamp, body }),
      },
      body: Buffer.from(body),
      ...receiverLimits,
      statusOnly: true,
    });
    const isFine = status >= 200 && status < 300;
    return ended({ http_status: status, error: isFine ? null : 'status' }, secondsOf(headers['retry-after']));
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason) throw error;
    return ended({ http_status: null, error: reason });
  }
}

type Stored = Pick<Webhook, 'url' | 'signature'> & { secret: string | null; previous_secret: string | null };

/** The receiver of a webhook; undefined if its secret cannot be decrypted. */
export async function readReceiver(db: Db, ring: KeyRing, id: number): Promise<Receiver | undefined> {
  const { rows } = await sql<Stored>`
    select url, signature, secret, case when previous_until > now() then previous_secret end as previous_secret
    from webhooks where id = ${id}`.execute(db);
  const [row] = rows;
  const open = (column: 'secret' | 'previous_secret') => {
    const sealed = row?.[column] ?? null;
    return sealed === null ? null : (openSecret(ring, { table: 'webhooks', column, id }, sealed)?.plain ?? null);
  };
  const [secret, previous] = [open('secret'), open('previous_secret')];
  if (!row || !secret) return undefined;
  return { url: row.url, signature: row.signature, keys: previous ? [secret, previous] : [secret] };
}
