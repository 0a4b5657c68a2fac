import { text } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../../access/actor.ts';
import type { Actor } from '../../../access/actor.ts';
import { evaluationsIn } from '../../../access/evaluation-scope.ts';
import { say } from '../../../http/errors.ts';
import { capacitiesOf, fourEyesOf, factColumns, factTables } from '../capacities.ts';
import { closedCycle } from '../guards.ts';
import { remindableOf } from '../reminders.ts';
import { laterRefusal } from '../steps/extend.ts';
import { needsComment } from '../steps/hr.ts';
import { check, refusalOf } from '../transitions.ts';
import { bulkPermissions } from './request.ts';
import type { BulkRequest } from './request.ts';
import { reviewersFor } from './reviewers.ts';
import type { BulkTarget, BulkActing, BulkRow, Checked } from './row.ts';

async function readRows({ db, actor }: BulkActing, { kind }: BulkRequest, ids: readonly number[], holds: boolean) {
  const { rows } = await sql<BulkRow>`
    select ${factColumns}, p.employee_number, v.due_on, v.hr_comment, v.performance_flag, v.suggested_flag, v.flag_reason
    from ${factTables}
    where v.id = any(${ids}::bigint[]) and ${evaluationsIn(actor, bulkPermissions[kind])}
    order by v.id ${holds ? sql`for update of v` : sql``}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What a result lacks: a required HR comment, a flag, or the reason for a flag other than the suggested one. */
function missingFor(row: BulkRow, { hr_comment: comment }: BulkRequest): Text | undefined {
  const flag = row.performance_flag ?? row.suggested_flag;
  if ((row.hr_comment ?? comment) === null && needsComment(row, flag)) return text('evaluations.hr_comment_needed');
  if (flag === null) return text('evaluations.flag_needed');
  return flag !== row.suggested_flag && row.flag_reason === null ? text('evaluations.flag_reason_needed') : undefined;
}

const notPermitted = (actor: Actor, { employee_id }: BulkRow): Text =>
  employee_id === actor.employee_id ? text('evaluations.own_evaluation') : text('general.not_permitted');

function stepRefusal(actor: Actor, row: BulkRow, action: string): Text | undefined {
  const verdict = check(action, row, capacitiesOf(actor, row));
  if (verdict === 'forbidden' && action === 'hr-review' && fourEyesOf(actor, row) === 'other_hr')
    return text('evaluations.own_review_needs_other_hr');
  if (verdict === 'forbidden') return notPermitted(actor, row);
  return 'refusal' in verdict ? verdict.refusal : undefined;
}

const remindedIn: readonly BulkRow['status'][] = ['self_assessment', 'manager_review', 'pending_acceptance'];

/** True for users who can send reminders in the evaluation's company, or in its or the person's department. */
function isReminder(actor: Actor, { entity_id, department_id, person_department_id }: BulkRow): boolean {
  const reach = reachOf(actor, 'kpi-cycle.update');
  return (
    reachesEntity(reach, entity_id) ||
    [department_id, person_department_id].some((id) => reach.department_ids.includes(id))
  );
}

function reminderRefusal(actor: Actor, row: BulkRow, due: ReadonlySet<number>): Text | undefined {
  const isHr = capacitiesOf(actor, row).has('hr');
  if (!isHr || !isReminder(actor, row)) return notPermitted(actor, row);
  if (row.cycle_status === 'closed') return closedCycle;
  if (!remindedIn.includes(row.status)) return refusalOf(row.status);
  return due.has(row.id) ? undefined : text('evaluations.no_reminder_possible');
}

/** The refusal of the request's input for this evaluation. */
function bodyRefusal(row: BulkRow, request: BulkRequest): Text | undefined {
  if (request.kind === 'hr-review') return missingFor(row, request);
  const refusal = request.kind === 'extend' ? laterRefusal(row, request.until as string) : undefined;
  return refusal && say('until', refusal);
}

/**
 * Checks each evaluation by the rules of the single step.
 * @param holds locks them until the end of the transaction
 */
export async function checkMany(
  acting: BulkActing,
  request: BulkRequest,
  targets: readonly BulkTarget[],
  holds: boolean,
): Promise<Checked[]> {
  const rows = await readRows(
    acting,
    request,
    targets.map(({ id }) => id),
    holds,
  );
  const due = request.kind === 'remind' ? await remindableOf(acting, [...rows.keys()]) : [];
  const dueIds = new Set(due.map(({ subject_id }) => subject_id));
  const { actor } = acting;
  const found = targets.map(({ id, seen }): Checked => {
    const row = rows.get(id);
    const refusedAs = (refusal: Text | undefined) => ({ id, row, refusal, to: null });
    if (!row) return refusedAs(text('general.not_found'));
    if (seen !== null && seen !== row.revision) return refusedAs(text('general.changed_meanwhile'));
    if (request.kind === 'remind') return refusedAs(reminderRefusal(actor, row, dueIds));
    return refusedAs(stepRefusal(actor, row, request.kind) ?? bodyRefusal(row, request));
  });
  return request.kind === 'reviewer' ? reviewersFor(acting, request, found, holds) : found;
}
