import type { StreamEvents } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Missing } from '../db/lists.ts';
import { wordsFor } from './words.ts';
import type { NotificationText } from './words.ts';

export type UpdateItem = Omit<StreamEvents['notification'], 'unread'>;
/** An item and how many seconds ago its transaction began. */
export type Update = { item: UpdateItem; age: number };
/** The number of unread notifications of an account and the newest of them, oldest first. */
export type Updates = { unread: number; items: Update[] };

type Stored = Omit<UpdateItem, 'title'> & NotificationText & { age: number };
type Row = { user_id: number; unread: number } & (Stored | Missing<Stored>);

/** Most items sent at once; a page with more reads the list. */
export const maxUpdates = 20;

type Asked = {
  userIds: readonly number[];
  locale: string;
  /** Maximum age of items: a transaction may commit rows slightly older than rows already seen. */
  seconds: number;
  /** Also includes items with a higher id. */
  afterId?: number | undefined;
};

const updateOf = (locale: string, notification: Stored): Update => {
  const { id, event, severity, url, age } = notification;
  return { item: { id, event, severity, url, title: wordsFor({ locale }, notification).title }, age };
};

/** Reads the counts and the newest unread notifications of accounts with one language in one statement. */
export async function updatesOf(db: Db, { userIds, locale, seconds, afterId }: Asked): Promise<Map<number, Updates>> {
  const after = afterId === undefined ? sql`` : sql`or n.id > ${afterId}`;
  const { rows } = await sql<Row>`
    select u.user_id, c.unread, newest.*
    from unnest(${userIds}::bigint[]) as u (user_id)
    cross join lateral (
      select count(*) as unread from notifications n
      where n.user_id = u.user_id and n.shown and n.read_at is null) as c
    left join lateral (
      select n.id, n.event, n.variant, n.params, n.severity, n.url,
        extract(epoch from clock_timestamp() - n.created_at)::float8 as age
      from notifications n
      where n.user_id = u.user_id and n.shown and n.read_at is null
        and (n.created_at > now() - make_interval(secs => ${seconds}::float8) ${after})
      order by n.created_at desc, n.id desc limit ${maxUpdates}) as newest on true`.execute(db);
  const updates = new Map<number, Updates>();
  for (const row of rows) {
    const own = updates.get(row.user_id) ?? { unread: row.unread, items: [] };
    if (row.id !== null) own.items.push(updateOf(locale, row));
    updates.set(row.user_id, own);
  }
  for (const { items } of updates.values()) items.sort((a, b) => a.item.id - b.item.id);
  return updates;
}
