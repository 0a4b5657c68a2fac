import type { probationEndings, probationProblems, QueryOut, UpcomingProbation } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { either, peopleIn } from '../../access/scope.ts';
import { every, oneOfIds, orderedBy } from '../../db/lists.ts';
import { personRefTo, refTo } from '../../db/refs.ts';
import { pageOffset, pageSize } from '../../http/paging.ts';
import { probationReviewCandidates } from '../../people/candidates.ts';
import { matchesName } from '../../people/search-words.ts';
import { reviewsIn } from '../../access/review-scope.ts';
import type { ReadCtx } from '../../http/context.ts';

type ListQuery = QueryOut<typeof probationEndings.upcoming>;
type Condition = RawBuilder<SqlBool>;
type Problem = (typeof probationProblems)[number];

const usualDays = 60;
/** How long a calendar shows an undecided end in the past. */
const pastDays = 30;

// the fence keeps the day from being computed for every person of a company
const companies = sql`(
  select id, name, (now() at time zone timezone)::date as today, probation_lead_days from entities offset 0) as n`;

/** The review of this end: the open one, else the one that decided it. One index look-up per person. */
const reviewOf = sql`lateral (
  select v.* from probation_reviews v
  where v.employee_id = e.id and v.milestone = 'final' and v.status in ('pending', 'submitted', 'sent_back', 'approved')
    and (v.status <> 'approved' or v.probation_end_date = e.probation_end_date)
  order by v.status = 'approved', v.sequence desc limit 1) as v on true`;

/** The problems, by `e`, `n` and the review `v` of this end. */
const problems: Readonly<Record<Problem, Condition>> = {
  no_end_date: sql<SqlBool>`e.probation_end_date is null`,
  no_reviewer: sql<SqlBool>`(v.status in ('pending', 'sent_back') and v.reviewer_missing_since is not null)`,
  no_review: sql<SqlBool>`(v.id is null and e.probation_paused_from is null
    and e.probation_end_date <= n.today + n.probation_lead_days)`,
  overdue: sql<SqlBool>`(v.status is distinct from 'approved' and e.probation_paused_from is null
    and e.probation_end_date < n.today)`,
};

/** People who may have a problem: found through indexes, so that only their reviews are looked up. */
const suspects: Readonly<Record<Problem, Condition>> = {
  no_end_date: problems.no_end_date,
  no_reviewer: sql<SqlBool>`e.id in (
    select r.employee_id from probation_reviews r
    where r.status in ('pending', 'sent_back') and r.reviewer_missing_since is not null)`,
  no_review: sql<SqlBool>`e.id in (select unnest(${probationReviewCandidates}))`,
  overdue: sql<SqlBool>`e.probation_end_date < n.today`,
};

const withProblem = (wanted: readonly Problem[]): Condition[] =>
  [suspects, problems].map((conditions) => either(wanted.map((problem) => conditions[problem])));

/** People on probation in scope, without the actor. */
const inScope = (actor: Actor): Condition[] => [
  sql<SqlBool>`e.employment_lifecycle = 'probationary' and e.activity_status = 'active' and e.deleted_at is null`,
  peopleIn(actor, { ...reachOf(actor, 'probation-review.view'), own: false }),
  ...(actor.employee_id === null ? [] : [sql<SqlBool>`e.id <> ${actor.employee_id}`]),
];

const asked = (actor: Actor, query: ListQuery): Condition =>
  every([
    ...inScope(actor),
    sql<SqlBool>`(e.probation_end_date is null or e.probation_end_date <= n.today + ${query.days ?? usualDays}::int)`,
    ...oneOfIds(sql`e.entity_id`, query.entity_id),
    ...oneOfIds(sql`e.department_id`, query.department_id),
    ...(query.problem ? withProblem(query.problem) : []),
    ...(query.search ? [matchesName(actor, query.search)] : []),
  ]);

const byName = sql`fold(e.name) collate "C"`;

const sorts: Record<NonNullable<ListQuery['sort_by']>, RawBuilder<unknown>> = {
  probation_end_date: sql`e.probation_end_date`,
  employee_name: byName,
  days_left: sql`e.probation_end_date - n.today`,
};

type Page = { ids: number[]; total: number };

/** The people of a query; for a problem, each with the review of the end. */
const people = (actor: Actor, query: ListQuery) => sql`
  from ${companies} join employees e on e.entity_id = n.id
  ${query.problem ? sql`left join ${reviewOf}` : sql``}
  where ${asked(actor, query)}`;

const limited = (query: ListQuery) => sql`limit ${pageSize(query)} offset ${pageOffset(query)}`;

/** Collected once, counted and sorted. */
const collectAndSort = (actor: Actor, query: ListQuery) => sql<Page>`
  with matches as materialized (
    select e.id, ${sorts[query.sort_by ?? 'probation_end_date']} as key ${people(actor, query)})
  select (select count(*)::int from matches) as total,
         array(select id from matches ${orderedBy(sql`key`, query.sort_direction, sql`id`)} ${limited(query)}) as ids`;

