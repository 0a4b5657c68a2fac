import { sql } from 'kysely';
import { openSecret, sealSecret } from '../../crypto/sealed-column.ts';
import { randomToken, sha256Hex } from '../../crypto/crypto.ts';
import type { KeyRing } from '../../crypto/keys.ts';
import type { Db } from '../../db/connect.ts';
import { flowSeconds } from '../../http/flow-cookies.ts';
import type { SamlAnswer } from './signed.ts';

/**
 * Requests to SAML providers. An answer arrives in a request without the browser's cookies, so it is stored, sealed
 * under a random handoff, until the browser that started the flow takes it.
 */

const handoffSeconds = 60;

/** The request id of a flow; an XML name cannot start with a digit. */
export const requestIdOf = ({ state }: { state: string }): string => `_${state}`;

export const openRequest = (db: Db, providerId: number, requestId: string) =>
  sql`
  insert into saml_requests (provider_id, request_hash, expires_at)
  values (${providerId}, ${sha256Hex(requestId)}, now() + make_interval(secs => ${flowSeconds}))`.execute(db);

/** Whether a request to the provider is still unanswered. */
export async function isOpenRequest(db: Db, providerId: number, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    select from saml_requests
    where request_hash = ${sha256Hex(requestId)} and provider_id = ${providerId}
      and handoff_hash is null and expires_at > now()`.execute(db);
  return rows.length > 0;
}

const place = (id: number) => ({ table: 'saml_requests', column: 'answer', id }) as const;

/** Stores the answer to a request; of several answers, only the first returns a handoff. */
export async function storeResult(
  db: Db,
  ring: KeyRing,
  { providerId, answer }: { providerId: number; answer: SamlAnswer },
): Promise<string | undefined> {
  const handoff = randomToken(32);
  const { rows } = await sql<{ id: number }>`
    update saml_requests
    set handoff_hash = ${sha256Hex(handoff)}, expires_at = now() + make_interval(secs => ${handoffSeconds})
    where request_hash = ${sha256Hex(answer.request_id)} and provider_id = ${providerId}
      and handoff_hash is null and expires_at > now()
    returning id`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const sealed = sealSecret(ring, place(row.id), Buffer.from(JSON.stringify(answer)));
  await sql`update saml_requests set answer = ${sealed} where id = ${row.id}`.execute(db);
  return handoff;
}

/** Takes the answer to a request, once; undefined for another handoff or request, and after a minute. */
export async function takeAnswer(
  db: Db,
  ring: KeyRing,
  { providerId, requestId, handoff }: { providerId: number; requestId: string; handoff: string },
): Promise<SamlAnswer | undefined> {
  const { rows } = await sql<{ id: number; answer: string | null }>`
    delete from saml_requests
    where handoff_hash = ${sha256Hex(handoff)} and request_hash = ${sha256Hex(requestId)}
      and provider_id = ${providerId} and expires_at > now()
    returning id, answer`.execute(db);
  const [row] = rows;
  const opened = row?.answer ? openSecret(ring, place(row.id), row.answer) : null;
  return opened ? (JSON.parse(opened.plain.toString()) as SamlAnswer) : undefined;
}
