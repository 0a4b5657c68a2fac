import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { notifyEach } from '../../notifications/notify.ts';
import type { NotifyContext } from '../../notifications/notify.ts';
import { markReviewersMissing } from '../../workflow/missing-reviewers.ts';
import { skipMany, withoutSignIn } from '../kpi-evaluations/bulk-transitions.ts';
import { cycleInTexts } from '../kpi-evaluations/parts.ts';
import { planOf } from './plan.ts';
import type { Choice } from './plan.ts';

/** A publication of departments of a cycle, and its actor. */
export type Publication = {
  cycle_id: number;
  department_ids: readonly number[];
  actor: { user_id: number; name: string };
};

/** Locks people, so that concurrent departures and moves happen before or after. */
const lockPeople = (db: Db, { department_ids }: Publication, { only }: Choice) =>
  sql`
  select from employees
  where ${only ? sql`id = any(${only}::bigint[])` : sql`department_id = any(${department_ids}::bigint[])`}
  order by id for key share`.execute(db);

/**
 * Creates the missing evaluations; two simultaneous publications create each one once. Over 40 lines: one statement.
 */
async function insertEvaluations(db: Db, { cycle_id, department_ids }: Publication, choice: Choice): Promise<number[]> {
  const from = choice.covers_from ?? null;
  const hasDays = sql`(t.is_prorated or ${from}::date is not null)`;
  const { rows } = await sql<{ id: number }>`
    with ${planOf(cycle_id, department_ids, choice)}
    insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, job_title, reviewer_id,
      reviewer_missing_since, template_id, template_name, template_version, scale_min, scale_max, score_step,
      scale_words, person_sort, stage_open_until, due_on, person_signs_in, part, covers_from, cycle_days, employed_days)
    select ${cycle_id}, p.id, p.entity_id, p.department_id, e.job_title, p.reviewer_id,
           case when p.reviewer_id is null then now() end, t.id, t.name, t.version, t.scale_min, t.scale_max,
           t.score_step, t.scale_words, fold(e.name),
           n.open_until,
           -- without a due day, a trigger checks the absences of the person
           case when not exists (select from absences a where a.employee_id = p.id)
             then coalesce(n.open_until, c.self_assessment_closes_on, c.end_date) end,
           p.user_id is not null,
           case when ${from}::date is not null then 2 end, ${from}::date,
           case when ${hasDays} then c.end_date - c.start_date + 1 end,
           case when ${hasDays} then kpi_employed_days(c.id, p.id, ${from}::date, null) end
    from people p
    join employees e on e.id = p.id
    join (select x.*, exists (select from kpi_template_items i where i.template_id = x.id and i.prorate) as is_prorated
          from kpi_templates x) as t on t.id = p.template_id
    -- once for each company
    join (select id, kpi_least_end(${cycle_id}, 'self_assessment', (now() at time zone timezone)::date) as open_until
          from entities offset 0) as n on n.id = p.entity_id
    join kpi_cycles c on c.id = ${cycle_id}
    where p.is_new
    -- concurrent publications lock shared people in the same order
    order by p.id
    on conflict do nothing
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Copies the items of their templates into evaluations. */
export const copyItems = (db: Db, evaluations: readonly number[]) =>
  sql`
  insert into kpi_evaluation_items (evaluation_id, template_item_id, name, description, weight, sort_order,
    evidence_required, item_type, direction, unit, target_value, baseline_value, tolerance_pct, cap_pct, prorate)
  select v.id, i.id, i.name, i.description, i.weight, i.sort_order, i.evidence_required, i.item_type, i.direction,
         i.unit, i.target_value, i.baseline_value, i.tolerance_pct, i.cap_pct, i.prorate
  from kpi_evaluations v join kpi_template_items i on i.template_id = v.template_id
  where v.id = any(${evaluations}::bigint[])`.execute(db);

const writeHistory = (db: Db, { actor }: Publication, action: 'publish' | 'add', evaluations: readonly number[]) =>
  sql`
  insert into kpi_evaluation_activity (evaluation_id, actor_id, actor_name, action, to_status, round)
  select v.id, ${actor.user_id}, ${actor.name}, ${action}, v.status, v.round
  from kpi_evaluations v where v.id = any(${evaluations}::bigint[])`.execute(db);

/** Notifies people that their evaluation has started. */
export const notifyAssigned = (context: NotifyContext, evaluations: readonly number[]) =>
  notifyEach(
    context,
    'kpi_evaluation_assigned',
    { type: 'kpi_evaluation' },
    sql`
      select e.user_id, v.id as subject_id, v.round::text as round, '/kpi/evaluations/' || v.id as url,
             jsonb_build_object('cycle', ${cycleInTexts}, 'date', v.due_on) as params,
             'plain' as variant, null::text as copy_to
      from kpi_evaluations v
      join employees e on e.id = v.employee_id
      -- a fence, because the planner expects a single cycle and would repeat the joins above for each one
      cross join lateral (select name from kpi_cycles where id = v.cycle_id offset 0) as c
      where v.id = any(${evaluations}::bigint[])`,
  );

/** Evaluations of people without a sign-in start with the review. */
async function skipWithoutSignIn(db: Db, made: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from kpi_evaluations where id = any(${made}::bigint[]) and not person_signs_in`.execute(db);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await skipMany({ db, actor: null }, ids, withoutSignIn);
}

/** People with an evaluation are neither newly eligible nor left out. */
const deleteDecisions = (db: Db, made: readonly number[]) =>
  sql`
  with people as (
    select cycle_id, employee_id from kpi_evaluations where id = any(${made}::bigint[])
  ), found as (
    delete from kpi_newly_eligible x using people p where x.cycle_id = p.cycle_id and x.employee_id = p.employee_id
  )
  delete from kpi_cycle_left_out l using people p
  where l.cycle_id = p.cycle_id and l.employee_id = p.employee_id`.execute(db);

/**
 * Creates the missing evaluations with copies of their template's items, their first history row and a notification of
 * the people they are about, with one statement each. Returns the number of evaluations.
 */
export async function createEvaluations(db: Db, publication: Publication, choice: Choice = {}): Promise<number> {
  await lockPeople(db, publication, choice);
  const made = await insertEvaluations(db, publication, choice);
  if (made.length === 0) return 0;
  await deleteDecisions(db, made);
  await markReviewersMissing(db, 'kpi_evaluations', made);
  await copyItems(db, made);
  await writeHistory(db, publication, choice.invited ? 'add' : 'publish', made);
  await notifyAssigned({ db, actor: publication.actor }, made);
  await skipWithoutSignIn(db, made);
  return made.length;
}
