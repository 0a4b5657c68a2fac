import { messages, text } from '@tenure/contract';
import type { PasskeyAnswer } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import type { DB } from '../db/schema.ts';
import { HttpError, invalid, tooManyLogins } from '../http/errors.ts';
import type { From } from './known-origins.ts';
import { reserveTry } from './login-limits.ts';
import type { Reservation } from './login-limits.ts';
import type { FactorProof } from './second-factors.ts';

/** Tries for the second step of a sign-in; after that it starts over with the password. */
export const stepTries = 5;

/** A proof of a second factor as it is sent; a passkey is verified against its challenge. */
export type StepProof = FactorProof | { credential: PasskeyAnswer };

type Sent = {
  code?: string | null | undefined;
  recovery_code?: string | null | undefined;
  credential?: PasskeyAnswer | null | undefined;
};
type Field = 'code' | 'recovery_code' | 'credential';

/** The proof that was sent, and the field that a refusal names. Throws 422 if nothing was sent. */
export function proofIn({ code, recovery_code, credential }: Sent): { proof: StepProof; field: Field } {
  if (credential) return { proof: { credential }, field: 'credential' };
  if (code) return { proof: { code }, field: 'code' };
  if (recovery_code) return { proof: { recovery_code }, field: 'recovery_code' };
  throw invalid('code', messages.required);
}

/** The same answer for wrong, used and expired codes. */
export const wrongCode = (field: string) => invalid(field, text('account.code_wrong'));

/** A wrong code, or a passkey response that is not accepted. */
export const wrongProof = (field: string) =>
  field === 'credential' ? invalid(field, text('account.passkey_refused')) : wrongCode(field);

function limited(field: string, wait: number): HttpError {
  const { status, body, headers } = tooManyLogins(wait);
  return new HttpError(status, { ...body, errors: { [field]: [body.message] } }, headers);
}

/**
 * Tries a code under the same limits as passwords, with a counter that a correct password does not clear. `work`
 * returns undefined for a wrong code. Throws 429 beyond the limits.
 */
export async function tryCode<T>(
  db: Kysely<DB>,
  { email, from, field, onLimit }: { email: string; from: From; field: string; onLimit: () => void },
  work: (failures: Reservation['failures']) => Promise<T | undefined>,
): Promise<T | undefined> {
  const reservation = await reserveTry(db, email, from, 'code');
  if ('wait' in reservation) {
    onLimit();
    throw limited(field, reservation.wait);
  }
  const found = await work(reservation.failures).catch(async (error: unknown) => {
    await reservation.cancel();
    throw error;
  });
  await (found === undefined ? reservation.fail() : reservation.release());
  return found;
}

const stepKey = (id: string) => `step:${sha256Hex(id)}`;

/** Takes one of the tries of a sign-in; returns how many were made, or undefined when none is left. */
export async function takeStepTry(db: Kysely<DB>, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    insert into login_attempts (key, attempts) values (${stepKey(id)}, 1)
    on conflict (key) do update set attempts = login_attempts.attempts + 1, last_attempt_at = now()
    where login_attempts.attempts < ${stepTries}
    returning attempts`.execute(db);
  return rows[0]?.attempts;
}

/** Ends a sign-in by leaving it no more tries. */
export async function endStep(db: Kysely<DB>, id: string): Promise<void> {
  await sql`update login_attempts set attempts = ${stepTries} where key = ${stepKey(id)}`.execute(db);
}
