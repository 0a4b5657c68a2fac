import { chown, mkdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pg from 'pg';
import type { Account } from './account.ts';
import type { Settings } from './settings.ts';

/** Where the server puts WAL, which the service sends to the backup archive. */
export const spoolFolder = (dataDir: string): string => join(dataDir, 'wal-spool');

/** The suffix of a spooled file until it is complete. */
export const spoolDraft = '.draft';

const quoted = (path: string) => `'${path.replaceAll('%', '%%').replaceAll("'", `'\\''`)}'`;

/**
 * Creates the spool, accessible only to the server's account, and returns the settings that fill it. The command uses
 * the path relative to the cluster, because a parent folder may bar the account from the full path.
 */
export async function prepareSpool(
  dataDir: string,
  { cluster, account }: { cluster: string; account: Account | undefined },
): Promise<Settings> {
  const spool = spoolFolder(dataDir);
  await mkdir(spool, { recursive: true, mode: 0o700 });
  if (account) await chown(spool, account.uid, account.gid);
  const folder = relative(await realpath(cluster), await realpath(spool));
  const file = `${quoted(folder)}/%f`;
  // a file is complete or has another name, and both file and name are on disk before the server forgets the WAL
  const copy = `cp %p ${file}${spoolDraft} && sync ${file}${spoolDraft} && mv ${file}${spoolDraft} ${file}`;
  return {
    archive_mode: 'on',
    archive_timeout: 60,
    archive_command: `PATH=/usr/bin:/bin; ${copy} && sync ${quoted(folder)}`,
  };
}

/** Whether the role may read the whole cluster, as base backups do. */
export async function mayReplicate(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ may: boolean }>(
      'select rolreplication as may from pg_roles where rolname = current_user',
    );
    return rows[0]?.may === true;
  } finally {
    await client.end();
  }
}
