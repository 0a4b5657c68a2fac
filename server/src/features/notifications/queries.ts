import type { Notification, notifications, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { every, oneOfTexts, selectPage, wordsOf } from '../../db/lists.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { variantsWith, wordsFor } from '../../notifications/words.ts';
import type { NotificationText } from '../../notifications/words.ts';

type ListQuery = QueryOut<typeof notifications.list>;
type Filters = Pick<ListQuery, 'unread' | 'event' | 'severity' | 'search'>;

const unread = sql<SqlBool>`n.read_at is null`;
const mine = ({ user_id }: Actor) => sql<SqlBool>`n.user_id = ${user_id} and n.shown`;

type Stored = Omit<Notification, 'title' | 'body'> & NotificationText;

const columns = sql`
  n.id, n.event, n.variant, n.params, n.severity,
  json_build_object('subject_type', n.subject_type, 'subject_id', n.subject_id, 'url', n.url,
                    'actor_id', n.actor_id) as data, n.read_at, n.created_at`;

const present = (actor: Actor, { variant, params, ...row }: Stored): Notification => ({
  ...row,
  ...wordsFor(actor, { event: row.event, variant, params }),
});

/**
 * True when each word of a search occurs in the names of people and things, or in the text around them. The few dozen
 * texts are searched here, because there may be a hundred thousand notifications.
 */
const holdsSearch = (actor: Actor, search: string | null | undefined): RawBuilder<SqlBool>[] =>
  wordsOf(search).map(
    (word) => sql<SqlBool>`(n.event || '.' || n.variant = any(${variantsWith(actor, word)}::text[])
      or position(fold(${word}::text) in fold(jsonb_path_query_array(n.params, '$.*')::text)) > 0)`,
  );

/** The user's own notifications by filters and search. */
function asked(actor: Actor, query: Filters): RawBuilder<SqlBool> {
  return every([
    mine(actor),
    ...(query.unread === undefined ? [] : [query.unread ? unread : sql<SqlBool>`n.read_at is not null`]),
    ...oneOfTexts(sql`n.event`, query.event),
    ...oneOfTexts(sql`n.severity`, query.severity),
    ...holdsSearch(actor, query.search),
  ]);
}

/** Sorts like the indexes: the latest first, also within an event. */
export function orderOf({
  sort_by,
  sort_direction,
}: Pick<ListQuery, 'sort_by' | 'sort_direction'>): RawBuilder<unknown> {
  if (sort_by === 'event') return sort_direction === 'desc' ? sql`n.event desc, n.id` : sql`n.event, n.id desc`;
  return sort_direction === 'asc' ? sql`n.created_at, n.id` : sql`n.created_at desc, n.id desc`;
}

/** A page of the user's own notifications, the latest first. */
export async function listNotifications(
  { db, actor }: ReadCtx,
  query: ListQuery,
): Promise<{ rows: Notification[]; total: number }> {
  const condition = asked(actor, query);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Stored>`select ${columns} from notifications n where ${condition} order by ${orderOf(query)}`,
    total: sql`select count(*) from notifications n where ${condition}`,
  });
  return { rows: rows.map((row) => present(actor, row)), total };
}

export async function countUnread({ db, actor }: ReadCtx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from notifications n where ${mine(actor)} and ${unread}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Finds one of the user's own notifications. Throws 404 for another person's. */
export async function findNotification({ db, actor }: ReadCtx, id: number): Promise<Notification> {
  const { rows } = await sql<Stored>`
    select ${columns} from notifications n where n.id = ${id} and ${mine(actor)}`.execute(db);
  const [found] = rows;
  if (!found) throw notFound();
  return present(actor, found);
}

/** Marks as read; notifications that were already read keep their time. */
export async function markRead({ db, actor }: ReadCtx, id: number): Promise<void> {
  await sql`
    update notifications n set read_at = now() where n.id = ${id} and ${mine(actor)} and ${unread}`.execute(db);
}

/** Marks the filtered notifications as read. Returns how many were unread. */
export async function markAllRead({ db, actor }: ReadCtx, query: Filters): Promise<number> {
  const { numAffectedRows } = await sql`
    update notifications n set read_at = now() where ${asked(actor, query)} and ${unread}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Hides a notification. The row keeps its key, so that the same event does not notify again. */
export async function removeNotification({ db, actor }: ReadCtx, id: number): Promise<void> {
  await sql`
    update notifications n set shown = false, read_at = coalesce(n.read_at, now())
    where n.id = ${id} and ${mine(actor)}`.execute(db);
}
