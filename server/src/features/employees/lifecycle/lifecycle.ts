import type { AuditVerb, Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { endAccessOf } from '../../../access/api-tokens.ts';
import { knownReviews } from '../../../access/scope.ts';
import { changesBetween, record } from '../../../audit.ts';
import type { Change } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { conflict, forbidden, blocked, invalid } from '../../../http/errors.ts';
import { notifyConfirmed, notifySeparated } from '../../../notifications/people.ts';
import { stillThere } from '../../../counts.ts';
import { cancelConfirmations } from '../../../people/confirmations.ts';
import { recordLifecycle } from '../../../people/job-write.ts';
import type { PeopleCtx } from '../../../people/dependents.ts';
import { beginAnew } from '../../../people/former-roles.ts';
import { refuseLastAdministrator } from '../../../people/last-administrator.ts';
import { lastAdmin, unlessLastAdmin } from '../../../people/lifecycle-admin.ts';
import { dutiesOf, lockWork, reassign, refuseTaking } from './reassign.ts';
import { lastDayPast } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { changePeople, movePerson } from '../../../people/row-write.ts';
import { isActiveDepartment } from '../../../people/rule-context.ts';
import { activityOn } from '../../../people/rules.ts';

/**
 * The actions on employments. Callers lock the person's row and check the relationship; each action guards its own
 * state and updates history, audit log and sessions.
 */

type Because = { reason: string; revision?: number | undefined };
type Column = 'activity_status' | 'employment_lifecycle';

const employed = ['probationary', 'confirmed'];
const leaving = ['resigned', 'terminated'];

const refuse = (person: EmployeeRecord, column: Column, message: Text) =>
  conflict(message, { status: person[column], revision: person.revision });

type Step = {
  column: Column;
  from: readonly string[];
  to: string;
  set?: Readonly<Record<string, string | null>>;
  /** The day on which the state began, if earlier than today. */
  day?: string;
  refusal: Text;
};

/** A guarded change of state with its audit entry, and a history row when the lifecycle changed. */
async function step(
  ctx: WriteCtx,
  person: EmployeeRecord,
  verb: AuditVerb<'employee'>,
  { reason, revision }: Because,
  move: Step,
) {
  const { db, actor } = ctx;
  const { column, from, to, set = {}, refusal } = move;
  const moved = movePerson(db, actor, {
    id: person.id,
    column,
    from,
    to,
    set,
    revision,
    refusal: () => refusal,
  });
  await unlessLastAdmin(moved, () => refuse(person, column, lastAdmin));
  if (column === 'employment_lifecycle') {
    // the reason of a departure is private, and more people read the job history
    const shown = leaving.some((one) => one === to || from.includes(one)) ? null : reason;
    const day = move.day !== undefined && move.day < person.today ? move.day : person.today;
    await recordLifecycle(db, { employee_id: person.id, from: person[column], to, day, by: actor, reason: shown });
  }
  await note(ctx, person, verb, changesBetween(person, { [column]: to, ...set }), reason);
}

async function note(
  ctx: WriteCtx,
  person: EmployeeRecord,
  verb: AuditVerb<'employee'>,
  changes: Record<string, Change>,
  reason: string | null,
) {
  // the lifecycle before a separation is internal and not a field of the record
  const { lifecycle_before_separation: _kept, ...logged } = changes;
  const subject = { subject_id: person.id, subject_label: person.name, entity_id: person.entity_id };
  await record(ctx, { action: `employee.${verb}`, ...subject, changes: logged, reason });
}

/** On probation → confirmed, on a day that is not in the future. */
export async function confirm(ctx: PeopleCtx, person: EmployeeRecord, body: Because & { confirmation_date: string }) {
  const { confirmation_date } = body;
  if (person.is_under_review) throw refuse(person, 'employment_lifecycle', text('probation.open_review_decides'));
  if (confirmation_date > person.today) throw invalid('confirmation_date', messages.beforeOrEqual('today'));
  const { joining_date: joined, employment_lifecycle: lifecycle } = person;
  if (lifecycle === 'probationary' && joined !== null && confirmation_date < joined)
    throw invalid('confirmation_date', messages.afterOrEqual(joined));
  await step(ctx, person, 'confirmed', body, {
    column: 'employment_lifecycle',
    from: ['probationary'],
    to: 'confirmed',
    set: { confirmation_date, probation_paused_from: null },
    day: confirmation_date,
    refusal: text('employees.not_on_probation'),
  });
  // the scheduled confirmation is now obsolete
  await cancelConfirmations(ctx, person.id);
  await ctx.dependents.cancelReviews(ctx, [person.id], 'reasons.probation_decided');
  await notifyConfirmed(ctx, person, confirmation_date);
}

type Handover = { reassign_to?: number | null | undefined };

/** Active or joining → inactive, without remaining responsibilities. Ends all sessions. */
export async function deactivate(ctx: PeopleCtx, person: EmployeeRecord, body: Because & Handover) {
  const gains = body.reassign_to ? await refuseTaking(ctx, person, body.reassign_to) : undefined;
  await lockWork(ctx.db, person, body.reassign_to);
  await step(ctx, person, 'deactivated', body, {
    column: 'activity_status',
    from: ['active', 'joining'],
    to: 'inactive',
    refusal: text('employees.inactive_already'),
  });
  const duties = dutiesOf(person);
  if (body.reassign_to && gains) await reassign(ctx, { from: person, successorId: body.reassign_to, gains });
  else if (duties) throw refuse(person, 'activity_status', text('employees.hand_over_first', { list: duties }));
  await endAccessOf(ctx.db, [person.user_id], 'deactivation');
}

/** Inactive → active, or joining before the first day, for people whose employment did not end. */
export async function reactivate(ctx: WriteCtx, person: EmployeeRecord, body: Because) {
  if (leaving.includes(person.employment_lifecycle))
    throw refuse(person, 'employment_lifecycle', text('employees.left_rehire_only'));
  if (!(await isActiveDepartment(ctx.db, person.department_id)))
    throw refuse(person, 'activity_status', text('employees.department_inactive'));
  await step(ctx, person, 'reactivated', body, {
    column: 'activity_status',
    from: ['inactive'],
    to: activityOn(person.joining_date, person.today),
    refusal: text('employees.active_already'),
  });
}

type Separation = Because &
  Handover & {
    type: 'resigned' | 'terminated';
    notice_date?: string | null | undefined;
    last_working_date: string;
    evaluations?: 'keep' | 'cancel' | undefined;
  };

/** A new employment ends after the previous one, whose history stays. */
function checkAfterFormer({ left_before }: EmployeeRecord, days: Record<string, string | null>) {
  for (const [field, day] of Object.entries(days))
    if (left_before && day !== null && day <= left_before) throw invalid(field, messages.after(left_before));
}

/** Employed → resigned or terminated. Access ends after the last working day, or immediately if that is past. */
export async function separate(ctx: PeopleCtx, person: EmployeeRecord, body: Separation) {
  const { type, last_working_date, notice_date = null, reason } = body;
  const { evaluations = type === 'terminated' ? 'cancel' : 'keep' } = body;
  const gains = body.reassign_to ? await refuseTaking(ctx, person, body.reassign_to) : undefined;
  if (notice_date !== null && last_working_date < notice_date)
    throw invalid('last_working_date', messages.afterOrEqual({ field: 'notice_date' }));
  checkAfterFormer(person, { notice_date, last_working_date });
  const { employment_lifecycle: lifecycle, revision } = person;
  await refuseLastAdministrator(ctx.db, person, { status: lifecycle, revision });
  await lockWork(ctx.db, person, body.reassign_to);
  await step(ctx, person, 'separated', body, {
    column: 'employment_lifecycle',
    from: employed,
    to: type,
    set: { notice_date, last_working_date, separation_reason: reason, lifecycle_before_separation: lifecycle },
    day: notice_date ?? last_working_date,
    refusal: text('employees.ended_already'),
  });
  await notifySeparated(ctx, person, last_working_date);
  await ctx.dependents.cancelReviews(ctx, [person.id]);
  if (evaluations === 'cancel') await ctx.dependents.cancelEvaluations(ctx, person.id);
  if (body.reassign_to && gains) await reassign(ctx, { from: person, successorId: body.reassign_to, gains });
  if (last_working_date >= person.today || person.activity_status === 'inactive') return;
  await changePeople(ctx.db, ctx.actor, [person.id], { activity_status: 'inactive' });
  await endAccessOf(ctx.db, [person.user_id], 'end of employment');
}

/** The lifecycle before a separation; for imported separations it follows from the probation dates. */
function lifecycleBefore(person: EmployeeRecord): string {
  const { lifecycle_before_separation: kept, probation_end_date: end, confirmation_date, today } = person;
  return kept ?? (confirmation_date === null && end !== null && end >= today ? 'probationary' : 'confirmed');
}

/** The day of a confirmation decided before the separation that has come since; no job confirms leavers. */
async function confirmedMeanwhile(db: Db, person: EmployeeRecord): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select v.effective_date as day from probation_reviews v
    where v.employee_id = ${person.id} and v.milestone = 'final' and v.status = 'approved' and v.outcome = 'confirm'
      and v.probation_end_date = ${person.probation_end_date}::date and v.effective_date <= ${person.today}::date
      and not exists (select from job_history h where h.employee_id = v.employee_id and h.status = 'scheduled'
                      and 'employment_lifecycle' = any(h.changed_fields))
    order by v.sequence desc limit 1`.execute(db);
  return rows[0]?.day ?? null;
}

/** Resigned or terminated → the state before, until the last working day is past. */
export async function withdrawSeparation(ctx: WriteCtx, person: EmployeeRecord, body: Because) {
  const left = leaving.includes(person.employment_lifecycle);
  if (left && lastDayPast(person)) throw refuse(person, 'employment_lifecycle', text('employees.last_day_past'));
  if (left && person.ended_by_review)
    throw refuse(person, 'employment_lifecycle', text('probation.review_ended_employment'));
  const before = lifecycleBefore(person);
  const confirmed = left && before === 'probationary' ? await confirmedMeanwhile(ctx.db, person) : null;
  const none = {
    notice_date: null,
    last_working_date: null,
    separation_reason: null,
    lifecycle_before_separation: null,
  };
  await step(ctx, person, 'separation_withdrawn', body, {
    column: 'employment_lifecycle',
    from: leaving,
    to: confirmed === null ? before : 'confirmed',
    set: { ...none, ...(confirmed !== null && { confirmation_date: confirmed }) },
    refusal: text('employees.no_separation'),
  });
  if (confirmed !== null) await notifyConfirmed(ctx, person, confirmed);
}

type Ties = Record<'files' | 'departments' | 'reports' | 'evaluations' | 'reviews' | 'all_reviews' | 'cycles', number>;

/**
 * The reasons why a person cannot be deleted as a mistake, in words. Throws 403 if the only reason is the caller's own
 * review, which the caller does not know about.
 */
async function tiesOf({ db, actor }: WriteCtx, id: number): Promise<ReturnType<typeof stillThere>> {
  const isTied = sql`(v.employee_id = ${id} or v.reviewer_id = ${id})`;
  const { rows } = await sql<Ties>`
    select (select count(*) from attachments where employee_id = ${id}) as files,
           (select count(*) from departments where manager_id = ${id} or team_lead_id = ${id}) as departments,
           (select count(*) from employees where reporting_manager_id = ${id} and deleted_at is null) as reports,
           (select count(*) from kpi_evaluations where employee_id = ${id} or reviewer_id = ${id}) as evaluations,
           (select count(*) from probation_reviews v where ${isTied} and ${knownReviews(actor)}) as reviews,
           (select count(*) from probation_reviews v where ${isTied}) as all_reviews,
           (select count(*) from kpi_cycles where owner_id = ${id} and status <> 'closed') as cycles`.execute(db);
  const { files, departments, reports, evaluations, reviews, all_reviews, cycles } = rows[0] as Ties;
  const ties = stillThere({
    attachments: files,
    departments_led: departments,
    direct_reports: reports,
    kpi_evaluations: evaluations,
    probation_reviews: reviews,
    cycles_owned: cycles,
  });
  if (!ties && all_reviews > 0) throw forbidden();
  return ties;
}

async function setDeleted(ctx: WriteCtx, person: EmployeeRecord, deleted: boolean) {
  const set = changePeople(ctx.db, ctx.actor, [person.id], {
    deleted_at: deleted ? sql`now()` : null,
  });
  await unlessLastAdmin(set, () => blocked('employee', lastAdmin));
}

/** Hides a person created by mistake; number and email stay taken. Ends all sessions. */
export async function remove(ctx: WriteCtx, person: EmployeeRecord) {
  const ties = await tiesOf(ctx, person.id);
  if (ties) throw blocked('employee', text('employees.cannot_be_deleted', { name: person.name, ...ties }));
  await setDeleted(ctx, person, true);
  await endAccessOf(ctx.db, [person.user_id], 'deletion');
  await note(ctx, person, 'deleted', {}, null);
}

/** Restores a deleted record if its department still exists; the account starts again from scratch. */
export async function restore(ctx: WriteCtx, person: EmployeeRecord, { reason, revision }: Because) {
  if (person.deleted_at === null) throw refuse(person, 'activity_status', text('employees.not_deleted'));
  if (revision !== undefined && revision !== person.revision)
    throw refuse(person, 'activity_status', text('general.changed_meanwhile'));
  if (!(await isActiveDepartment(ctx.db, person.department_id)))
    throw refuse(person, 'activity_status', text('employees.department_inactive_now'));
  await setDeleted(ctx, person, false);
  await beginAnew(ctx, person, 'restored');
  await note(ctx, person, 'restored', {}, reason);
}
