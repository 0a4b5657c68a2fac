import type { Announcement, announcements, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import { either } from '../../access/scope.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { Announcements } from '../../db/schema.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { announcementsFor, daysIn } from './audience.ts';
import { allColumns } from '../../db/all-columns.ts';

export type StoredAnnouncement = Selectable<Announcements>;
type Shown = Omit<Announcement, 'allowed_actions'>;
type Query = QueryOut<typeof announcements.list>;

const { earliest, latest } = daysIn(sql`a.entity_ids`);

/** Starts when the first day begins in any of its companies, and ends when the last day is over in all of them. */
const states: Record<Announcement['state'], RawBuilder<SqlBool>> = {
  planned: sql<SqlBool>`a.starts_on > ${latest}`,
  running: sql<SqlBool>`(a.starts_on <= ${latest} and a.ends_on >= ${earliest})`,
  ended: sql<SqlBool>`a.ends_on < ${earliest}`,
};

const columns = sql`
  a.id, a.title, a.body, a.starts_on, a.ends_on, a.revision, a.created_at, a.updated_at,
  case when a.entity_ids is null then null else (
    select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) order by n.name_sort, n.id), '[]')
    from entities n where n.id = any(a.entity_ids)) end as entities,
  case when ${states.ended} then 'ended' when ${states.planned} then 'planned' else 'running' end as state`;

// a reader of an announcement has the permission to change it
const present = (row: Shown): Announcement => ({ ...row, allowed_actions: ['update', 'delete'] });

/** A page of the announcements whose whole audience is in the actor's scope. */
export async function listAnnouncements({ db, actor }: ReadCtx, query: Query) {
  const where = every([
    announcementsFor(actor),
    ...(query.entity_id ? [sql<SqlBool>`(a.entity_ids is null or a.entity_ids && ${query.entity_id}::bigint[])`] : []),
    ...(query.state ? [either(query.state.map((state) => states[state]))] : []),
    ...holdsWords([sql`a.title`, sql`a.body`], query.search),
  ]);
  const sort = query.sort_by === 'ends_on' ? sql`a.ends_on` : sql`a.starts_on`;
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Shown>`
      select ${columns} from announcements a where ${where}
      ${orderedBy(sort, query.sort_direction ?? (query.sort_by ? 'asc' : 'desc'), sql`a.id`)}`,
    total: sql`select count(*) from announcements a where ${where}`,
  });
  return { rows: rows.map(present), total };
}

/** One announcement as responses show it. @throws 404 outside the actor's scope */
export async function readAnnouncement({ db, actor }: ReadCtx, id: number): Promise<Announcement> {
  const { rows } = await sql<Shown>`
    select ${columns} from announcements a where a.id = ${id} and ${announcementsFor(actor)}`.execute(db);
  if (!rows[0]) throw notFound();
  return present(rows[0]);
}

/** An announcement, locked for a change. @throws 404 outside the actor's scope */
export async function lockAnnouncement({ db, actor }: ReadCtx, id: number): Promise<StoredAnnouncement> {
  const { rows } = await sql<StoredAnnouncement>`
    select ${allColumns('announcements', 'a')} from announcements a where a.id = ${id} and ${announcementsFor(actor)} for update`.execute(
    db,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}
