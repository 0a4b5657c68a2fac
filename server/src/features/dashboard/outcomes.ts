import type { OutcomesReport, QueryOut, reports } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { calendarOf } from './days.ts';
import { rangeOf } from './movement.ts';
import { decidedBetween, extensionRate, withNone } from './probation.ts';

type Query = QueryOut<typeof reports.probationOutcomes>;
type Department = OutcomesReport['departments'][number];
type Found = Omit<Department, 'outcomes'> & { outcomes: Partial<Department['outcomes']> };

/** Probation outcomes in a period, by the department of the review. */
export async function reportOutcomes({ db, actor }: { db: Db; actor: Actor }, query: Query): Promise<OutcomesReport> {
  const { as_of, today } = await calendarOf({ db, actor }, query.entity_id);
  const { from, to } = rangeOf(query, today);
  const { rows } = await sql<Found>`
    select d.id, d.name, json_build_object('id', n.id, 'name', n.name) as entity, o.outcomes
    from (
      select department_id, json_object_agg(outcome, people) as outcomes from (
        select r.department_id, r.outcome, count(*) as people from probation_reviews r
        where ${decidedBetween(actor, 'dashboard.view_all', query.entity_id, [from, to])} group by 1, 2) as counted
      group by 1) as o
    join departments d on d.id = o.department_id join entities n on n.id = d.entity_id
    order by d.name_sort, d.id`.execute(db);
  const departments = rows.map((row) => ({ ...row, outcomes: withNone(row.outcomes) }));
  const sum = (outcome: keyof OutcomesReport['outcomes']) =>
    departments.reduce((total, { outcomes }) => total + outcomes[outcome], 0);
  const outcomes = { confirm: sum('confirm'), extend: sum('extend'), terminate: sum('terminate') };
  return { as_of, today, outcomes, extension_rate_pct: extensionRate(outcomes), departments };
}
