import { sql } from 'kysely';
import { record } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { Deps, RequestInfo } from '../http/context.ts';
import { notifyBreakGlassUsed } from '../notifications/own-account.ts';

/** Records that an emergency account began a session, and notifies all administrators. */
export async function recordBreakGlassUse(
  { log }: Pick<Deps, 'log'>,
  db: Db,
  used: { user_id: number; session_id: number },
  request: RequestInfo,
): Promise<void> {
  const { user_id } = used;
  const { rows } = await sql<{ name: string; entity_id: number | null }>`
    select coalesce(e.name, u.email) as name, e.entity_id from users u left join employees e on e.user_id = u.id
    where u.id = ${user_id}`.execute(db);
  const { name = '', entity_id = null } = rows[0] ?? {};
  const entry = { action: 'break_glass.used', subject_id: user_id, subject_label: name, entity_id } as const;
  await record({ db, actor: { user_id, name }, request }, entry);
  await notifyBreakGlassUsed(db, { ...used, name }, request);
  log.warn(
    { event: 'break_glass_used', user_id, request_id: request.id, ip: request.ip },
    'an emergency account was used',
  );
}
