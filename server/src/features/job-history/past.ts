import { jobFields, messages, text } from '@tenure/contract';
import type { BodyOut, jobHistory } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { WriteCtx } from '../../http/context.ts';
import { conflict, invalid, invalidFields, say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { loadRuleContext } from '../../people/rule-context.ts';
import { addPast, correctPast } from './past-rows.ts';
import type { NewRow, PastRow, Plan } from './past-rows.ts';
import type { Job, JobField } from './guards.ts';
import type { Stored } from './queries.ts';

/** The rows of a locked person that have begun, in order. */
async function rowsOf(db: Db, personId: number): Promise<PastRow[]> {
  const { rows } = await sql<PastRow>`
    select id, effective_from, effective_to, status, source, changed_fields, employment_lifecycle, entity_id,
           department_id, reporting_manager_id, job_title, grade, employment_type, rehired_after
    from job_history where employee_id = ${personId} and status in ('past', 'current')
    order by effective_from, effective_to nulls last, id`.execute(db);
  return rows;
}

const jobIn = (sent: Partial<Record<JobField, unknown>>): Partial<Job> =>
  Object.fromEntries(jobFields.flatMap((field) => (sent[field] === undefined ? [] : [[field, sent[field]]])));

/**
 * Refuses references that the actor may not name, except those already in the row. Companies, departments and managers
 * of the past may be inactive.
 */
async function checkReferences({ db, actor }: WriteCtx, personId: number, job: Job, stored: Job): Promise<void> {
  const context = await loadRuleContext({ db, actor }, 'employees.update', job, stored);
  const errors: FieldErrors = {};
  const refuse = (field: JobField) => (errors[field] = [say(field, messages.unavailable)]);
  if (!context.entities.has(job.entity_id)) refuse('entity_id');
  else if (context.departments.get(job.department_id)?.entity_id !== job.entity_id) refuse('department_id');
  const { reporting_manager_id: manager } = job;
  if (manager !== null && (manager === personId || !context.managers.has(manager))) refuse('reporting_manager_id');
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

type Author = { reason: string; actor: WriteCtx['actor'] };

/** Adds a row by the actor, or a part of another row with that row's author. Returns its id. */
async function insertRow(db: Db, personId: number, row: NewRow, { reason, actor }: Author): Promise<number> {
  const { like, changed_fields, ...values } = row;
  const { rows } = await sql<{ id: number }>`
    insert into job_history (employee_id, effective_from, effective_to, status, source, changed_fields, entity_id,
                             department_id, reporting_manager_id, job_title, grade, employment_type,
                             employment_lifecycle, reason, created_by, created_by_name, created_at)
    select ${personId}, ${values.effective_from}::date, ${values.effective_to}::date, ${values.status}, ${values.source},
           ${changed_fields}::text[], ${values.entity_id}, ${values.department_id},
           ${values.reporting_manager_id}::bigint, ${values.job_title}::text, ${values.grade}::text,
           ${values.employment_type}, ${values.employment_lifecycle},
           case when o.id is null then ${reason}::text else o.reason end,
           case when o.id is null then ${actor.user_id} else o.created_by end,
           coalesce(o.created_by_name, ${actor.name}), coalesce(o.created_at, now())
    from (select ${like ?? null}::bigint as id) as wanted left join job_history o on o.id = wanted.id
    returning id`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** Writes a plan, which changes few rows. Returns the id of the added row. */
async function store(db: Db, personId: number, plan: Plan, author: Author): Promise<number | undefined> {
  if (plan.removed.length > 0) await db.deleteFrom('job_history').where('id', 'in', plan.removed).execute();
  for (const { id, changed_fields, ...row } of plan.changed)
    await db
      .updateTable('job_history')
      .set({ ...row, changed_fields: [...changed_fields] })
      .where('id', '=', id)
      .execute();
  let entered: number | undefined;
  for (const row of plan.added) {
    const id = await insertRow(db, personId, row, author);
    if (row.like === undefined) entered = id;
  }
  return entered;
}

const shownIn = (row: NewRow | PastRow) => ({
  effective_from: row.effective_from,
  effective_to: row.effective_to,
  ...jobIn(row),
});

/** Adds a job on past days. Returns the id of its row. */
export async function addPastJob(
  ctx: WriteCtx,
  person: EmployeeRecord,
  { reason, ...body }: BodyOut<typeof jobHistory.addPast>,
): Promise<number> {
  const rows = await rowsOf(ctx.db, person.id);
  if (rows.length === 0) throw invalid('effective_from', text('job_history.no_rows'));
  const period = { effective_from: body.effective_from, effective_to: body.effective_to };
  const plan = addPast(rows, { ...jobIn(body), ...period }, person.today);
  await checkReferences(ctx, person.id, plan.row, rows[0] as PastRow);
  const id = (await store(ctx.db, person.id, plan, { reason, actor: ctx.actor })) as number;
  await record(ctx, {
    action: 'job_history.past_added',
    subject_id: id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: changesBetween({}, shownIn(plan.row)),
    reason,
  });
  return id;
}

/** Corrects a past job, or the first day of the current one; other fields of the current job need a job change. */
export async function correctPastJob(
  ctx: WriteCtx,
  { person, row }: { person: EmployeeRecord; row: Stored },
  { reason, effective_from, ...sent }: BodyOut<typeof jobHistory.correct>,
): Promise<void> {
  const job = jobIn(sent);
  if (row.status !== 'past' && row.status !== 'current')
    throw conflict(text('job_history.not_begun'), { status: row.status, revision: person.revision });
  const touched = jobFields.filter((field) => job[field] !== undefined && job[field] !== row[field]);
  if (row.status === 'current' && touched.length > 0)
    throw invalidFields(Object.fromEntries(touched.map((field) => [field, [text('job_history.current_job')]])));
  const rows = await rowsOf(ctx.db, person.id);
  const moved = effective_from === undefined ? {} : { effective_from };
  const plan = correctPast(rows, row.id, { ...job, ...moved }, person.today);
  await checkReferences(ctx, person.id, plan.after, plan.before);
  await store(ctx.db, person.id, plan, { reason, actor: ctx.actor });
  await record(ctx, {
    action: 'job_history.corrected',
    subject_id: row.id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: changesBetween(shownIn(plan.before), shownIn(plan.after)),
    reason,
  });
}
