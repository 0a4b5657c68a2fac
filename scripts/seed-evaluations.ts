import type pg from 'pg';
import { withoutIndexes } from './seed-bulk.ts';

/**
 * A published cycle with an evaluation for each person, in every state, each as it would have developed: scored,
 * commented, with its history. Written in a few statements; the same people give the same evaluations.
 */
export async function seedEvaluations(pool: pg.Pool): Promise<{ cycle_id: number; evaluations: number }> {
  const client = await pool.connect();
  try {
    await client.query("begin; set local work_mem = '256MB'");
    const { rows } = await client.query<{ cycle_id: number; template_id: number }>(frame);
    const { cycle_id, template_id } = rows[0] as { cycle_id: number; template_id: number };
    const ids = [cycle_id, template_id];
    await client.query(departments, ids);
    const { rowCount } = await withoutIndexes(client, ['kpi_evaluations'], () => client.query(evaluations, ids));
    for (const statement of [items, activity, stayed]) await client.query(statement, [cycle_id]);
    await client.query('select fold_kpi_evaluation_counts()');
    await client.query('commit');
    await client.query('vacuum analyze');
    return { cycle_id, evaluations: rowCount ?? 0 };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const frame = `
  with template as (
    insert into kpi_templates (name, total_weight, items_count) values ('Seed: goals of the quarter', 10000, 3) returning id
  ), template_items as (
    insert into kpi_template_items (template_id, name, weight, sort_order)
    select t.id, i.name, i.weight, i.place from template t,
      (values ('Goals of the quarter', 4000, 1), ('Quality of the work', 3000, 2), ('Teamwork', 3000, 3)) as i (name, weight, place)
  )
  insert into kpi_cycles (name, type, start_date, end_date, self_assessment_opens_on, self_assessment_closes_on,
    manager_review_opens_on, manager_review_closes_on, status, published_at, created_by_name)
  select 'Seed: last quarter', 'quarterly', current_date - 100, current_date - 10, current_date - 20, current_date + 5,
         current_date - 20, current_date + 15, 'published', now() - interval '20 days', 'System'
  from template
  returning id::int as cycle_id, (select id::int from template) as template_id`;

const departments = `
  insert into kpi_cycle_departments (cycle_id, department_id, template_id, is_published, published_at, published_by_name)
  select $1, d.id, $2, true, now() - interval '20 days', 'System' from departments d
  where exists (select from employees e where e.department_id = d.id)`;

// Stage is how far an evaluation came; of a hundred 40 are in self-assessment, 30 with the reviewer and so on. The
// scores are those of the items below: 4/4/4 of the person, the reviewer's by the person.
const evaluations = `
  with people as (
    select e.*, e.id % 100 as n, 2 + e.id % 4 as first, 3 + e.id % 3 as second, 2 + e.id % 3 as third,
           coalesce(e.reporting_manager_id, nullif(d.manager_id, e.id)) as reviewer_id
    from employees e join departments d on d.id = e.department_id where e.deleted_at is null
  ), staged as (
    select *, (4000 * first + 3000 * second + 3000 * third) / 10000.0 as score,
           case when n < 40 then 0 when n < 70 then 1 when n < 82 then 2 when n < 90 then 3 when n < 94 then 4 else 5 end as stage
    from people
  ), rated as (
    select *, case when score * 20 < 60 then 'pip' when score * 20 >= 90 then 'hipo' else 'standard' end as flag from staged
  )
  insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, job_title, reviewer_id, template_id,
    template_name, template_version, scale_min, scale_max, score_step, status, status_changed_at, self_overall_score,
    overall_score, overall_percentage, suggested_flag, performance_flag, self_comment, manager_comment, hr_comment,
    self_submitted_at, manager_submitted_at, manager_submitted_by_name, hr_submitted_at, hr_submitted_by_name,
    acceptance_due_on, responded_at, acceptance_mode, dispute_reason, completed_at, person_sort)
  select $1, id, entity_id, department_id, job_title, reviewer_id, $2, 'Seed: goals of the quarter', 1, 1, 5, 1,
    case when n = 93 then 'disputed' else
      (array['self_assessment', 'manager_review', 'hr_review', 'pending_acceptance', 'accepted', 'completed'])[stage + 1] end,
    now() - make_interval(days => 12 - 2 * stage),
    case when stage > 0 then 4 end, case when stage > 1 then score end, case when stage > 1 then score * 20 end,
    case when stage > 1 then flag end, case when stage > 2 then flag end,
    case when stage > 0 then 'A quarter with more up than down.' end,
    case when stage > 1 then 'Agreed in our talk.' end, case when stage > 2 then 'In line with others.' end,
    case when stage > 0 then now() - interval '10 days' end, case when stage > 1 then now() - interval '8 days' end,
    case when stage > 1 then 'The reviewer' end, case when stage > 2 then now() - interval '6 days' end,
    case when stage > 2 then 'HR' end, case when stage > 2 then current_date + 1 end,
    case when stage > 3 then now() - interval '4 days' end, case when stage > 3 and n <> 93 then 'employee' end,
    case when n = 93 then 'The second item was not seen in full.' end, case when stage > 4 then now() - interval '2 days' end,
    fold(name)
  from rated`;

const items = `
  insert into kpi_evaluation_items (evaluation_id, template_item_id, name, weight, sort_order, evidence_required, item_type,
    self_score, manager_score, final_score)
  select v.id, t.id, t.name, t.weight, t.sort_order, t.evidence_required, t.item_type,
    case when v.self_submitted_at is not null then 4 end,
    case when v.manager_submitted_at is not null then s.score end, case when v.hr_submitted_at is not null then s.score end
  from kpi_evaluations v join kpi_template_items t on t.template_id = v.template_id,
    lateral (select (array[2 + v.employee_id % 4, 3 + v.employee_id % 3, 2 + v.employee_id % 3])[t.sort_order] as score) as s
  where v.cycle_id = $1`;

const activity = `
  insert into kpi_evaluation_activity (evaluation_id, at, actor_name, action, from_status, to_status, round)
  select v.id, now() - interval '20 days', 'System', 'publish', null::text, 'self_assessment', 1
  from kpi_evaluations v where v.cycle_id = $1
  union all
  select v.id, v.status_changed_at, 'System', 'move', 'self_assessment', v.status, 1
  from kpi_evaluations v where v.cycle_id = $1 and v.status <> 'self_assessment'`;

/** How long the steps took, as recorded when they ended. */
const stayed = `
  insert into kpi_stage_days
  select v.cycle_id, v.entity_id, s.status, s.days + v.id % 7 / 2.0, count(*)
  from kpi_evaluations v
  join (values ('self_assessment', 1.0, 1), ('manager_review', 2.0, 2), ('hr_review', 1.5, 3),
               ('pending_acceptance', 0.5, 4)) as s (status, days, nth)
    on s.nth <= num_nonnulls(v.self_submitted_at, v.manager_submitted_at, v.hr_submitted_at, v.responded_at)
  where v.cycle_id = $1
  group by 1, 2, 3, 4`;
