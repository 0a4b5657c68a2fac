import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** What counts on one side; `self` ignores whether a step was skipped. */
const counted = (score: RawBuilder<unknown>) => sql`filter (where not na and ${score} is not null)`;
/** The weighted sum of one side, and its weights: divided only once, because numeric rounds each quotient. */
const sum = (score: RawBuilder<unknown>) => sql`sum(i.weight * ${score}) ${counted(score)}`;
const weights = (score: RawBuilder<unknown>) => sql`nullif(sum(i.weight) ${counted(score)}, 0)`;
const managers = sql`coalesce(i.final_score, i.manager_score)`;
const self = sql`i.self_score`;

/** What must always be true of evaluations; each query finds violations. */
export const kpiRules: Record<string, RawBuilder<unknown>> = {
  'a person has two evaluations for a day of one cycle': sql`
    select a.id, b.id from kpi_evaluations a join kpi_evaluations b
      on b.cycle_id = a.cycle_id and b.employee_id = a.employee_id and b.id > a.id
    where a.status <> 'cancelled' and b.status <> 'cancelled'
      and daterange(a.covers_from, a.covers_until, '[]') && daterange(b.covers_from, b.covers_until, '[]')`,
  'the days of a part are not those of the record': sql`
    select id from kpi_evaluations
    where part is not null and status in ('self_assessment', 'manager_review')
      and employed_days <> kpi_employed_days(cycle_id, employee_id, covers_from, covers_until)`,
  'the weights of an evaluation are not the whole': sql`
    select v.id, sum(i.weight) from kpi_evaluations v left join kpi_evaluation_items i on i.evaluation_id = v.id
    group by 1 having coalesce(sum(i.weight), 0) <> 10000`,
  'an evaluation was never published': sql`
    select v.id from kpi_evaluations v join kpi_cycles c on c.id = v.cycle_id
    where c.status = 'draft' or c.published_at is null or not (exists (
      select from kpi_cycle_departments d
      where d.cycle_id = v.cycle_id and d.department_id = v.department_id and d.is_published)
      or exists (select from kpi_evaluation_activity a where a.evaluation_id = v.id and a.action = 'add'))`,
  'an evaluation stands elsewhere than its trail says': sql`
    select v.id, v.status, a.to_status from kpi_evaluations v left join lateral (
      select to_status from kpi_evaluation_activity where evaluation_id = v.id order by at desc, id desc limit 1) as a on true
    where a.to_status is distinct from v.status`,
  'somebody reviews the own evaluation': sql`select id from kpi_evaluations where reviewer_id = employee_id`,
  'an evaluation is due on another day than its step': sql`
    select v.id, v.due_on, kpi_due_on(v) from kpi_evaluations v where v.due_on is distinct from kpi_due_on(v)`,
  'a list of evaluations has another name than the person': sql`
    select v.id from kpi_evaluations v join employees e on e.id = v.employee_id where v.person_sort <> fold(e.name)`,
  'there is a result before its review was handed in': sql`
    select id from kpi_evaluations
    where status in ('self_assessment', 'manager_review') and num_nonnulls(overall_score, overall_percentage) > 0`,
  'a result is not what its scores come to': sql`
    with sides as (
      select v.id, ${sum(managers)} as manager, ${weights(managers)} as manager_weights,
             case when not v.self_skipped then ${sum(self)} end as self,
             case when not v.self_skipped then ${weights(self)} end as self_weights
      from kpi_evaluations v join kpi_evaluation_items i on i.evaluation_id = v.id
      cross join lateral (
        select coalesce(i.manager_not_applicable, i.self_not_applicable and not v.self_skipped) as na) as applies
      where v.overall_score is not null group by v.id),
    results as (
      select s.id, case when self is null then manager / manager_weights
                        else (c.manager_weight_pct * manager * self_weights + c.self_weight_pct * self * manager_weights)
                             / (100 * manager_weights * self_weights) end as score
      from sides s join kpi_evaluations v on v.id = s.id join kpi_cycles c on c.id = v.cycle_id)
    select v.id, v.overall_score, v.overall_percentage, r.score from results r join kpi_evaluations v on v.id = r.id
    where (v.overall_score, v.overall_percentage)
      is distinct from (round(r.score, 2), round(100 * r.score / v.scale_max, 2))`,
  'evidence belongs to an item of another evaluation': sql`
    select f.id from kpi_evidence f join kpi_evaluation_items i on i.id = f.item_id
    where i.evaluation_id <> f.evaluation_id`,
};
