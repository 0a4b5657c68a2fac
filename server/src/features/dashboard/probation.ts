import type { Dashboard, ProbationOutcome } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { missingFor, onProbation } from '../../people/conditions.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import type { ReadCtx } from '../../http/context.ts';
import { percentOf } from './days.ts';
import type { When } from './people.ts';
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

/** Reviews `probation_reviews r` decided between two days inclusive, in the scope for evaluations. */
export const decidedBetween = (
  actor: Actor,
  reviews: NonNullable<Sight['reviews']>,
  entityIds: Asked,
  [from, to]: [from: string, to: string],
): RawBuilder<SqlBool> =>
  every([
    sql<SqlBool>`r.status = 'approved'`,
    sql<SqlBool>`r.decided_at >= ${from}::date at time zone 'UTC'`,
    sql<SqlBool>`r.decided_at < (${to}::date + 1) at time zone 'UTC'`,
    evaluationsIn(actor, reviews, 'r'),
    ...oneOfIds(sql`r.entity_id`, entityIds),
  ]);

/** People on probation, their ends, and recent outcomes. */
export async function countProbation(
  { db, actor }: ReadCtx,
  { employment, reviews }: Sight,
  entityIds: Asked,
  { as_of, days }: When,
): Promise<Pick<Dashboard, 'probation'>> {
  if (!employment || !reviews) return {};
  const { today, yesterday } = days;
  const missing = missingFor(actor);
  const people = peopleCounted(actor, employment, entityIds);
  const ending = (within: number) =>
    sql`count(*) filter (where e.probation_end_date between ${today}::date and ${today}::date + ${within}::int)`;
  const { rows } = await sql<Figures>`
    select count(*) as on_probation, ${ending(30)} as ending_30, ${ending(14)} as ending_14, ${ending(7)} as ending_7,
      count(*) filter (where e.probation_end_date <= ${yesterday}::date) as overdue,
      count(*) filter (where ${missing.probation_end}) as no_end_date,
      (select count(*) from employees e where ${people} and ${missing.probation_review}) as no_review,
      (select coalesce(json_object_agg(outcome, n), '{}') from (
        select r.outcome, count(*) as n from probation_reviews r
        where ${decidedBetween(actor, reviews, entityIds, [days.quarter_start, today])} group by 1) as o) as outcomes
    from employees e where ${people} and ${onProbation}`.execute(db);
  const { outcomes, ...figures } = rows[0] as Figures;
  const outcomes_quarter = withNone(outcomes);
  return { probation: { as_of, ...figures, outcomes_quarter, extension_rate_pct: extensionRate(outcomes_quarter) } };
}
