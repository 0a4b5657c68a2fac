import { maxAnnouncements, messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';

/** The companies whose people see an announcement; null for all companies. */
export type Audience = number[] | null;

/** Announcements `a` whose whole audience is in the actor's scope. */
export function announcementsFor(actor: Actor): RawBuilder<SqlBool> {
  const reach = reachOf(actor, 'announcements.manage');
  if (reach.everything) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(a.entity_ids <@ ${reach.entity_ids}::bigint[], false)`;
}

/**
 * The audience of a request, sorted by id.
 * @throws 422 for a company that does not exist or is out of the actor's scope; a limited role cannot address all
 */
export async function audienceOf({ db, actor }: WriteCtx, sent: readonly number[] | null): Promise<Audience> {
  const reach = reachOf(actor, 'announcements.manage');
  if (sent === null) {
    if (!reach.everything) throw invalid('entity_ids', messages.selected);
    return null;
  }
  const ids = [...new Set(sent)].sort((a, b) => a - b);
  const { rows } = await sql<{ known: number }>`
    select count(*) as known from entities where id = any(${ids}::bigint[])`.execute(db);
  if (rows[0]?.known !== ids.length || !ids.every((id) => reachesEntity(reach, id)))
    throw invalid('entity_ids', messages.selected);
  return ids;
}

/** The earliest and the latest local day in the companies of an audience; the UTC day without companies. */
export const daysIn = (entityIds: RawBuilder<unknown>) => {
  const day = (which: 'min' | 'max') => sql`(
    select coalesce(${sql.raw(which)}((now() at time zone n.timezone)::date), (now() at time zone 'UTC')::date)
    from entities n where ${entityIds} is null or n.id = any(${entityIds}))`;
  return { earliest: day('min'), latest: day('max') };
};

const countLock = 4_620_311;

/**
 * Limits the number of announcements that have not ended in each company of the audience.
 * @param id the changed announcement, which is not counted; null for a new one
 */
export async function checkCount(db: Db, audience: Audience, id: number | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(${countLock})`.execute(db);
  const { rows } = await sql<{ is_full: boolean }>`
    select exists (
      select from entities n
      where (${audience}::bigint[] is null or n.id = any(${audience}::bigint[]))
        and (select count(*) from announcements a
             where a.ends_on >= (now() at time zone n.timezone)::date and a.id is distinct from ${id}::bigint
               and (a.entity_ids is null or n.id = any(a.entity_ids))) >= ${maxAnnouncements}) as is_full`.execute(db);
  if (rows[0]?.is_full) throw invalid('entity_ids', text('announcements.too_many', { most: maxAnnouncements }));
}
