import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { hasAccount, holdsPermission } from '../access/scope.ts';

/** True when the person `e` is active with an enabled account and has a role that permits reviews. */
export const mayReviewEvaluations = sql<SqlBool>`e.activity_status = 'active' and e.deleted_at is null
  and ${hasAccount('e')} and ${holdsPermission('e', 'kpi-evaluation.review')}`;

/** True when the person `e` leads other people. */
const leads = sql<SqlBool>`(exists (select from employees r where r.reporting_manager_id = e.id)
  or exists (select from departments l where l.manager_id = e.id))`;

/** The candidates for the reviewer of the person `e` in the department `d`, with `heads`, an array of heads. */
const candidates = (heads: RawBuilder<unknown>) =>
  sql`unnest(array[e.reporting_manager_id, d.team_lead_id] || ${heads})`;

/** SQL with one column, `id`: the candidates for the people of `members`, rows of `e` and `d`, who can review. */
export const ableReviewers = (members: RawBuilder<unknown>, heads: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select e.id from employees e
  where e.id = any(array(select distinct c.id from ${members} cross join lateral ${candidates(heads)} as c (id)))
    and ${mayReviewEvaluations}`;

/**
 * SQL with the pairs of a candidate and a person above that candidate, for the people of `members`: rows of `e` and `d`.
 * Only people who lead have others below them, and they share few candidates, so the lines are followed once for each.
 */
export const linesOf = (members: RawBuilder<unknown>, heads: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select c.id as candidate, above.id as person
  from (select distinct c.id from ${members} cross join lateral ${candidates(heads)} as c (id)
        where ${leads} and c.id is not null) as c
  cross join lateral superiors_of(c.id) as above (id)`;

/**
 * SQL for a `lateral`: the reviewer of the person `e` in the department `d` at publishing, null without one, and the
 * first candidate, able or not. Candidates are the reporting manager, the team lead and the heads of the department and
 * of those above, never the person or people below. A query that uses it names `ableReviewers` and `linesOf` in a
 * `with`; `able` and `lines` are those names. `heads` is the array of the heads.
 */
export const reviewerOf = (
  named: { able: string; lines: string },
  heads: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  -- hash look-ups whatever the planner estimates: a join might compare all people with each other
  select (array_agg(c.id order by c.place)
          filter (where c.id in (select id from ${sql.table(named.able)})))[1] as reviewer_id,
         (array_agg(c.id order by c.place))[1] as first_choice
  from ${candidates(heads)} with ordinality as c (id, place)
  where c.id <> e.id and (c.id, e.id) not in (select candidate, person from ${sql.table(named.lines)})`;