/** In the order of an index; another one counts them. */
const alongNames = (actor: Actor, query: ListQuery) => sql<Page>`
  select (select count(*)::int ${people(actor, query)}) as total,
         array(select e.id ${people(actor, query)}
               order by ${byName} ${query.sort_direction === 'desc' ? sql`desc` : sql`asc`}, e.id ${limited(query)}) as ids`;

/** True if there may be many people, whose names would all have to be read. */
function findsMany(actor: Actor, { search, problem, department_id }: ListQuery): boolean {
  const { everything, entity_ids } = reachOf(actor, 'probation-review.view');
  return (everything || entity_ids.length > 0) && !search && !problem && !department_id;
}

/** Ids of a page in order, and the total, from one snapshot. */
export const pageOfEndings = (actor: Actor, query: ListQuery): RawBuilder<Page> =>
  query.sort_by === 'employee_name' && findsMany(actor, query)
    ? alongNames(actor, query)
    : collectAndSort(actor, query);

type Row = Omit<UpcomingProbation, 'problems' | 'allowed_actions'> & Record<Problem | 'may_extend', boolean | null>;

/** The rows of a page; a review that the actor does not see has neither status nor reviewer. */
async function readRows({ db, actor }: ReadCtx, ids: readonly number[]): Promise<UpcomingProbation[]> {
  const seen = sql`v.id is not null and ${reviewsIn(actor, 'probation-review.view')}`;
  const reach = peopleIn(actor, reachOf(actor, 'employees.update'));
  const { rows } = await sql<Row>`
    select ${personRefTo('e')} as employee, ${refTo('n')} as entity, ${refTo('d')} as department,
           e.probation_end_date, e.probation_end_date - n.today as days_left, e.extension_count,
           e.probation_paused_from as paused_from,
           case when ${seen} then json_build_object('id', v.id, 'status', v.status) end as review,
           case when ${seen} and r.id is not null then ${personRefTo('r')} end as reviewer,
           ${sql.join(Object.entries(problems).map(([name, condition]) => sql`${condition} as ${sql.ref(name)}`))},
           ${reach} and (${actor.is_admin} or u.is_admin is not true) as may_extend
    from unnest(${ids}::bigint[]) with ordinality as page (id, place)
    join employees e on e.id = page.id
    left join users u on u.id = e.user_id
    join ${companies} on n.id = e.entity_id
    join departments d on d.id = e.department_id
    left join ${reviewOf}
    left join employees r on r.id = v.reviewer_id
    order by page.place`.execute(db);
  return rows.map(({ no_end_date, no_reviewer, no_review, overdue, may_extend, ...row }) => {
    const found = { no_end_date, no_reviewer, no_review, overdue };
    const wrong = (Object.keys(found) as Problem[]).filter((name) => found[name]);
    return { ...row, problems: wrong, allowed_actions: may_extend ? ['extend'] : [] };
  });
}

/** People whose probation ends soon, has ended undecided, or has no end; without the actor. */
export async function listUpcoming(
  ctx: ReadCtx,
  query: ListQuery,
): Promise<{ rows: UpcomingProbation[]; total: number }> {
  const found = await pageOfEndings(ctx.actor, query).execute(ctx.db);
  const { ids, total } = found.rows[0] ?? { ids: [], total: 0 };
  return { rows: ids.length > 0 ? await readRows(ctx, ids) : [], total };
}

export type ProbationEnd = { employee_id: number; name: string; probation_end_date: string };

/**
 * The known ends of the same people, from `pastDays` ago until `usualDays` from now, the earliest first. A single index
 * gives them, and only the names of the first ones are read.
 */
export async function listProbationEnds({ db, actor }: ReadCtx, most: number): Promise<ProbationEnd[]> {
  const { rows } = await sql<ProbationEnd>`
    with ends as materialized (
      select e.id, e.probation_end_date
      from ${companies} join employees e on e.entity_id = n.id
      where ${every([
        ...inScope(actor),
        sql<SqlBool>`e.probation_paused_from is null`,
        sql<SqlBool>`e.probation_end_date between n.today - ${pastDays}::int and n.today + ${usualDays}::int`,
      ])}
      order by e.probation_end_date, e.id limit ${most})
    select e.id as employee_id, e.name, f.probation_end_date
    from ends f join employees e on e.id = f.id order by f.probation_end_date, f.id`.execute(db);
  return rows;
}

/** How many probations of all people in the companies end within these days. */
export async function countProbationEnds(
  db: ReadCtx['db'],
  entityIds: readonly number[] | null,
  days: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${companies} join employees e on e.entity_id = n.id
    where (${entityIds}::bigint[] is null or n.id = any(${entityIds}::bigint[]))
      and e.employment_lifecycle = 'probationary' and e.activity_status = 'active' and e.deleted_at is null
      and e.probation_paused_from is null and e.probation_end_date between n.today and n.today + ${days}::int`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
