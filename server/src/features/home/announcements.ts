import { maxAnnouncements } from '@tenure/contract';
import type { HomeNews } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import type { Place } from './place.ts';

/** Announcements `a` for the reader's company today; an account without a company gets those for all companies. */
const shownAt = ({ entity_id, today }: Place): RawBuilder<SqlBool> => sql<SqlBool>`
  (a.starts_on <= ${today}::date and a.ends_on >= ${today}::date
   and (a.entity_ids is null or coalesce(${entity_id}::bigint = any(a.entity_ids), false)))`;

/** The announcements that the reader sees and has not dismissed, the latest first. */
export async function readShown({ db, actor }: ReadCtx, place: Place): Promise<HomeNews['announcements']> {
  const { rows } = await sql<HomeNews['announcements'][number]>`
    select a.id, a.title, a.body, a.starts_on from announcements a
    where ${shownAt(place)} and not exists (
      select from announcement_dismissals d where d.announcement_id = a.id and d.user_id = ${actor.user_id})
    order by a.starts_on desc, a.id desc limit ${maxAnnouncements}`.execute(db);
  return rows;
}

/** The id of an announcement that the reader sees, dismissed or not. @throws 404 for any other */
export async function findShown({ db }: ReadCtx, place: Place, id: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select a.id from announcements a where a.id = ${id} and ${shownAt(place)} for share`.execute(db);
  if (!rows[0]) throw notFound();
  return id;
}
