import { sql } from 'kysely';
import type { Archive } from '../backup/archive.ts';
import { pathOfChunk } from '../backup/chunks.ts';
import { archiveOf } from '../backup/command.ts';
import { timeOf } from '../backup/keep.ts';
import { listBackups, readNames } from '../backup/manifest.ts';
import { readBaseState } from '../backup/points/base-state.ts';
import { Refusal, sentence } from '../backup/refusal.ts';
import type { Run } from '../backup/runs.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

/** The runs of one kind. */
type Runs = {
  kind: Run['kind'];
  /** Days since the last success, and since the first attempt. */
  done_days: number | null;
  first_days: number;
  /** The error of the newest run. */
  failed: string | null;
};

const question = sql<Runs>`
  select kind,
    (extract(epoch from now() - max(finished_at) filter (where status = 'done')) / 86400)::float8 as done_days,
    (extract(epoch from now() - min(started_at)) / 86400)::float8 as first_days,
    (array_agg(error order by finished_at desc, id desc))[1] as failed
  from backups group by kind`;

/** Hours after which the schedule's next backup should exist, with some tolerance. */
export function maxHoursBetween(schedule: string): number {
  const [, , day, month, weekday] = schedule.split(' ');
  if (month !== '*') return 366 * 24;
  if (day !== '*') return 32 * 24;
  return weekday === '*' ? 26 : 8 * 24;
}

function checkAge({ done_days, failed }: Runs, { BACKUP_SCHEDULE }: Config): Finding {
  if (failed !== null)
    return fail('backup', `The last backup failed: ${failed}`, 'Remove the cause, then run the command backup.');
  const hours = (done_days ?? 0) * 24;
  const age = `The last backup was made ${Math.round(hours)} h ago`;
  return hours > maxHoursBetween(BACKUP_SCHEDULE)
    ? fail(
        'backup',
        `${age}; a newer one is overdue by the schedule ${BACKUP_SCHEDULE}`,
        'Start a process with ROLE=all or worker.',
      )
    : ok('backup', age);
}

type Proof = { name: string; what: string; done: string; maxDays: number; command: string };

const proofs = {
  verification: {
    name: 'verified',
    what: 'verification of a backup',
    done: 'A backup was last verified',
    maxDays: 35,
    command: 'backup --verify',
  },
  drill: {
    name: 'drill',
    what: 'test restore',
    done: 'A backup was last restored as a test',
    maxDays: 65,
    command: 'restore --check',
  },
} as const satisfies Record<string, Proof>;

/** Checks for proof that backups can be used; `backupDays` is the age of the first one. */
function checkProof(
  runs: Runs | undefined,
  { name, what, done, maxDays, command }: Proof,
  backupDays: number,
): Finding[] {
  const remedy = `Run the command ${command}.`;
  if (runs && runs.failed !== null) return [fail(name, `The last ${what} failed: ${runs.failed}`, remedy)];
  if (typeof runs?.done_days === 'number') {
    const age = `${done} ${Math.floor(runs.done_days)} days ago`;
    return [runs.done_days > maxDays ? warn(name, age, remedy) : ok(name, age)];
  }
  // the first one is not due yet
  if (backupDays <= maxDays) return [];
  return [warn(name, `No ${what} has succeeded since the first backup, ${Math.floor(backupDays)} days ago`, remedy)];
}

function checkScheduled(runs: readonly Runs[], config: Config): Finding[] {
  const of = (kind: Run['kind']) => runs.find((one) => one.kind === kind);
  const made = of('backup');
  if (!made)
    return [warn('backup', 'No backup has been made yet', 'Run the command backup once, and check that it succeeds.')];
  return [
    checkAge(made, config),
    ...(config.BACKUP_VERIFY === 'off' ? [] : checkProof(of('verification'), proofs.verification, made.first_days)),
    ...(config.BACKUP_DRILL === 'off' ? [] : checkProof(of('drill'), proofs.drill, made.first_days)),
  ];
}

/** What the database has recorded about its backups. */
export async function checkRuns(db: Db, config: Config): Promise<Finding[]> {
  if (config.BACKUP_URL) return checkScheduled((await question.execute(db)).rows, config);
  if (config.DATABASE_URL) return [ok('backup', 'None are scheduled: the database server has its own backups')];
  return config.production
    ? [warn('backup', 'No backups are scheduled', 'Set BACKUP_URL to a folder on another disk or machine.')]
    : [ok('backup', 'None are scheduled (BACKUP_URL is not set)')];
}

const chunksLookedAt = 50;

/** Checks the newest backup of an archive and some of its chunks; `npm run backup -- --verify` reads all of it. */
async function checkNewest(archive: Archive): Promise<Finding> {
  if (!(await archive.describe()))
    return warn(
      'archive',
      `${archive.root} contains no backups yet`,
      'Mount its disk, or run the command backup once.',
    );
  const newest = (await listBackups(archive)).at(-1);
  if (!newest)
    return warn(
      'archive',
      `${archive.root} contains no complete backup`,
      'Run the command backup, and see why it fails.',
    );
  const names = await readNames(archive, newest);
  for (const name of names.slice(-chunksLookedAt))
    if ((await archive.size(pathOfChunk(name))) === 0)
      return fail(
        'archive',
        `The backup ${newest} lacks ${pathOfChunk(name)}`,
        'Run the command backup, check the disk, and use another copy of the archive.',
      );
  return ok('archive', `${archive.root} can be read; its newest backup was made at ${timeOf(newest)}`);
}

/** Bases, with which points in time begin: what this machine has recorded about them. */
export async function checkBases({ BACKUP_WAL, DATA_DIR }: Config): Promise<Finding[]> {
  if (!BACKUP_WAL) return [];
  const { made_at, failures, error } = await readBaseState(DATA_DIR);
  if (failures > 0)
    return [
      fail(
        'points',
        `No base for point-in-time recovery can be made; attempts failed: ${failures}, the last one with: ${error}`,
        'Remove the cause; the service retries, or run the command backup --base.',
      ),
    ];
  // a base from before this was recorded is in the archive
  return made_at === null ? [] : [ok('points', `The last base for point-in-time recovery was made at ${made_at}`)];
}

/** The backup folder. */
export async function checkArchive(config: Config): Promise<Finding[]> {
  if (!config.BACKUP_URL) return [];
  try {
    return [await checkNewest(archiveOf({ config, folder: undefined }, '--to'))];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // a refusal says what is wrong, then what to do
    const [what = '', remedy = 'Choose another folder.'] = error.message.split(/: (?=[^:]*$)/);
    return [fail('archive', what, sentence(remedy))];
  }
}
