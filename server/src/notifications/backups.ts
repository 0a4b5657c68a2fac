import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import { administrators } from './recipients.ts';

type Kind = 'backup' | 'verification' | 'drill';

/** Where administrators see how backups are doing. */
const page = '/settings/backups';

async function lastSuccess(db: Db, kind: Kind): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from backups where kind = ${kind} and status = 'done'`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Notifies the administrators that a backup, its verification or its drill failed: once until the next success. */
export async function notifyBackupFailed(db: Db, kind: Kind, reason: string): Promise<void> {
  const id = await lastSuccess(db, kind);
  await notify({ db, actor: null }, 'backup_failed', {
    subject: { type: 'backup', id },
    round: kind,
    url: page,
    params: { reason: reason.slice(0, 500) },
    to: administrators,
    ...(kind === 'backup' ? {} : { variant: kind }),
  });
}
