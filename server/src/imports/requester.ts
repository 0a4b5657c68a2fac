import { sql } from 'kysely';
import type { Actor, Rights } from '../access/actor.ts';
import { rightsOf } from '../access/rights.ts';
import type { RightsCache } from '../access/rights.ts';
import type { Db } from '../db/connect.ts';

type Account = Omit<Actor, keyof Rights | 'session_id'> & { version: string };

/** The user who started a background task, with their current rights; undefined if they can no longer sign in. */
export async function loadRequester(db: Db, rights: RightsCache, userId: number): Promise<Actor | undefined> {
  const { rows } = await sql<Account>`
    select u.id as user_id, e.id as employee_id, coalesce(e.name, u.email) as name, u.email, u.must_change_password,
           u.locale, u.locale_chosen, u.last_login_at, e.picture_key,
           u.access_version || ':' || i.structure_version as version
    from users u
    cross join installation i
    left join employees e on e.user_id = u.id
    where u.id = ${userId} and u.is_enabled
      and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`.execute(db);
  const account = rows[0];
  if (!account) return undefined;
  const { version, ...who } = account;
  return { ...(await rightsOf(rights, db, userId, version)), ...who, session_id: 0 };
}
