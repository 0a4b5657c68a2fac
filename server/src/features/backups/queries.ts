import type { BackupRun, backups, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';

/** The columns of a `BackupRun`, from `backups b`. */
const columns = sql`
  b.id, b.kind, b.status, b.backup, b.started_at, b.finished_at, left(b.error, 1000) as error,
  coalesce((b.details ->> 'restored')::boolean, false) as is_restore,
  (b.details ->> 'rows')::float8 as rows, (b.details ->> 'files')::float8 as files,
  (b.details ->> 'bytes')::float8 as bytes, (b.details ->> 'sentBytes')::float8 as sent_bytes,
  (b.details ->> 'isEncrypted')::boolean as is_encrypted, (b.details ->> 'wasRead')::boolean as was_read,
  b.details ->> 'manifestSha256' as manifest_sha256`;

/** A page of the runs, the newest first. */
export async function listRuns(db: Db, query: QueryOut<typeof backups.runs>) {
  const where = every([
    ...oneOfTexts(sql`case when b.details @> '{"restored": true}' then 'restore' else b.kind end`, query.kind),
    ...oneOfTexts(sql`b.status`, query.status),
    ...holdsWords([sql`b.backup`, sql`b.error`], query.search),
  ]);
  const direction = query.sort_direction ?? (query.sort_by ? 'asc' : 'desc');
  return selectPage(db, query, {
    rows: sql<BackupRun>`select ${columns} from backups b where ${where} ${orderedBy(sql`b.started_at`, direction, sql`b.id`)}`,
    total: sql`select count(*) from backups b where ${where}`,
  });
}

/** The newest success and the newest failure of each kind. */
export async function newestRuns(db: Db): Promise<BackupRun[]> {
  const { rows } = await sql<BackupRun>`
    select distinct on (b.kind, b.status) ${columns} from backups b order by b.kind, b.status, b.id desc`.execute(db);
  return rows;
}

export type Failures = { kind: BackupRun['kind']; count: number; since: string };

/** How many runs of each kind failed since its newest success, and when the first of these began. */
export async function failuresSinceSuccess(db: Db): Promise<Failures[]> {
  const { rows } = await sql<Failures>`
    select b.kind, count(*) as count, min(b.started_at) as since from backups b
    where b.status = 'failed' and b.id > coalesce(
      (select max(d.id) from backups d where d.kind = b.kind and d.status = 'done'), 0)
    group by b.kind`.execute(db);
  return rows;
}

/** How many backups the folder had after the newest backup. */
export async function countKeptBackups(db: Db): Promise<number | null> {
  const { rows } = await sql<{ kept: number | null }>`
    select (b.details ->> 'kept')::int as kept from backups b
    where b.kind = 'backup' and b.status = 'done' order by b.id desc limit 1`.execute(db);
  return rows[0]?.kept ?? null;
}
