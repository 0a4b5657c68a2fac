import type pg from 'pg';
import { randomBytes } from '../crypto/crypto.ts';
import { Refusal } from './refusal.ts';
import { connectFor } from './snapshot.ts';

export type Run = {
  kind: 'backup' | 'verification' | 'drill';
  /** The name of the backup in the archive. */
  backup: string | null;
  startedAt: Date;
  details?: Record<string, unknown>;
  error?: string;
};

/** A migration creates the tables of this file. */
function refuseOlder(error: Error & { code?: string }): never {
  if (error.code !== '42P01') throw error;
  throw new Refusal('The database is not prepared for backups by this release yet: start the service once.', {
    cause: error,
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectFor('backup', url);
  try {
    return await work(client).catch(refuseOlder);
  } finally {
    await client.end();
  }
}

/** The key that names the chunks of this installation; its first backup creates it. */
export const loadBackupKey = (url: string): Promise<Buffer> =>
  withClient(url, async (client) => {
    await client.query('insert into backup_key (key) values ($1) on conflict do nothing', [randomBytes(32)]);
    const { rows } = await client.query<{ key: Buffer }>('select key from backup_key');
    return rows[0]?.key as Buffer;
  });

/** Whether a backup was written into this folder before. */
export const hasRecordedBackups = (url: string, folder: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query(
      "select from backups where kind = 'backup' and status = 'done' and rtrim(details ->> 'folder', '/') = rtrim($1, '/') limit 1",
      [folder],
    );
    return rowCount === 1;
  });

/** The backups in this folder that the list knows: the SHA-256 of each manifest by name. */
export const recordedBackups = (url: string, folder: string): Promise<Map<string, string | null>> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ backup: string; sha256: string | null }>(
      `select backup, details ->> 'manifestSha256' as sha256 from backups
       where kind = 'backup' and status = 'done' and rtrim(details ->> 'folder', '/') = rtrim($1, '/') and backup is not null`,
      [folder],
    );
    return new Map(rows.map(({ backup, sha256 }) => [backup, sha256]));
  });

const recordLimit = 500;

/** Adds a line to the list of runs, which keeps the last 500 of each kind and the newest success in each folder. */
export const recordRun = (url: string, { kind, backup, startedAt, details = {}, error }: Run): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(
      `insert into backups (kind, status, backup, started_at, details, error) values ($1, $2, $3, $4, $5, $6)`,
      [kind, error === undefined ? 'done' : 'failed', backup, startedAt, details, error ?? null],
    );
    await client.query(
      `delete from backups where kind = $1 and id <= (
         select id from backups where kind = $1 order by id desc offset $2 limit 1)
         and id not in (select max(id) from backups where status = 'done' group by kind, details ->> 'folder')`,
      [kind, recordLimit],
    );
  });
