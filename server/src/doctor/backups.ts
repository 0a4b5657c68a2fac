import { sql } from 'kysely';
import type { Archive } from '../backup/archive.ts';
import { pathOfChunk } from '../backup/chunks.ts';
import { archiveOf } from '../backup/command.ts';
import { timeOf } from '../backup/keep.ts';
import { listBackups, readNames } from '../backup/manifest.ts';
import { readBaseState } from '../backup/points/base-state.ts';
import { Refusal } from '../backup/refusal.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

type LastRuns = {
  made_hours: number | null;
  failed: string | null;
  verified_days: number | null;
};

const question = sql<LastRuns>`
  with last as (
    select distinct on (kind, status) kind, status, finished_at, error from backups
    order by kind, status, finished_at desc)
  select
    (select extract(epoch from now() - finished_at) / 3600 from last
     where kind = 'backup' and status = 'done')::float8 as made_hours,
    (select f.error from last f left join last d on d.kind = 'backup' and d.status = 'done'
     where f.kind = 'backup' and f.status = 'failed'
       and (d.finished_at is null or f.finished_at > d.finished_at)) as failed,
    (select extract(epoch from now() - finished_at) / 86400 from last
     where kind = 'verification' and status = 'done')::float8 as verified_days`;

const mostDaysUnverified = 35;

/** Hours after which the next backup of a schedule should be there, with some hours to spare. */
export function mostHoursBetween(schedule: string): number {
  const [, , day, month, weekday] = schedule.split(' ');
  if (month !== '*') return 366 * 24;
  if (day !== '*') return 32 * 24;
  return weekday === '*' ? 26 : 8 * 24;
}

function checkAge({ made_hours, failed }: LastRuns, { BACKUP_SCHEDULE }: Config): Finding {
  if (failed !== null)
    return fail('backup', `The last backup failed: ${failed}`, 'Correct the cause, then run npm run backup.');
  if (made_hours === null)
    return warn('backup', 'No backup was made yet', 'Run npm run backup once, and see whether it works.');
  const age = `The last backup was made ${Math.round(made_hours)} h ago`;
  return made_hours > mostHoursBetween(BACKUP_SCHEDULE)
    ? fail(
        'backup',
        `${age}, by the schedule ${BACKUP_SCHEDULE} it is late`,
        'Start a process with ROLE=all or worker.',
      )
    : ok('backup', age);
}

function checkVerified({ verified_days, made_hours }: LastRuns, { BACKUP_VERIFY }: Config): Finding[] {
  // the first verification comes on a Sunday
  if (BACKUP_VERIFY === 'off' || made_hours === null || verified_days === null) return [];
  const age = `A backup was verified ${Math.floor(verified_days)} days ago`;
  return [
    verified_days > mostDaysUnverified ? warn('verified', age, 'Run npm run backup -- --verify.') : ok('verified', age),
  ];
}

/** What the database knows of its backups. */
export async function checkRuns(db: Db, config: Config): Promise<Finding[]> {
  const [runs] = (await question.execute(db)).rows as [LastRuns];
  if (config.BACKUP_URL) return [checkAge(runs, config), ...checkVerified(runs, config)];
  if (config.DATABASE_URL) return [ok('backup', 'None by schedule: those of the database server count')];
  return config.production
    ? [warn('backup', 'No backups are made by schedule', 'Set BACKUP_URL to a folder on another disk or machine.')]
    : [ok('backup', 'None by schedule (BACKUP_URL)')];
}

const chunksLookedAt = 50;

/** The newest backup of an archive with some of its chunks; `npm run backup -- --verify` reads all of it. */
async function checkNewest(archive: Archive): Promise<Finding> {
  if (!(await archive.describe()))
    return warn('archive', `${archive.root} holds no backups yet`, 'Mount its disk, or run npm run backup once.');
  const newest = (await listBackups(archive)).at(-1);
  if (!newest)
    return warn('archive', `${archive.root} holds no complete backup`, 'Run npm run backup and see why it ends.');
  const names = await readNames(archive, newest);
  for (const name of names.slice(-chunksLookedAt))
    if ((await archive.size(pathOfChunk(name))) === 0)
      return fail(
        'archive',
        `The backup ${newest} lacks ${pathOfChunk(name)}`,
        'Run npm run backup, look at the disk, and use another copy of the archive.',
      );
  return ok('archive', `${archive.root} can be read; its newest backup is of ${timeOf(newest)}`);
}

/** Bases, with which points in time begin: what is known of them on this machine. */
export async function checkBases({ BACKUP_WAL, DATA_DIR }: Config): Promise<Finding[]> {
  if (!BACKUP_WAL) return [];
  const { made_at, failures, error } = await readBaseState(DATA_DIR);
  if (failures > 0)
    return [
      fail(
        'points',
        `No base of points in time can be made, ${failures} failed: ${error}`,
        'Correct the cause; it is tried again, or run npm run backup -- --base.',
      ),
    ];
  // one of before this was noted is in the archive
  return made_at === null ? [] : [ok('points', `The last base of points in time was made at ${made_at}`)];
}

/** The folder of the backups. */
export async function checkArchive(config: Config): Promise<Finding[]> {
  if (!config.BACKUP_URL) return [];
  try {
    return [await checkNewest(archiveOf({ config, folder: undefined }, '--to'))];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // a refusal says what is wrong, then what to do
    const [what = '', remedy = 'Choose another folder.'] = error.message.split(/: (?=[^:]*$)/);
    return [fail('archive', what, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}`)];
  }
}
