import { messages, text } from '@tenure/contract';
import type { kpiCycles, Reply } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { conflict, forbidden, HttpError, invalid, summary } from '../../http/errors.ts';
import { addJob } from '../../jobs/queue.ts';
import { transition } from '../../workflow/transition.ts';
import { createEvaluations } from './evaluations.ts';
import type { Publication } from './evaluations.ts';
import { chosenDepartments, planFor } from './plan.ts';
import type { ChosenDepartment, Plan } from './plan.ts';
import { blockersOf, closedCycle } from './preflight.ts';
import type { CycleRecord } from './queries.ts';
import { notifyPublished } from './notify.ts';

type PublishCtx = HandlerCtx<typeof kpiCycles.publish>;
type Result = Reply<typeof kpiCycles.publish>['result'];

/** The maximum number of evaluations created in a request; a job creates more. */
export const maxAtOnce = 5_000;
const maxMessages = 20;
/** Prefix of job keys, followed by the id of the cycle. */
export const publishJobs = 'publish_kpi_cycle:';
/** Half an hour including the pauses of the queue; users should learn of a failure by then. */
const publishAttempts = 8;

async function departmentsOf(ctx: PublishCtx, cycleId: number): Promise<ChosenDepartment[]> {
  const named = ctx.body.department_ids;
  const chosen = await chosenDepartments(ctx, cycleId, named);
  const known = new Set(chosen.map(({ id }) => id));
  if (named?.some((id) => !known.has(id))) throw invalid('department_ids', messages.unavailable);
  return chosen;
}

/** Continuing without reviewers needs the permission to assign them later. */
export function refuseMissing(
  { actor, body }: { actor: Actor; body: { allow_missing_reviewer?: boolean | undefined } },
  chosen: readonly { entity_id: number }[],
) {
  if (!body.allow_missing_reviewer) return;
  const reach = reachOf(actor, 'kpi-evaluation.assign-reviewer');
  if (!chosen.every(({ entity_id }) => reachesEntity(reach, entity_id))) throw forbidden();
}

function refuseState(cycle: CycleRecord) {
  if (cycle.status === 'closed') throw conflict(closedCycle, cycle);
  if (cycle.publishing_total !== null) throw conflict(text('kpi_cycles.publishing_already'), cycle);
}

function refuseBlocked({ body }: PublishCtx, cycle: CycleRecord, chosen: readonly ChosenDepartment[], plan: Plan) {
  const { status, revision } = cycle;
  const blocked = blockersOf(chosen, plan).filter(({ code }) => code !== 'no_reviewer' || !body.allow_missing_reviewer);
  if (blocked.length > 0) {
    const errors = { status: blocked.slice(0, maxMessages).map(({ message }) => message) };
    throw new HttpError(422, { message: summary(errors), errors, status, revision });
  }
  if (body.plan_hash && body.plan_hash !== plan.plan_hash) {
    const message = text('kpi_cycles.preflight_changed');
    const errors = { status: [message], plan_hash: [message] };
    throw new HttpError(422, { message, errors, status, revision });
  }
}

/** Waits for concurrent changes of templates, which count as used from now on. */
export const lockTemplates = (db: Db, chosen: readonly Pick<ChosenDepartment, 'template_id'>[]) =>
  sql`
  select from kpi_templates where id = any(${chosen.flatMap(({ template_id }) => template_id ?? [])}::bigint[])
  order by id for share`.execute(db);

/** Marks the departments as published, and the cycle with the first of them. */
async function markPublished({ db, actor }: PublishCtx, cycle: CycleRecord, fresh: readonly ChosenDepartment[]) {
  if (fresh.length > 0)
    await sql`
      update kpi_cycle_departments
      set is_published = true, published_at = now(), published_by = ${actor.user_id}, published_by_name = ${actor.name}
      where cycle_id = ${cycle.id} and department_id = any(${fresh.map(({ id }) => id)}::bigint[])`.execute(db);
  if (cycle.status === 'draft')
    await transition(db, {
      table: 'kpi_cycles',
      column: 'status',
      id: cycle.id,
      from: ['draft'],
      to: 'published',
      set: { published_at: sql`now()` },
      refusal: () => closedCycle,
    });
}

/** Leaves the evaluations to a job, which continues if this process dies. */
async function publishLater(db: Db, publication: Publication, total: number): Promise<void> {
  await sql`
    update kpi_cycles set publishing_processed = 0, publishing_total = ${total},
                          publishing_request = ${JSON.stringify(publication)}::jsonb
    where id = ${publication.cycle_id}`.execute(db);
  const { cycle_id: id } = publication;
  await addJob(db, 'publish_kpi_cycle', { id }, { key: `${publishJobs}${id}`, maxAttempts: publishAttempts });
}

const recordPublish = (ctx: PublishCtx, cycle: CycleRecord, fresh: readonly ChosenDepartment[], created: number) =>
  record(ctx, {
    action: 'kpi_cycle.publish',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: cycle.entity_id,
    changes: {
      ...(cycle.status === 'draft' && { status: { from: 'draft', to: 'published' } }),
      departments: { from: null, to: fresh.length },
      evaluations: { from: null, to: created },
    },
  });

/** Publishes a cycle or some of its departments. Publishing again adds new people. */
export async function publish(ctx: PublishCtx, cycle: CycleRecord): Promise<Result> {
  const { db, actor } = ctx;
  const chosen = await departmentsOf(ctx, cycle.id);
  refuseMissing(ctx, chosen);
  refuseState(cycle);
  await lockTemplates(db, chosen);
  const departmentIds = chosen.map(({ id }) => id);
  const plan = await planFor({ db, actor: ctx.actor, cycleId: cycle.id, departmentIds });
  refuseBlocked(ctx, cycle, chosen, plan);
  const { to_create, existing, excluded_count } = plan;
  const fresh = chosen.filter(({ is_published }) => !is_published);
  await markPublished(ctx, cycle, fresh);
  const publication: Publication = {
    cycle_id: cycle.id,
    department_ids: departmentIds,
    actor: { user_id: actor.user_id, name: actor.name },
  };
  const isLarge = to_create > maxAtOnce;
  if (isLarge) await publishLater(db, publication, to_create);
  const created = isLarge ? 0 : await createEvaluations(db, publication);
  if (fresh.length > 0) await notifyPublished(ctx, cycle, fresh);
  if (fresh.length > 0 || to_create > 0) await recordPublish(ctx, cycle, fresh, to_create);
  return { status: isLarge ? 'processing' : 'completed', created, skipped: existing, blocked: excluded_count };
}
