import type { EvaluationActivity, kpiEvaluations, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { Sight } from './visibility.ts';

type ListQuery = QueryOut<typeof kpiEvaluations.activity>;
type Stored = Omit<EvaluationActivity, 'actor' | 'from' | 'to'> & {
  actor_id: number | null;
  actor_name: string;
  from_status: EvaluationActivity['from'];
  to_status: EvaluationActivity['to'];
};

const present =
  ({ result }: Sight) =>
  ({ actor_id, actor_name, from_status, to_status, snapshot, ...row }: Stored): EvaluationActivity => ({
    ...row,
    actor: { user_id: actor_id, name: actor_name },
    from: from_status,
    to: to_status,
    snapshot: result ? snapshot : null,
  });

/** Why HR sent a review back says what was in it: for whoever sees the side of the reviewer. */
const reasonSeen = ({ manager }: Sight) =>
  manager
    ? sql`a.reason`
    : sql`case when a.action = 'return' and a.from_status = 'hr_review' then null else a.reason end`;

/** What happened to an evaluation, the last first; a result that was given up only for whoever sees results. */
export async function listActivity(db: Db, evaluationId: number, sight: Sight, query: ListQuery) {
  const where = every([
    sql<SqlBool>`a.evaluation_id = ${evaluationId}`,
    ...(query.action ? [sql<SqlBool>`a.action = ${query.action}`] : []),
    ...holdsWords([reasonSeen(sight)], query.search),
  ]);
  const page = await selectPage(db, query, {
    rows: sql<Stored>`
      select a.id, a.at, a.actor_id, a.actor_name, a.action, a.from_status, a.to_status, ${reasonSeen(sight)} as reason, a.round, a.snapshot
      from kpi_evaluation_activity a where ${where}
      ${orderedBy(sql`a.at`, query.sort_direction ?? 'desc', sql`a.id ${sql.raw(query.sort_direction ?? 'desc')}`)}`,
    total: sql`select count(*) from kpi_evaluation_activity a where ${where}`,
  });
  return { rows: page.rows.map(present(sight)), total: page.total };
}
