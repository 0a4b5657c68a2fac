import * as z from 'zod';
import { sql } from 'kysely';
import { archiveOf } from '../backup/command.ts';
import { isBasePaused, whyBaseIsDue } from '../backup/points/base-due.ts';
import { nextTry, recordBaseFailure, recordNoneDue, readBaseState } from '../backup/points/base-state.ts';
import { freeBytes } from '../backup/points/spool.ts';
import { runCommand } from '../backup/process.ts';
import { Refusal } from '../backup/refusal.ts';
import type { Run } from '../backup/runs.ts';
import type { Config } from '../config.ts';
import { notifyBackupFailed, notifyBaseFailed } from '../notifications/backups.ts';
import { addJob } from './queue.ts';
import type { JobContext, TimedTask } from './task.ts';

/** When existing backups are reread, in UTC. */
export const verificationAt = '45 4 * * 0';
export const drillAt = '15 5 1 * *';

/** Scheduled backup tasks, if there is a folder for backups. */
export function backupTasks(config: Config): TimedTask[] {
  const { BACKUP_URL, BACKUP_SCHEDULE, BACKUP_VERIFY, BACKUP_DRILL, BACKUP_WAL } = config;
  if (!BACKUP_URL) return [];
  const tasks: TimedTask[] = [{ name: 'make_backup', at: BACKUP_SCHEDULE, run: (ctx) => makeOrRetry(ctx, 1) }];
  if (BACKUP_VERIFY === 'weekly') tasks.push({ name: 'verify_backup', at: verificationAt, run: verifyNewest });
  if (BACKUP_DRILL === 'monthly') tasks.push({ name: 'backup_drill', at: drillAt, run: drillNewest });
  if (BACKUP_WAL) tasks.push({ name: 'make_base', at: '*/10 * * * *', run: makeBaseIfDue });
  return tasks;
}

const retry = z.object({ attempt: z.number().int() });

/** Retries a backup whose last attempt failed. */
export async function retryBackup(ctx: JobContext, payload: unknown): Promise<void> {
  if (ctx.deps.config.BACKUP_URL) await makeOrRetry(ctx, retry.parse(payload).attempt);
}

/** With its pauses of 1, 2, 4 … 60 minutes, this lasts until shortly before the next day's backup. */
const maxAttempts = 26;
const pauseMinutes = (attempt: number) => Math.min(2 ** (attempt - 1), 60);

async function makeOrRetry(ctx: JobContext, attempt: number): Promise<void> {
  const { deps, now } = ctx;
  const made = await attemptTo(ctx, 'backup', attempt);
  if (made) return deps.log.info({ event: 'backup_done', ...made }, 'a backup was made');
  if (attempt >= maxAttempts) return;
  const runAt = now.add({ minutes: pauseMinutes(attempt) });
  // one key, so that today's backup and yesterday's do not retry side by side
  await addJob(deps.db, 'retry_backup', { attempt: attempt + 1 }, { key: 'retry_backup', runAt });
}

async function verifyNewest(ctx: JobContext): Promise<void> {
  const verified = await attemptTo(ctx, 'verification');
  if (verified)
    ctx.deps.log.info({ event: 'backup_verified', ...verified }, 'the newest backup was compared with its manifest');
}

async function drillNewest(ctx: JobContext): Promise<void> {
  const drill = await attemptTo(ctx, 'drill');
  if (drill) ctx.deps.log.info({ event: 'backup_drill', ...drill }, 'the newest backup was restored as a test');
}

/** Refuses a base whose WAL the spool could not hold: it would be dropped immediately, so the base would be useless. */
async function refuseLowDisk({ DATA_DIR, DISK_RESERVE_MB }: Config): Promise<void> {
  const free = Math.floor((await freeBytes(DATA_DIR)) / megabyte);
  if (free < DISK_RESERVE_MB)
    throw new Refusal(
      `DATA_DIR has ${free} MB of free space, less than DISK_RESERVE_MB=${DISK_RESERVE_MB}: free some space.`,
    );
}

const megabyte = 1_024 * 1_024;

/** Makes a base each Sunday, and soon after lost WAL or a restore: until then there are no new points in time. */
async function makeBaseIfDue({
  deps: { config, log, db },
  now: { epochMilliseconds: now },
}: JobContext): Promise<void> {
  const state = await readBaseState(config.DATA_DIR);
  if (now < (nextTry(state) ?? 0)) return;
  try {
    const archive = archiveOf({ config, folder: undefined }, '--to');
    const why = await whyBaseIsDue(archive, config.DATA_DIR, now);
    if (why === undefined) return await recordNoneDue(config.DATA_DIR, state);
    if (await isBasePaused(archive, config.DATA_DIR, now)) return;
    await refuseLowDisk(config);
    const made = await runCommand(config, 'backup', ['--base']);
    log.info({ event: 'base_done', why, ...made }, 'a base backup was made: points in time start with it');
  } catch (error) {
    const reason = (error as Error).message;
    log.error({ event: 'base_failed', reason, attempt: state.failures + 1 }, 'a base backup failed and is retried');
    await recordBaseFailure(config.DATA_DIR, now, reason);
    // an archive may be briefly unavailable
    if (state.failures > 0) await notifyBaseFailed(db, state, reason);
  }
}

type Kind = Run['kind'];

const commands = {
  // the schedule was chosen for this database, and a night without a backup helps no one
  backup: ['backup', '--force'],
  verification: ['backup', '--verify'],
  drill: ['restore', '--check'],
} as const;

/** Runs a command. On failure, logs and lists it, notifies administrators and returns undefined. */
async function attemptTo({ deps }: JobContext, kind: Kind, attempt?: number) {
  const { config, log, db } = deps;
  const [command, ...options] = commands[kind];
  const before = await newestRun(deps, kind);
  try {
    return await runCommand(config, command, options);
  } catch (error) {
    const reason = (error as Error).message;
    log.error({ event: 'backup_failed', reason, ...(attempt ? { attempt } : { work: kind }) }, 'a backup failed');
    if ((await newestRun(deps, kind)) === before) await listFailure(deps, kind, reason);
    await notifyBackupFailed(db, kind, reason);
    return undefined;
  }
}

type Deps = Pick<JobContext['deps'], 'db'>;

async function newestRun({ db }: Deps, kind: Kind): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from backups where kind = ${kind}`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Lists the failure of a command that was killed, or never reached the database to do it itself. */
async function listFailure({ db }: Deps, kind: Kind, reason: string): Promise<void> {
  await db
    .insertInto('backups')
    .values({ kind, status: 'failed', started_at: sql`now()`, error: reason })
    .execute();
}
