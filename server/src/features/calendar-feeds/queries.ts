import type { CalendarFeed, calendarFeeds, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { feedLives } from '../../access/calendar-feeds.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';

type Query = QueryOut<typeof calendarFeeds.list>;
type Row = Omit<CalendarFeed, 'allowed_actions'>;

const columns = sql`f.id, f.kinds, f.with_names, f.created_at, f.last_used_at`;
const own = ({ actor }: Pick<ReadCtx, 'actor'>) => sql`
  from calendar_feeds f join users u on u.id = f.user_id cross join installation i
  where f.user_id = ${actor.user_id} and ${feedLives}`;

const present = (row: Row): CalendarFeed => ({ ...row, allowed_actions: ['delete'] });

const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
  created_at: sql`f.created_at`,
  last_used_at: sql`f.last_used_at`,
};

/** The person's active calendar addresses, the oldest first by default. */
export async function listFeeds(ctx: ReadCtx, query: Query) {
  const order = orderedBy(sorts[query.sort_by ?? 'created_at'], query.sort_direction, sql`f.id`);
  const found = every(holdsWords([sql`array_to_string(f.kinds, ' ')`], query.search));
  const { rows, total } = await selectPage(ctx.db, query, {
    rows: sql<Row>`select ${columns} ${own(ctx)} and ${found} ${order}`,
    total: sql`select count(*) ${own(ctx)} and ${found}`,
  });
  return { rows: rows.map(present), total };
}

/** The number of active addresses. */
export async function countFeeds(ctx: ReadCtx): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${own(ctx)}`.execute(ctx.db);
  return rows[0]?.total ?? 0;
}

/** Finds one address. Throws 404. */
export async function readFeed(ctx: ReadCtx, id: number): Promise<CalendarFeed> {
  const { rows } = await sql<Row>`select ${columns} ${own(ctx)} and f.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(row);
}
