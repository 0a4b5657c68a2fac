import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { randomId } from '../../crypto/crypto.ts';
import { syncFolder } from '../../db/data-dir.ts';
import type { DB } from '../../db/schema.ts';

/**
 * The one-time password of the first administrator in a file in DATA_DIR, for a service without a terminal, whose
 * output may end up in collected logs.
 */
export const firstPasswordFile = (dataDir: string) => join(dataDir, 'first-admin');

/** Writes the file, readable only by the service's user; an earlier one was for an account that was never created. */
export async function keepFirstPassword(dataDir: string, email: string, password: string): Promise<void> {
  const path = firstPasswordFile(dataDir);
  const draft = `${path}.${randomId()}`;
  try {
    await writeFile(draft, `${email}\n${password}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dataDir);
}

const accountOf = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).split('\n', 1)[0] ?? '';

/** Removes the file after its account has signed in. */
export async function deleteFirstPassword(dataDir: string, email: string): Promise<void> {
  const path = firstPasswordFile(dataDir);
  if ((await accountOf(path)) === email) await rm(path, { force: true });
}

/** Removes the file when its password no longer works: used on another machine, replaced or expired. */
export async function deleteUsedFirstPassword(db: Kysely<DB>, dataDir: string): Promise<void> {
  const email = await accountOf(firstPasswordFile(dataDir));
  if (email === '') return;
  const { rows } = await sql`
    select from users where email = ${email} and one_time_password and password_expires_at > now()`.execute(db);
  if (rows.length === 0) await deleteFirstPassword(dataDir, email);
}
