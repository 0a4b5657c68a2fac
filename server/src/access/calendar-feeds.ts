import type { FeedKind } from '@tenure/contract';
import { CompiledQuery, sql } from 'kysely';
import type { Kysely } from 'kysely';
import { kindOfToken, newToken, tokenHash } from '../crypto/api-token.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import type { Account } from './actor.ts';
import { credentialIssuer } from './credential-issuer.ts';

/** A calendar address that is valid now, with its account. */
export type LiveFeed = Required<
  Pick<Account, 'user_id' | 'employee_id' | 'name' | 'email' | 'locale' | 'locale_chosen'>
> &
  Pick<Account, 'last_login_at' | 'picture_key'> & {
    feed_id: number;
    kinds: FeedKind[];
    with_names: boolean;
    created_at: string;
    /** Version of the rights of its account. */
    version: string;
  };

/** SQL that is true for a valid address of `calendar_feeds f`, `users u` and `installation i`. */
const lives = 'f.epoch = u.token_epoch and f.global_epoch = i.global_epoch';
export const feedLives = sql<boolean>`${sql.raw(lives)}`;

// built once, like the session query
const liveFeed = `
  select f.id as feed_id, f.kinds, f.with_names, f.created_at,
         u.id as user_id, e.id as employee_id, coalesce(e.name, u.email) as name, u.email, u.locale, u.locale_chosen,
         u.last_login_at, e.picture_key, u.access_version || ':' || i.structure_version as version
  from calendar_feeds f
  join users u on u.id = f.user_id
  cross join installation i
  left join employees e on e.user_id = u.id
  where f.hash = $1 and ${lives} and u.is_enabled
    and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`;

/** Whether a text has the form of a calendar address; any other text causes no query. */
export const isFeedToken = (text: string): boolean => kindOfToken(text) === 'calendar';

/** Checks each time whether an address is valid: not once removed, and no longer than its account may sign in. */
export async function findFeed(db: Db, token: string): Promise<LiveFeed | undefined> {
  const { rows } = await db.executeQuery<LiveFeed>(CompiledQuery.raw(liveFeed, [tokenHash(token)]));
  return rows[0];
}

const hour = sql`date_trunc('hour', now(), 'UTC')`;

/**
 * Takes one of an address's reads per hour, counted across all processes, and records its use; a failover may lose it.
 * `remaining` is -1 when none was left; the next one is available after the returned number of seconds.
 */
export async function consumeRead(
  db: Kysely<DB>,
  feedId: number,
  limit: number,
): Promise<{ remaining: number; seconds: number }> {
  const { rows } = await sql<{ remaining: number; seconds: number }>`
    with here as (select set_config('synchronous_commit', 'local', true)), taken as (
      update calendar_feeds
      set reads = case when reads_hour = ${hour} then reads + 1 else 1 end, reads_hour = ${hour}, last_used_at = now()
      from here where id = ${feedId} and (reads_hour is distinct from ${hour} or reads < ${limit}) returning reads)
    select coalesce(${limit}::int - (select reads from taken), -1) as remaining,
           extract(epoch from ${hour} + interval '1 hour' - now())::float8 as seconds`.execute(db);
  return rows[0] as { remaining: number; seconds: number };
}

type NewFeed = {
  user_id: number;
  kinds: readonly FeedKind[];
  with_names: boolean;
  /** The session that creates it. */
  session_id: number;
};

/** Creates an address and removes the account's addresses that are no longer valid. The text is shown once. */
export async function createFeed(
  db: Db,
  { user_id, kinds, with_names, session_id }: NewFeed,
): Promise<{ id: number; token: string }> {
  const token = newToken('calendar');
  await sql`
    delete from calendar_feeds f using users u, installation i
    where f.user_id = ${user_id} and u.id = f.user_id and not (${feedLives})`.execute(db);
  const { rows } = await sql<{ id: number }>`
    insert into calendar_feeds (user_id, hash, kinds, with_names, epoch, global_epoch, let_in_by_id)
    select u.id, ${tokenHash(token)}, ${kinds}::text[], ${with_names}, u.token_epoch, i.global_epoch,
           ${credentialIssuer({ session_id })}
    from users u cross join installation i where u.id = ${user_id}
    returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`no user ${user_id}`);
  return { id: row.id, token };
}
