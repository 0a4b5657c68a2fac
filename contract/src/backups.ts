import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, item, page } from './envelope.ts';
import { filters, listQuery } from './lists.ts';

/** A backup, its verification, and a drill: a test restore of the newest backup. */
export const backupKinds = ['backup', 'verification', 'drill'] as const;
/** The kinds in the list of runs: a restore for use is stored as a drill, because it proves the same. */
export const backupRunKinds = [...backupKinds, 'restore'] as const;
export const backupResults = ['done', 'failed'] as const;

const shortText = z.string().max(255);
const size = z.number().nullable();

/** A completed or attempted backup, verification or test restore. Fields that do not apply are null. */
export const BackupRun = z.object({
  id: z.int(),
  kind: z.enum(backupKinds),
  status: z.enum(backupResults),
  /** For a drill: the backup was restored for use, not as a test. */
  is_restore: z.boolean(),
  /** The name of the backup in its folder. */
  backup: shortText.nullable(),
  started_at: instant,
  finished_at: instant,
  /** The error message of the command. */
  error: z.string().max(1_000).nullable(),
  rows: size,
  files: size,
  /** Bytes of the whole backup in its folder. */
  bytes: size,
  /** The bytes of it that were new. */
  sent_bytes: size,
  is_encrypted: z.boolean().nullable(),
  /** False: the machine has no key, so only the presence of all parts was checked. */
  was_read: z.boolean().nullable(),
  /** Stored elsewhere, it proves that the backup was not replaced. */
  manifest_sha256: z.string().max(64).nullable(),
});
export type BackupRun = z.output<typeof BackupRun>;

const BackupWork = z.object({
  kind: z.enum(backupKinds),
  /** Null: it is not scheduled. */
  next_at: instant.nullable(),
  /** Why it is not scheduled. `unreadable`: the machine has no key for its backups. */
  off: z.enum(['no_folder', 'setting', 'unreadable']).nullable(),
  last_success: BackupRun.nullable(),
  /** The newest failed run since then. */
  last_failure: BackupRun.nullable(),
  failures: z.int(),
});
export type BackupWork = z.output<typeof BackupWork>;

/** Copies of the whole cluster, with which points in time begin. */
const BaseBackups = z.object({
  /** Null: none was made yet, or it was before this was recorded. */
  last_success_at: instant.nullable(),
  /** The newest failure since then. */
  last_failure: z.object({ at: instant, error: z.string().max(1_000) }).nullable(),
  failures: z.int(),
  /** When the next one is made or retried. */
  next_at: instant,
});
export type BaseBackups = z.output<typeof BaseBackups>;

export const BackupStatus = z.object({
  /** The address of BACKUP_URL, without keys. Null: no backups are configured. */
  folder: z.string().max(1_000).nullable(),
  /** The setting BACKUP_KEEP, such as `7d 4w 3m`. */
  keep: shortText,
  /** How many backups the folder had after the last one; null before that. */
  kept: z.int().nullable(),
  works: z.array(BackupWork),
  /** Null: BACKUP_WAL is off, so there are no points in time. */
  bases: BaseBackups.nullable(),
  /**
   * `failing`: the last attempts failed. `overdue`: the last success was too long ago. `bases_failing`: backups work,
   * but points in time do not.
   */
  alert: z.enum(['failing', 'overdue', 'bases_failing']).nullable(),
});
export type BackupStatus = z.output<typeof BackupStatus>;

const view = { method: 'GET', permission: 'backups.view', scope: 'everything', status: 200 } as const;

export const backups = {
  status: endpoint({
    ...view,
    path: '/backups',
    summary: 'Read how backups are doing',
    reply: item(BackupStatus),
  }),
  runs: endpoint({
    ...view,
    path: '/backups/runs',
    summary: 'List backups, verifications, drills and restores, also those that failed',
    query: listQuery(['started_at'], { kind: filters.oneOf(backupRunKinds), status: filters.oneOf(backupResults) }),
    reply: page(BackupRun),
  }),
};
