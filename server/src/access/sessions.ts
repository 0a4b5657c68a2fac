import { CompiledQuery, sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Account, SessionMarks } from './actor.ts';
import { sha256Hex } from '../crypto/crypto.ts';
import { newSessionId } from '../crypto/session-cookie.ts';
import type { SessionContent } from '../crypto/session-cookie.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';

/** The session, account, rights version and lifetime of a session id in the database. */
export type LiveSession = Required<Account> & {
  version: string;
  /** Lifetime of the cookies in seconds: the idle time, but not beyond the absolute end. */
  max_age: number;
  needs_touch: boolean;
  /** The role that the session views as, while the view lasts. */
  viewed_role_id: number | null;
  viewed_entity_ids: number[] | null;
  /** The address where the session began, and the most recent other one. */
  ip: string | null;
  other_ips: string[];
};

export const sidHash = (sid: Uint8Array) => sha256Hex(sid);

/** SQL that is true for a live session; `idle` is the parameter with the seconds of idle time. */
const isLive = (idle: string) => `
  s.revoked_at is null
    and now() < s.expires_at and now() - s.last_seen_at <= make_interval(secs => ${idle}::float8)
    and s.epoch = u.session_epoch and s.global_epoch = i.global_epoch and u.is_enabled
    and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`;

// Built once: every request runs it, and building the text costs more than the query. Reads what many requests need.
// Uses date_part because, unlike extract, it does not convert a float to numeric.
const liveSession = `
  select s.id as session_id, u.id as user_id, e.id as employee_id, coalesce(e.name, u.email) as name, u.email,
         u.must_change_password and s.method = 'password' as must_change_password, u.locale, u.locale_chosen,
         u.last_login_at, e.picture_key, u.access_version || ':' || i.structure_version as version,
         ceil(least(date_part('epoch', s.expires_at - now()), $2::float8))::int as max_age,
         s.last_seen_at < now() - make_interval(secs => $3::float8) as needs_touch, s.ip, s.other_ips,
         case when now() < s.viewing_until then s.viewed_role_id end as viewed_role_id, s.viewed_entity_ids, s.viewing_until,
         s.method, s.enrol_only, s.provider_id,
         date_part('epoch', now() - coalesce(s.proved_at, s.created_at)) as proved_seconds,
         date_part('epoch', coalesce(s.proved_at, s.created_at)) as proved_at
  from session_register s
  join users u on u.id = s.user_id
  cross join installation i
  left join employees e on e.user_id = u.id
  where s.sid_hash = $1 and s.created_at <= now() + interval '60 seconds' and ${isLive('$2')}`;

/**
 * The only query of every request: checks each time whether a session is live. It is dead when unknown, idle, ended or
 * past its absolute end, of an older epoch of the user or the installation, or when the user may not sign in. Times are
 * the database's; a session that begins in the future was created before the clock was set back.
 */
export async function findSession(db: Db, sid: Uint8Array, config: Config): Promise<LiveSession | undefined> {
  const idle = config.SESSION_IDLE_MINUTES * 60;
  const touchAfter = Math.min(60, idle / 10);
  const values = [sidHash(sid), idle, touchAfter];
  const { rows } = await db.executeQuery<LiveSession>(CompiledQuery.raw(liveSession, values));
  return rows[0];
}

const liveSessionsById = `
  select s.id from session_register s
  join users u on u.id = s.user_id
  cross join installation i
  left join employees e on e.user_id = u.id
  where s.id = any($1::bigint[]) and ${isLive('$2')}`;

