import type { Dashboard, ProbationOutcome } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { probationReviewCandidates } from '../../people/candidates.ts';
import { missingFor, onProbation } from '../../people/conditions.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import type { ReadCtx } from '../../http/context.ts';
import { decidedOn } from '../../workflow/decided.ts';
import { onCompanyDays, percentOf } from './days.ts';
import type { Calendar, Days } from './days.ts';
import { peopleCounted } from './scope.ts';
import type { Asked, Sight } from './scope.ts';

type Outcomes = Record<ProbationOutcome, number>;
type Figures = Omit<NonNullable<Dashboard['probation']>, 'as_of' | 'outcomes_quarter' | 'extension_rate_pct'> & {
  outcomes: Partial<Outcomes>;
};

export const withNone = (outcomes: Partial<Outcomes>): Outcomes => ({
  confirm: 0,
  extend: 0,
  terminate: 0,
  ...outcomes,
});
export const extensionRate = ({ confirm, extend, terminate }: Outcomes) =>
  percentOf(extend, confirm + extend + terminate);

/** Reviews `probation_reviews r` decided between two days inclusive, in the scope of the figures. */
export const decidedBetween = (
  actor: Actor,
  reviews: NonNullable<Sight['reviews']>,
  entityIds: Asked,
  [from, to]: [from: string, to: string],
): RawBuilder<SqlBool> =>
  every([
    sql<SqlBool>`r.status = 'approved' and r.milestone = 'final'`,
    ...decidedOn('r', { from, to }),
    // figures do not include what the reader does for others as a deputy
    evaluationsIn(actor, reviews, 'r', { deputies: false }),
    ...oneOfIds(sql`r.entity_id`, entityIds),
  ]);

/** People on probation, the ends of their probations, and recent outcomes. */
export async function countProbation(
  { db, actor }: ReadCtx,
  { employment, reviews }: Sight,
  entityIds: Asked,
  when: Calendar,
): Promise<Pick<Dashboard, 'probation'>> {
  if (!employment || !reviews) return {};
  const missing = missingFor(actor);
  const people = peopleCounted(actor, employment, entityIds);
  const onDays = (condition: (days: Days) => RawBuilder<SqlBool>) => onCompanyDays(when, sql`e.entity_id`, condition);
  const sum = (column: 'people' | 'running', condition: RawBuilder<SqlBool>) =>
    sql`coalesce(sum(e.${sql.ref(column)}) filter (where ${condition}), 0)::int`;
  const running = (condition: (days: Days) => RawBuilder<SqlBool>) => sum('running', onDays(condition));
  const ending = (within: number) =>
    running(({ today }) => sql`e.probation_end_date between ${today}::date and ${today}::date + ${within}::int`);
  const decided = onCompanyDays(when, sql`r.entity_id`, ({ quarter_start, today }) =>
    decidedBetween(actor, reviews, entityIds, [quarter_start, today]),
  );
  // an index on people on probation contains all counted columns, sorted by day
  const { rows } = await sql<Figures>`
    select coalesce(sum(e.people), 0)::int as on_probation, ${ending(30)} as ending_30, ${ending(14)} as ending_14, ${ending(7)} as ending_7,
      ${running(({ yesterday }) => sql`e.probation_end_date <= ${yesterday}::date`)} as overdue,
      ${sum('people', sql`e.probation_end_date is null`)} as no_end_date,
      (select count(*) from employees e
       where ${people} and e.id = any(${probationReviewCandidates}) and ${missing.probation_review}) as no_review,
      (select coalesce(json_object_agg(outcome, n), '{}') from (
        select r.outcome, count(*) as n from probation_reviews r
        where ${decided} group by 1) as o) as outcomes
    from (
      select e.entity_id, e.probation_end_date, count(*) as people,
             count(*) filter (where e.probation_paused_from is null) as running
      from employees e where ${people} and ${onProbation} group by 1, 2) as e`.execute(db);
  const { outcomes, ...figures } = rows[0] as Figures;
  const outcomes_quarter = withNone(outcomes);
  const { as_of } = when;
  return { probation: { as_of, ...figures, outcomes_quarter, extension_rate_pct: extensionRate(outcomes_quarter) } };
}
