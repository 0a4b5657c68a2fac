import type { ProbationActivity, probationReviews, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { Sight } from './visibility.ts';

type ListQuery = QueryOut<typeof probationReviews.activity>;
type Stored = Omit<ProbationActivity, 'actor' | 'from' | 'to'> & {
  actor_id: number | null;
  actor_name: string;
  from_status: ProbationActivity['from'];
  to_status: ProbationActivity['to'];
};

const present = ({ actor_id, actor_name, from_status, to_status, ...row }: Stored): ProbationActivity => ({
  ...row,
  actor: { user_id: actor_id, name: actor_name },
  from: from_status,
  to: to_status,
});

/** Reasons stay between reviewer and HR; why a decision was taken back is for everybody who saw it. */
const reasonSeen = ({ inner, result }: Sight) =>
  inner ? sql`a.reason` : result ? sql`case when a.action = 'revert' then a.reason end` : sql`null::text`;

/** What happened to a review, the last first; what was given up only for reviewer and HR. */
export async function listActivity(db: Db, reviewId: number, sight: Sight, query: ListQuery) {
  const direction = query.sort_direction ?? 'desc';
  const where = every([
    sql<SqlBool>`a.review_id = ${reviewId}`,
    ...(query.action ? [sql<SqlBool>`a.action = ${query.action}`] : []),
    ...holdsWords([reasonSeen(sight)], query.search),
  ]);
  const page = await selectPage(db, query, {
    rows: sql<Stored>`
      select a.id, a.at, a.actor_id, a.actor_name, a.action, a.from_status, a.to_status, ${reasonSeen(sight)} as reason,
             a.round, ${sight.inner ? sql`a.snapshot` : sql`null::jsonb as snapshot`}
      from probation_review_activity a where ${where}
      ${orderedBy(sql`a.at`, direction, sql`a.id ${sql.raw(direction)}`)}`,
    total: sql`select count(*) from probation_review_activity a where ${where}`,
  });
  return { rows: page.rows.map(present), total: page.total };
}
