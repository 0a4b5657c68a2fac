import { sql } from 'kysely';
import type { PrivateKey } from 'openid-client';
import { readSecret, storeSecret } from '../access/sealed-columns.ts';
import { newClientKey, signerOf } from '../crypto/client-key.ts';
import type { KeyRing } from '../crypto/keys.ts';
import type { Db } from '../db/connect.ts';

/** The key that authenticates the service to providers without a secret (`private_key_jwt`). */

const column = { table: 'client_keys', column: 'private_key' } as const;

/** Stores a new key that starts to sign in this many days. */
export async function makeKey(db: Db, ring: KeyRing, inDays: number): Promise<void> {
  const { kid, publicKey, pkcs8 } = newClientKey();
  const { rows } = await sql<{ id: number }>`
    insert into client_keys (kid, public_key, signs_from)
    values (${kid}, ${JSON.stringify(publicKey)}::jsonb, now() + make_interval(days => ${inDays}))
    returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('no key was stored');
  await storeSecret(db, ring, column, row.id, pkcs8);
}

/** The key that signs now; undefined if there is none, or the application key that sealed it is gone. */
export async function signingKey(db: Db, ring: KeyRing): Promise<PrivateKey | undefined> {
  const { rows } = await sql<{ id: number; kid: string }>`
    select id, kid from client_keys where signs_from <= now() order by signs_from desc, id desc limit 1`.execute(db);
  const [row] = rows;
  const pkcs8 = row && (await readSecret(db, ring, column, row.id));
  return pkcs8 ? { kid: row.kid, key: await signerOf(pkcs8) } : undefined;
}

/** Serialises changes of the keys. */
export const lockKeys = (db: Db) => sql`select pg_advisory_xact_lock(hashtext('client_keys'))`.execute(db);

/** Creates the first key, or a new one if the current one can no longer be read. */
export async function ensureKey(db: Db, ring: KeyRing): Promise<void> {
  await lockKeys(db);
  if (!(await signingKey(db, ring))) await makeKey(db, ring, 0);
}
