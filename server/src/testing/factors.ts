import { Secret, TOTP } from 'otpauth';
import type pg from 'pg';
import type { Client } from './client.ts';

/** A code from an authenticator app, this many steps of 30 seconds from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Clears which code was used last, so that a test need not wait for the next one. */
export const clearLastStep = (owner: pg.Pool) => owner.query('update authenticators set last_step = null');

/** Sets up an authenticator app like a user; returns its secret and the recovery codes. */
export async function enrol(client: Client): Promise<{ secret: string; recovery_codes: string[] }> {
  const begun = await client.post('/api/profile/totp');
  const { secret } = begun.body.data as { secret: string };
  const confirmed = await client.post('/api/profile/totp/confirm', { code: codeOf(secret) });
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body));
  return { secret, recovery_codes: confirmed.body.data.recovery_codes as string[] };
}