/** The live sessions among those given, by the same rule as for every request. */
export async function findLiveSessions(db: Db, ids: readonly number[], config: Config): Promise<Set<number>> {
  const values = [ids, config.SESSION_IDLE_MINUTES * 60];
  const { rows } = await db.executeQuery<{ id: number }>(CompiledQuery.raw(liveSessionsById, values));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Records the use of a session. A read-only database must not fail the request, and an unreachable standby must not
 * delay it: a failover may lose the most recent use.
 */
export async function touchSession(db: Kysely<DB>, sessionId: number): Promise<void> {
  await sql`with here as (select set_config('synchronous_commit', 'local', true))
            update session_register set last_seen_at = now()
            from here where id = ${sessionId} and revoked_at is null`
    .execute(db)
    .catch(() => undefined);
}

const maxAddresses = 50;

/** Records that a session is used from another address; only the first call that notices it returns true. */
export async function recordAddress(db: Kysely<DB>, { session_id }: LiveSession, ip: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update session_register
    set other_ips = (other_ips || ${ip}::text)[greatest(cardinality(other_ips) + 2 - ${maxAddresses}, 1):]
    where id = ${session_id} and ip is distinct from ${ip} and not ${ip} = any(other_ips)`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * `is_new_device`: earlier sessions of the account used other browsers. `may_sign_in`: the account was not deactivated
 * when the session got its epoch.
 */
export type NewSession = {
  content: SessionContent;
  session_id: number;
  max_age: number;
  is_new_device: boolean;
  may_sign_in: boolean;
};

/** Removes version numbers, so that an updated browser does not count as a new device. */
const unversioned = (column: string) => sql`regexp_replace(${sql.ref(column)}, '[0-9][0-9._]*', '', 'g')`;

const accountOff = 'session_register_account_off';
const guards = new Set([
  accountOff,
  'session_register_sign_in_policy',
  'session_register_second_factor',
  'session_register_password_sign_in',
]);

/** The account was deactivated during its sign-in. Its session would revive once the account is reactivated. */
export class AccountOff extends Error {
  readonly constraint = accountOff;
}

/** What the account lacked when the database refused a session; undefined for other errors. */
export function violatedGuard(error: unknown): string | undefined {
  const constraint = (error as { constraint?: string } | null)?.constraint ?? '';
  return guards.has(constraint) ? constraint : undefined;
}

type SessionOrigin = { ip: string; user_agent: string; device?: string | null };

/**
 * `proved_at`: the last proof of identity; null if that is the beginning of the session. `let_in_by_id`: who issued the
 * credential of the session that this one continues; null for a sign-in, for which the database finds it.
 */
export type NewMarks = Partial<SessionMarks & { proved_at: string | null; let_in_by_id: number | null }>;

const byPassword: Required<NewMarks> = {
  method: 'password',
  proved_at: null,
  factors: 1,
  enrol_only: false,
  provider_id: null,
  sso_sid: null,
  authenticator_id: null,
  let_in_by_id: null,
};

/** Registers a new session id for a user; the 21st parallel session ends the oldest one. */
export async function createSession(
  db: Db,
  userId: number,
  from: SessionOrigin,
  config: Config,
  marks: NewMarks = {},
): Promise<NewSession> {
  const { method, factors, enrol_only, provider_id, sso_sid, authenticator_id, proved_at, let_in_by_id } = {
    ...byPassword,
    ...marks,
  };
  const sid = newSessionId();
  // every part of the statement sees the sessions before this one
  const { rows } = await sql<Omit<NewSession, 'content' | 'session_id'> & { id: number; iat: number; exp: number }>`
    with too_many as (
      update session_register set revoked_at = now(), reason = 'too many sessions'
      where id in (select id from session_register where user_id = ${userId} and revoked_at is null
                   order by id desc offset ${config.SESSION_MAX_PER_USER - 1}))
    insert into session_register as fresh (sid_hash, user_id, epoch, global_epoch, expires_at, ip, user_agent, device,
      method, factors, enrol_only, provider_id, sso_sid, authenticator_id, proved_at, let_in_by_id)
    select ${sidHash(sid)}, u.id, u.session_epoch, i.global_epoch,
           now() + make_interval(secs => ${config.SESSION_MAX_HOURS * 3600}::float8), ${from.ip}, ${from.user_agent.slice(0, 255)},
           ${from.device ?? null}, ${method}, ${factors}::smallint, ${enrol_only}::boolean,
           ${provider_id}::bigint, ${sso_sid}::text, ${authenticator_id}::bigint, ${proved_at}::timestamptz, ${let_in_by_id}::bigint
    from users u cross join installation i where u.id = ${userId}
    returning id, extract(epoch from now())::float8 as iat, extract(epoch from expires_at)::float8 as exp,
      ceil(least(extract(epoch from expires_at - now()), ${config.SESSION_IDLE_MINUTES * 60}::float8))::int as max_age,
      (select count(*) > 0 and not bool_or(${unversioned('s.user_agent')} is not distinct from ${unversioned('fresh.user_agent')})
       from session_register s where s.user_id = fresh.user_id) as is_new_device,
      (select u.is_enabled and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
       from users u left join employees e on e.user_id = u.id where u.id = fresh.user_id) as may_sign_in`.execute(db);
  const row = rows[0];
  if (!row) throw new Error(`no user ${userId}`);
  const { id: session_id, iat, exp, ...rest } = row;
  return { content: { sid, uid: userId, iat, exp }, session_id, ...rest };
}

/** Records that the user of a session has just proved their identity. */
export async function markProved(db: Db, sessionId: number): Promise<void> {
  await sql`update session_register set proved_at = now() where id = ${sessionId} and revoked_at is null`.execute(db);
}

/** Ends one session by the id in its cookie. Returns whether it was live. */
export async function endSession(db: Db, sid: Uint8Array, reason: string): Promise<boolean> {
  const result = await db
    .updateTable('session_register')
    .set({ revoked_at: sql`now()`, reason })
    .where('sid_hash', '=', sidHash(sid))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends every session of the users on every node, effective at their next request. */
export async function endSessionsOf(db: Db, accounts: readonly (number | null)[], reason: string): Promise<void> {
  const userIds = accounts.filter((id) => id !== null);
  if (userIds.length === 0) return;
  await db
    .updateTable('users')
    .set((eb) => ({ session_epoch: eb('session_epoch', '+', 1) }))
    .where('id', 'in', userIds)
    .execute();
  await db
    .updateTable('session_register')
    .set({ revoked_at: sql`now()`, reason })
    .where('user_id', 'in', userIds)
    .where('revoked_at', 'is', null)
    .execute();
}
