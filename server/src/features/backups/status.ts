import { backupKinds } from '@tenure/contract';
import type { BackupRun, BackupStatus, BackupWork, BaseBackups } from '@tenure/contract';
import { folderOf } from '../../backup/archive.ts';
import { dueNear } from '../../backup/cron.ts';
import { baseAt } from '../../backup/points/base-due.ts';
import { nextTry, readBaseState } from '../../backup/points/base-state.ts';
import type { BaseState } from '../../backup/points/base-state.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { s3AddressOf } from '../../files/places.ts';
import type { S3Settings } from '../../files/places.ts';
import { isS3 } from '../../s3/address.ts';
import { drillAt, verificationAt } from '../../jobs/backups.ts';
import { failuresSinceSuccess, countKeptBackups, newestRuns } from './queries.ts';
import type { Failures } from './queries.ts';

type Settings = Pick<
  Config,
  | 'BACKUP_URL'
  | 'BACKUP_SCHEDULE'
  | 'BACKUP_KEEP'
  | 'BACKUP_RECIPIENT'
  | 'BACKUP_VERIFY'
  | 'BACKUP_DRILL'
  | 'BACKUP_WAL'
  | 'DATA_DIR'
> &
  S3Settings;

const hour = 3_600_000;
/** The maximum age of a daily backup, which may run late and take long; for a rarer one, its interval and `grace`. */
const daily = 26 * hour;
const grace = 2 * hour;
/** A single failure is retried within a minute. */
const failuresToReport = 3;

/** The place of the backups, without the keys that its address may contain. */
const nameOf = (address: string, settings: Settings): string =>
  isS3(address) ? s3AddressOf(address, settings).name : folderOf(address);

/** The status of the backups at a time in milliseconds. */
export async function readStatus(db: Db, settings: Settings, now: number): Promise<BackupStatus> {
  const [runs, failures] = [await newestRuns(db), await failuresSinceSuccess(db)];
  const works = backupKinds.map((kind) => workOf(kind, { settings, runs, failures, now }));
  const bases = settings.BACKUP_WAL ? basesOf(await readBaseState(settings.DATA_DIR), now) : null;
  const alert = settings.BACKUP_URL ? alertOf({ settings, runs, failures, now }) : null;
  return {
    folder: settings.BACKUP_URL ? nameOf(settings.BACKUP_URL, settings) : null,
    keep: settings.BACKUP_KEEP,
    kept: await countKeptBackups(db),
    works,
    bases,
    alert: alert ?? (bases && bases.failures >= failuresToReport ? 'bases_failing' : null),
  };
}

type Known = { settings: Settings; runs: BackupRun[]; failures: Failures[]; now: number };

function workOf(kind: BackupRun['kind'], { settings, runs, failures, now }: Known): BackupWork {
  const newest = (status: BackupRun['status']) => runs.find((run) => run.kind === kind && run.status === status);
  const count = failures.find((one) => one.kind === kind)?.count ?? 0;
  const off = whyOff(kind, settings);
  const next = off ? undefined : dueNear(patternOf(kind, settings), now, 'after');
  return {
    kind,
    next_at: next === undefined ? null : new Date(next).toISOString(),
    off,
    last_success: newest('done') ?? null,
    last_failure: count > 0 ? (newest('failed') ?? null) : null,
    failures: count,
  };
}

const patternOf = (kind: BackupRun['kind'], { BACKUP_SCHEDULE }: Settings) =>
  ({ backup: BACKUP_SCHEDULE, verification: verificationAt, drill: drillAt })[kind];

function whyOff(kind: BackupRun['kind'], settings: Settings): BackupWork['off'] {
  if (!settings.BACKUP_URL) return 'no_folder';
  if (kind === 'verification' && settings.BACKUP_VERIFY === 'off') return 'setting';
  if (kind !== 'drill' || settings.BACKUP_DRILL === 'monthly') return null;
  return settings.BACKUP_RECIPIENT ? 'unreadable' : 'setting';
}

function basesOf(state: BaseState, now: number): BaseBackups {
  const { made_at, failures, failed_at, error } = state;
  const next = nextTry(state) ?? dueNear(baseAt, now, 'after') ?? now;
  return {
    last_success_at: made_at,
    last_failure: failed_at === null || error === null ? null : { at: failed_at, error: error.slice(0, 1_000) },
    failures,
    next_at: new Date(next).toISOString(),
  };
}

function alertOf({ settings, runs, failures, now }: Known): BackupStatus['alert'] {
  const failed = failures.find(({ kind }) => kind === 'backup');
  if (failed && failed.count >= failuresToReport) return 'failing';
  const success = runs.find(({ kind, status }) => kind === 'backup' && status === 'done');
  const since = success?.finished_at ?? failed?.since;
  return since !== undefined && now - Date.parse(since) > longestPause(settings, now) ? 'overdue' : null;
}

/** The maximum age of the last success. */
function longestPause({ BACKUP_SCHEDULE }: Settings, now: number): number {
  const [before, after] = [dueNear(BACKUP_SCHEDULE, now, 'before'), dueNear(BACKUP_SCHEDULE, now, 'after')];
  return before === undefined || after === undefined ? daily : Math.max(daily, after - before + grace);
}
