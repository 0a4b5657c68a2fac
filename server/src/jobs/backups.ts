import * as z from 'zod';
import { runCommand } from '../backup/process.ts';
import type { Config } from '../config.ts';
import { addJob } from './queue.ts';
import type { JobContext, TimedTask } from './task.ts';

/** Backups by schedule, where there is a folder for them. */
export function backupTasks({ BACKUP_URL, BACKUP_SCHEDULE, BACKUP_VERIFY }: Config): TimedTask[] {
  if (!BACKUP_URL) return [];
  const verification: TimedTask[] =
    BACKUP_VERIFY === 'weekly' ? [{ name: 'verify_backup', at: '45 4 * * 0', run: verifyNewest }] : [];
  return [{ name: 'make_backup', at: BACKUP_SCHEDULE, run: (ctx) => makeOrRetry(ctx, 1) }, ...verification];
}

const retry = z.object({ attempt: z.number().int() });

/** A backup whose last attempt failed. */
export async function retryBackup(ctx: JobContext, payload: unknown): Promise<void> {
  if (ctx.deps.config.BACKUP_URL) await makeOrRetry(ctx, retry.parse(payload).attempt);
}

/** With its pauses of 1, 2, 4 … 60 minutes this lasts until shortly before the backup of the next day. */
const mostAttempts = 26;
const pauseMinutes = (attempt: number) => Math.min(2 ** (attempt - 1), 60);

async function makeOrRetry({ deps, now }: JobContext, attempt: number): Promise<void> {
  const { config, log, db } = deps;
  try {
    const made = (await runCommand(config, [])) as object;
    log.info({ event: 'backup_done', ...made }, 'a backup was made');
  } catch (error) {
    log.error({ event: 'backup_failed', reason: (error as Error).message, attempt }, 'a backup failed');
    if (attempt >= mostAttempts) return;
    const runAt = now.add({ minutes: pauseMinutes(attempt) });
    // one key: the backup of the next day does not retry beside that of yesterday
    await addJob(db, 'retry_backup', { attempt: attempt + 1 }, { key: 'retry_backup', runAt });
  }
}

async function verifyNewest({ deps: { config, log } }: JobContext): Promise<void> {
  try {
    const verified = (await runCommand(config, ['--verify'])) as object;
    log.info({ event: 'backup_verified', ...verified }, 'the newest backup was compared with its manifest');
  } catch (error) {
    log.error({ event: 'backup_failed', reason: (error as Error).message, work: 'verification' }, 'a backup is faulty');
  }
}
