import { sql } from 'kysely';
import type { Acting } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { notifyEach } from '../../notifications/notify.ts';
import { markReviewersMissing } from '../../workflow/missing-reviewers.ts';
import { cancelReplaced, recordReplaced } from '../kpi-evaluations/bulk-transitions.ts';
import type { Exchanged } from '../kpi-evaluations/bulk-transitions.ts';
import { copyItems } from './evaluations.ts';
import { cycleInTexts } from '../kpi-evaluations/parts.ts';

/** Evaluations per statement, because a statement of a request has a timeout of 5 s. */
const together = 2_500;

const inParts = (ids: readonly number[]) =>
  Array.from({ length: Math.ceil(ids.length / together) }, (_, index) =>
    ids.slice(index * together, (index + 1) * together),
  );

/** The template, and whether it has a target prorated by days of employment. */
const templateOf = (id: number) => sql`(
  select x.*, exists (select from kpi_template_items i where i.template_id = x.id and i.prorate) as is_prorated
  from kpi_templates x where x.id = ${id}) as t`;

/** A part keeps its days, which are the weight of its result. */
const hasDays = sql`(t.is_prorated or v.part is not null)`;
const cycleDays = sql`case when ${hasDays} then (
  select c.end_date - c.start_date + 1 from kpi_cycles c where c.id = v.cycle_id) end`;
const employedDays = sql`case when ${hasDays} then
  kpi_employed_days(v.cycle_id, v.employee_id, v.covers_from, v.covers_until) end`;
const today = sql`(select (now() at time zone n.timezone)::date from entities n where n.id = v.entity_id)`;

/** Replaces the template of evaluations that were not started; their address and their tasks stay. */
async function exchange(db: Db, templateId: number, ids: readonly number[]): Promise<Exchanged[]> {
  await sql`delete from kpi_evaluation_items where evaluation_id = any(${ids}::bigint[])`.execute(db);
  const { rows } = await sql<Exchanged>`
    update kpi_evaluations v
    set template_id = t.id, template_name = t.name, template_version = t.version, scale_min = t.scale_min,
        scale_max = t.scale_max, score_step = t.score_step, scale_words = t.scale_words, met_is_top = true,
        cycle_days = ${cycleDays}, employed_days = ${employedDays},
        stage_open_until = greatest(v.stage_open_until, kpi_least_end(v.cycle_id, v.status, ${today}))
    from ${templateOf(templateId)}, employees p, kpi_evaluations former
    where v.id = any(${ids}::bigint[]) and p.id = v.employee_id and former.id = v.id
    returning v.id, v.employee_id, v.entity_id, p.name as person_name, v.status as "from", v.status as "to", v.round,
              (select c.name from kpi_cycles c where c.id = v.cycle_id) as cycle_name,
              former.template_name as former`.execute(db);
  await copyItems(db, ids);
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Creates an evaluation with the template for each cancelled one, in the same place and with the same reviewer. */
async function beginAnew(db: Db, templateId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, job_title, reviewer_id,
      reviewer_missing_since, template_id, template_name, template_version, scale_min, scale_max, score_step,
      scale_words, person_sort, stage_open_until, part, covers_from, covers_until, cycle_days, employed_days)
    select v.cycle_id, v.employee_id, v.entity_id, v.department_id, v.job_title, v.reviewer_id,
           v.reviewer_missing_since, t.id, t.name, t.version, t.scale_min, t.scale_max, t.score_step, t.scale_words,
           v.person_sort, kpi_least_end(v.cycle_id, 'self_assessment', ${today}), v.part, v.covers_from, v.covers_until, ${cycleDays}, ${employedDays}
    from kpi_evaluations v cross join ${templateOf(templateId)}
    where v.id = any(${ids}::bigint[]) order by v.employee_id
    returning id`.execute(db);
  const made = rows.map(({ id }) => id);
  await markReviewersMissing(db, 'kpi_evaluations', made);
  await copyItems(db, made);
  return made;
}

/** One notification for each person whose evaluation now has other items. */
const notifyReplaced = ({ db, actor }: Acting, ids: readonly number[]) =>
  notifyEach(
    { db, actor },
    'kpi_evaluation_assigned',
    { type: 'kpi_evaluation' },
    sql`
      select e.user_id, v.id as subject_id, v.round || '-' || v.revision as round, '/kpi/evaluations/' || v.id as url,
             jsonb_build_object('cycle', ${cycleInTexts}, 'date', v.due_on) as params, 'replaced' as variant,
             null::text as copy_to
      from kpi_evaluations v
      join kpi_cycles c on c.id = v.cycle_id
      join employees e on e.id = v.employee_id
      where v.id = any(${ids}::bigint[])`,
  );

type Change = { template: { id: number; name: string }; reason: string | null };

/** Replaces the items of evaluations that were not started; history and audit log record it. */
export async function replaceInPlace(acting: Acting, ids: readonly number[], { template, reason }: Change) {
  for (const some of inParts(ids)) {
    const exchanged = await exchange(acting.db, template.id, some);
    await recordReplaced(acting, exchanged, { template: template.name, reason });
    await notifyReplaced(acting, some);
  }
}

/** Cancels started evaluations, which stay readable, and starts new ones for the same people. */
export async function cancelAndBeginAnew(acting: Acting, ids: readonly number[], { template, reason }: Change) {
  const { db, actor } = acting;
  if (ids.length === 0) return;
  const made = await beginAnew(db, template.id, await cancelReplaced(acting, ids, reason));
  await sql`
    insert into kpi_evaluation_activity (evaluation_id, actor_id, actor_name, action, to_status, reason, round)
    select v.id, ${actor?.user_id ?? null}::bigint, ${actor?.name ?? 'System'}, 'replace-template', v.status, ${reason}, v.round
    from kpi_evaluations v where v.id = any(${made}::bigint[])`.execute(db);
  await notifyReplaced(acting, made);
}
