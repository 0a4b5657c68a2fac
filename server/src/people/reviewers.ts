import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { hasAccount, holdsPermission } from '../access/scope.ts';

/** True when the person `e` is active with an enabled account and has a role that permits reviews. */
export const mayReviewEvaluations = sql<SqlBool>`e.activity_status = 'active' and e.deleted_at is null
  and ${hasAccount('e')} and ${holdsPermission('e', 'kpi-evaluation.review')}`;

/**
 * True when the person `e` leads other people. Reads two lists once: in a statement planned without knowing the number
 * of members, the planner would look them up one by one.
 */
const leads = sql<SqlBool>`(
  e.id in (select distinct r.reporting_manager_id from employees r where r.reporting_manager_id is not null)
  or e.id in (select l.manager_id from departments l where l.manager_id is not null))`;

/**
 * Names in a `with`: members with `id`, `department_id` and `reporting_manager_id`, and their departments with `id` and
 * the `ids` of `headsOf`; `teamsOf` uses both.
 */
type Planned = { members: string; heads: string; teams: string };

/**
 * SQL with one column, `ids`: the team lead of the department `d` and the heads of it and its ancestors, in the order
 * in which they are asked to review.
 */
export const headsOf = sql`d.team_lead_id || heads_from(d.id)`;

/** SQL for the managers in each department: few rows for many members, who need not be read again. */
export const teamsOf = ({ members }: Pick<Planned, 'members'>): RawBuilder<unknown> =>
  sql`select distinct department_id, reporting_manager_id from ${sql.table(members)}`;

const candidates = (managers: RawBuilder<unknown>, { heads }: Planned) => sql`
  select reporting_manager_id as id from ${managers}
  union select unnest(ids) from ${sql.table(heads)}`;
const allCandidates = (planned: Planned) => candidates(sql.table(planned.teams), planned);

/** SQL with one column, `id`: the candidates for the members and their departments who can review. */
export const ableReviewers = (planned: Planned): RawBuilder<unknown> => sql`
  select e.id from employees e
  where e.id = any(array(${allCandidates(planned)})) and ${mayReviewEvaluations}`;

/**
 * SQL for pairs of a candidate and a person above that candidate. Only members who lead have others below them, and
 * they share few candidates, so the lines are followed once per candidate.
 */
export const linesOf = (planned: Planned): RawBuilder<unknown> => sql`
  select c.id as candidate, above.id as person
  -- an array, of which the planner expects few rows: of many it would compare every pair with every person
  from unnest(array(${candidates(sql`${sql.table(planned.members)} e where ${leads}`, planned)})) as c (id)
  cross join lateral superiors_of(c.id) as above (id)
  where c.id is not null`;

/**
 * SQL for a `lateral`: the reviewer of the person `e` of the department `h` at publishing, null without one, and the
 * first candidate, able or not. Candidates are the reporting manager and the heads of the department, never the person
 * or people below them.
 */
const reviewerOf = ({ able, lines }: Named) => sql`
  -- hash look-ups whatever the planner estimates: a join might compare all people with each other
  select (array_agg(c.id order by c.place)
          filter (where c.id in (select id from ${sql.table(able)})))[1] as reviewer_id,
         (array_agg(c.id order by c.place))[1] as first_choice
  from unnest(e.reporting_manager_id || h.ids) with ordinality as c (id, place)
  where c.id <> e.id and (c.id, e.id) not in (select candidate, person from ${sql.table(lines)})`;

/** Names in a `with`: the results of `ableReviewers` and of `linesOf`. */
type Named = { able: string; lines: string };

/**
 * SQL with the columns of the members and their reviewer: `reviewer_id`, null without one, and `first_choice`, able or
 * not. Members of a department with the same manager share a reviewer, who is determined once; only candidates, and
 * people above one, have others.
 */
export const withReviewers = (planned: Planned, named: Named): RawBuilder<unknown> => {
  const members = sql.table(planned.members);
  const heads = sql.table(planned.heads);
  return sql`
  with apart as materialized (
    select id from (${allCandidates(planned)}) as asked where id is not null
    union select person from ${sql.table(named.lines)}),
  shared as materialized (
    select e.department_id, coalesce(e.reporting_manager_id, 0) as manager, r.*
    from (select 0::bigint as id, department_id, reporting_manager_id from ${sql.table(planned.teams)}) as e
    join ${heads} h on h.id = e.department_id
    cross join lateral (${reviewerOf(named)}) as r)
  select e.*, s.reviewer_id, s.first_choice
  from ${members} e
  join shared s on s.department_id = e.department_id and s.manager = coalesce(e.reporting_manager_id, 0)
  where e.id not in (select id from apart)
  union all
  select e.*, r.reviewer_id, r.first_choice
  from ${members} e
  join ${heads} h on h.id = e.department_id
  cross join lateral (${reviewerOf(named)}) as r
  where e.id in (select id from apart)`;
};
