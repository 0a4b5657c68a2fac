import { sql } from 'kysely';
import type { BaseState } from '../backup/points/base-state.ts';
import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import { administrators } from './recipients.ts';

type Kind = 'backup' | 'verification' | 'drill';

/** The page where administrators see the state of backups. */
const page = '/settings/backups';

async function lastSuccess(db: Db, kind: Kind): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from backups where kind = ${kind} and status = 'done'`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Notifies administrators that a backup, its verification or its drill failed, once until the next success. */
export async function notifyBackupFailed(db: Db, kind: Kind, reason: string): Promise<void> {
  await notifyOnce(db, { kind, since: await lastSuccess(db, kind), reason });
}

/** The same for a base, with which points in time begin. */
export async function notifyBaseFailed(db: Db, { made_at }: Pick<BaseState, 'made_at'>, reason: string): Promise<void> {
  const since = made_at === null ? 0 : Math.floor(Date.parse(made_at) / 1_000);
  await notifyOnce(db, { kind: 'base', since, reason });
}

/** `since` identifies the last success. */
async function notifyOnce(db: Db, { kind, since, reason }: { kind: Kind | 'base'; since: number; reason: string }) {
  await notify({ db, actor: null }, 'backup_failed', {
    subject: { type: 'backup', id: since },
    round: kind,
    url: page,
    params: { reason: reason.slice(0, 500) },
    to: administrators,
    ...(kind === 'backup' ? {} : { variant: kind }),
  });
}
