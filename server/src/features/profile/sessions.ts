import type { profile, QueryOut, Session } from '@tenure/contract';
import type * as z from 'zod';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { deleteOrigins } from '../../access/known-origins.ts';
import { record } from '../../audit.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { WriteCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';

type ListQuery = QueryOut<typeof profile.sessions>;
type Row = z.output<typeof Session>;

/** Active sessions of the account. */
const living = ({ user_id }: Actor, config: Config) => sql<SqlBool>`
  s.user_id = ${user_id} and s.revoked_at is null and now() < s.expires_at
  and now() - s.last_seen_at <= make_interval(secs => ${config.SESSION_IDLE_MINUTES * 60}::float8)
  and s.epoch = (select u.session_epoch from users u where u.id = s.user_id)
  and s.global_epoch = (select i.global_epoch from installation i)`;

const sorts = { last_seen_at: sql`s.last_seen_at`, created_at: sql`s.created_at` };

/** A page of the user's own sessions, by default the last used one first. */
export async function listSessions(db: Db, actor: Actor, config: Config, query: ListQuery) {
  const current = sql<SqlBool>`s.id = ${actor.session_id}`;
  const where = every([
    living(actor, config),
    ...(query.current === undefined ? [] : [sql<SqlBool>`(${current}) = ${query.current}`]),
    ...holdsWords([sql`s.ip`, sql`s.user_agent`], query.search),
  ]);
  const order = orderedBy(sorts[query.sort_by ?? 'last_seen_at'], query.sort_direction ?? 'desc', sql`s.id`);
  return selectPage(db, query, {
    rows: sql<Row>`select s.id, ${current} as current, s.ip, s.user_agent, s.created_at, s.last_seen_at, s.expires_at,
                     s.method, s.factors, (select p.name from identity_providers p where p.id = s.provider_id) as provider
                   from session_register s where ${where} ${order}`,
    total: sql`select count(*) from session_register s where ${where}`,
  });
}

async function end({ db, actor, request }: WriteCtx, condition: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ id: number; ip: string | null; device: string | null }>`
    update session_register s set revoked_at = now(), reason = 'ended by the person'
    where ${condition} returning s.id, s.ip, s.device`.execute(db);
  // a session that is ended from elsewhere may belong to someone else
  const others = rows.filter(({ id }) => id !== actor.session_id);
  await deleteOrigins(db, actor.user_id, others, actor.session_id);
  const subject = { action: 'session.ended', subject_label: actor.name } as const;
  await record({ db, actor, request }, ...rows.map(({ id }) => ({ ...subject, subject_id: id })));
  return rows.length;
}

/** Ends one of the user's own sessions. Throws 404 for another user's or an ended one. */
export async function endOwnSession(ctx: WriteCtx, config: Config, id: number): Promise<void> {
  const ended = await end(ctx, sql<SqlBool>`s.id = ${id} and ${living(ctx.actor, config)}`);
  if (ended === 0) throw notFound();
}

/** Ends every session of the account except the current one. */
export async function endOtherSessions(ctx: WriteCtx, config: Config): Promise<void> {
  await end(ctx, sql<SqlBool>`s.id <> ${ctx.actor.session_id} and ${living(ctx.actor, config)}`);
}
