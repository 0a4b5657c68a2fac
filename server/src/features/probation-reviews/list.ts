import type { ProbationReviewRow, probationReviews, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { pageOffset, pageSize } from '../../http/paging.ts';
import { countOf, findsFew, reviewsMatching } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { readRows } from './queries.ts';

type Condition = RawBuilder<SqlBool>;
type PageQuery = QueryOut<typeof probationReviews.list>;

const sorts: Record<NonNullable<ListQuery['sort_by']>, RawBuilder<unknown>> = {
  due_date: sql`v.due_date`,
  probation_end_date: sql`v.probation_end_date`,
  employee_name: sql`v.person_sort`,
  status: sql`v.status`,
  created_at: sql`v.created_at`,
  updated_at: sql`v.updated_at`,
};
const sortOf = ({ sort_by }: ListQuery) => sorts[sort_by ?? 'due_date'];
const directionOf = ({ sort_direction }: ListQuery) => (sort_direction === 'desc' ? sql`desc` : sql`asc`);

/** Ids of all reviews of a query, in its order, from an index that ends with the id. */
export const orderedIds = (asked: Condition, query: ListQuery) => sql`
  select v.id from probation_reviews v where ${asked}
  order by ${sortOf(query)} ${directionOf(query)}, v.id ${directionOf(query)}`;

type Found = { ids: number[]; total: number };

/** Few reviews: collected, counted and sorted. */
export const collectAndSort = (asked: Condition, query: PageQuery) => sql<Found>`
  with matches as materialized (select v.id, ${sortOf(query)} as key from probation_reviews v where ${asked})
  select (select count(*)::int from matches) as total,
         array(select id from matches order by key ${directionOf(query)}, id ${directionOf(query)}
               limit ${sql.lit(pageSize(query))} offset ${pageOffset(query)}) as ids`;

const alongIndex = (asked: Condition, query: PageQuery, count: RawBuilder<unknown>) => sql<Found>`
  select (${count})::int as total,
         array(${orderedIds(asked, query)} limit ${sql.lit(pageSize(query))} offset ${pageOffset(query)}) as ids`;

/** One page of reviews in scope, and the total. */
export async function listReviews(
  { db, actor }: { db: Db; actor: Actor },
  query: PageQuery,
): Promise<{ rows: ProbationReviewRow[]; total: number }> {
  const asked = reviewsMatching(actor, query);
  const count = countOf(actor, query) ?? sql`select count(*) from probation_reviews v where ${asked}`;
  const statement = findsFew(actor, query) ? collectAndSort(asked, query) : alongIndex(asked, query, count);
  const { rows } = await statement.execute(db);
  const { ids, total } = rows[0] ?? { ids: [], total: 0 };
  return { rows: await readRows({ db, actor }, ids), total };
}
