import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { passkeyHost } from './passkey-host.ts';

/**
 * Lets the database know which passkeys can be used: an installation that moved to another host has people whose passkeys
 * are of the former one.
 */
export async function notePasskeyHost(db: Db, config: Config): Promise<void> {
  const host = passkeyHost(config)?.rp_id ?? '';
  // what accounts have to prove is kept with their rights
  await sql`
    update installation set passkey_host = ${host}, structure_version = structure_version + 1
    where passkey_host is distinct from ${host}`.execute(db);
}
