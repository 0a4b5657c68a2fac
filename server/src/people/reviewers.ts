import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { hasAccount, holdsPermission } from '../access/scope.ts';

/** True when the person `e` is active with an enabled account and has a role that permits reviews. */
export const mayReviewEvaluations = sql<SqlBool>`e.activity_status = 'active' and e.deleted_at is null
  and ${hasAccount('e')} and ${holdsPermission('e', 'kpi-evaluation.review')}`;

/** True when the person `e` leads other people. */
const leads = sql<SqlBool>`(exists (select from employees r where r.reporting_manager_id = e.id)
  or exists (select from departments l where l.manager_id = e.id))`;

/** Names in a `with`: people with `id` and `reporting_manager_id`, and departments with `id` and `ids`. */
type Planned = { members: string; heads: string };

/**
 * SQL with one column, `ids`: the team lead of the department `d` and the heads of it and of those above, in the order
 * in which they are asked to review.
 */
export const headsOf = sql`d.team_lead_id || heads_from(d.id)`;

const candidates = ({ members, heads }: Planned, which = sql<SqlBool>`true`) => sql`
  select e.reporting_manager_id as id from ${sql.table(members)} e where ${which}
  union select unnest(ids) from ${sql.table(heads)}`;

/** SQL with one column, `id`: the candidates for the members and their departments who can review. */
export const ableReviewers = (planned: Planned): RawBuilder<unknown> => sql`
  select e.id from employees e
  where e.id = any(array(${candidates(planned)})) and ${mayReviewEvaluations}`;

/**
 * SQL with the pairs of a candidate and a person above that candidate. Only members who lead have others below them, and
 * they share few candidates, so the lines are followed once for each.
 */
export const linesOf = (planned: Planned): RawBuilder<unknown> => sql`
  select c.id as candidate, above.id as person
  -- an array, of which the planner expects few rows: of many it would compare every pair with every person
  from unnest(array(${candidates(planned, leads)})) as c (id)
  cross join lateral superiors_of(c.id) as above (id)
  where c.id is not null`;

/**
 * SQL for a `lateral`: the reviewer of the person `e` at publishing, null without one, and the first candidate, able or
 * not. Candidates are the reporting manager and `heads`, the array of `headsOf`, never the person or people below. A
 * query that uses it names `ableReviewers` and `linesOf` in a `with`; `able` and `lines` are those names.
 */
export const reviewerOf = (
  named: { able: string; lines: string },
  heads: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  -- hash look-ups whatever the planner estimates: a join might compare all people with each other
  select (array_agg(c.id order by c.place)
          filter (where c.id in (select id from ${sql.table(named.able)})))[1] as reviewer_id,
         (array_agg(c.id order by c.place))[1] as first_choice
  from unnest(e.reporting_manager_id || ${heads}) with ordinality as c (id, place)
  where c.id <> e.id and (c.id, e.id) not in (select candidate, person from ${sql.table(named.lines)})`;
