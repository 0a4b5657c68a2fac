import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { passkeyHost } from './passkey-host.ts';

/**
 * Tells the database which passkeys can be used: after an installation moved to another host, users may have passkeys
 * for the previous one.
 */
export async function storePasskeyHost(db: Db, config: Config): Promise<void> {
  const host = passkeyHost(config)?.rp_id ?? '';
  // the factors of an account are cached with its rights
  await sql`
    update installation set passkey_host = ${host}, structure_version = structure_version + 1
    where passkey_host is distinct from ${host}`.execute(db);
}
