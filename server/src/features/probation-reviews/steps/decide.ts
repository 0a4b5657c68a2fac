import type { BodyOut, ProbationOutcome, probationSteps } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { accountKey, requireReach } from '../../../access/cover.ts';
import { conflict, invalid, invalidFields } from '../../../http/errors.ts';
import { putBackOnProbation, readProbationer } from '../../../people/lifecycle-changes.ts';
import type { Probationer } from '../../../people/lifecycle-changes.ts';
import { isActiveDepartment } from '../../../people/rule-context.ts';
import { decidedEnd } from '../../../people/rules.ts';
import { refuseLastAdministrator } from '../../../people/last-administrator.ts';
import { cancelConfirmations } from '../../../people/confirmations.ts';
import { monthsProblem, noMoreExtensions } from '../assessment.ts';
import { applyOutcome, effectiveDay, extendedEnd } from '../outcome.ts';
import type { Decision } from '../outcome.ts';
import { sign } from '../signatures.ts';
import { move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { ServiceCtx } from '../../../http/context.ts';
import type { ReviewRecord } from '../step.ts';
import { notifyApproved, notifyReverted, notifyShared } from '../notify.ts';
import { snapshotOf } from './hr.ts';

/** The decision on a probation, the employee's acknowledgement, and the reversal of a decision. */

type Approval = BodyOut<typeof probationSteps.approve>;

/** The decision: as recommended by default. */
function decisionOf(row: ReviewRecord, person: Probationer, body: Approval): Decision {
  const outcome = (body.outcome ?? row.recommendation) as ProbationOutcome;
  const recommended = outcome === row.recommendation ? row.extension_months : null;
  const months = body.outcome_extension_months ?? (outcome === 'extend' ? recommended : null);
  const errors = {
    ...(outcome !== row.recommendation && !body.hr_comments && { hr_comments: [messages.required] }),
    ...monthsProblem(outcome, months, 'outcome_extension_months'),
  };
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  if (outcome === 'extend' && person.extension_count >= row.maximum_extensions)
    throw invalid('outcome', noMoreExtensions);
  const until = outcome === 'extend' ? extendedEnd(row, months ?? 0, person.today) : null;
  const { probation_end_date: end } = row;
  return { outcome, months, until, effective_date: effectiveDay(outcome, body.effective_date, { end, person }) };
}

/** P6: decides, and changes the person's record accordingly in the same transaction. The person is locked. */
export async function approve(ctx: ServiceCtx, row: ReviewRecord, body: Approval): Promise<void> {
  const person = await readProbationer(ctx.db, row.employee_id);
  if ((body.outcome ?? row.recommendation) === 'terminate')
    await requireReach(ctx.db, ctx.actor, accountKey(person), 'probation-review.approve');
  requireStep(ctx.actor, row, 'approve', body);
  const decision = decisionOf(row, person, body);
  if (decision.outcome === 'terminate') await refuseLastAdministrator(ctx.db, person, row);
  await move(ctx, row, {
    action: 'approve',
    to: 'approved',
    changes: { outcome: { from: null, to: decision.outcome } },
    set: {
      outcome: decision.outcome,
      outcome_extension_months: decision.months,
      extended_until: decision.until,
      effective_date: decision.effective_date,
      hr_comments: body.hr_comments ?? null,
      decided_at: sql`now()`,
      decided_by: ctx.actor.user_id,
      decided_by_name: ctx.actor.name,
    },
  });
  await sign(ctx, row, 'hr', body.signature);
  await applyOutcome(ctx, person, decision);
  await notifyApproved(ctx, [row.id]);
}

/** P6: shares an interim review, which decides nothing. */
export async function share(
  ctx: ServiceCtx,
  row: ReviewRecord,
  { hr_comments = null, revision }: BodyOut<typeof probationSteps.share>,
): Promise<void> {
  requireStep(ctx.actor, row, 'share', { revision });
  await move(ctx, row, {
    action: 'share',
    to: 'approved',
    set: { hr_comments, decided_at: sql`now()`, decided_by: ctx.actor.user_id, decided_by_name: ctx.actor.name },
  });
  await notifyShared(ctx, [row.id]);
}

/** P7: the employee has read the result. */
export async function acknowledge(
  ctx: ServiceCtx,
  row: ReviewRecord,
  { comment = null, signature, revision }: BodyOut<typeof probationSteps.acknowledge>,
): Promise<void> {
  requireStep(ctx.actor, row, 'acknowledge', { revision });
  const set = { employee_acknowledged_at: sql`now()`, employee_comment: comment };
  await move(ctx, row, { action: 'acknowledge', set });
  if (signature) await sign(ctx, row, 'employee', signature);
}

/** True if the person's record is still as the decision left it. */
function standsAsDecided(row: ReviewRecord, person: Probationer): boolean {
  const { employment_lifecycle: lifecycle } = person;
  if (row.outcome === 'terminate') return lifecycle === 'terminated' && person.last_working_date === row.effective_date;
  if (row.outcome === 'confirm' && lifecycle === 'confirmed') return person.confirmation_date === row.effective_date;
  // extended, or to be confirmed later; a person who was rehired is on another probation
  return lifecycle === 'probationary' && person.probation_start_date === row.probation_start_date;
}

/** P10: puts the person back on probation until another day; a new review follows before it. The person is locked. */
export async function revert(
  ctx: ServiceCtx,
  row: ReviewRecord,
  { probation_end_date, reason, revision }: BodyOut<typeof probationSteps.revert>,
): Promise<void> {
  requireStep(ctx.actor, row, 'revert', { revision });
  const person = await readProbationer(ctx.db, row.employee_id);
  if (!standsAsDecided(row, person)) throw conflict(text('probation.cannot_be_reverted'), row);
  if (person.activity_status === 'inactive' && !(await isActiveDepartment(ctx.db, person.department_id)))
    throw conflict(text('employees.department_inactive_now'), row);
  if (probation_end_date <= person.today) throw invalid('probation_end_date', messages.after('today'));
  if (probation_end_date !== row.probation_end_date && person.decided_ends.includes(probation_end_date))
    throw invalid('probation_end_date', decidedEnd);
  await move(ctx, row, {
    action: 'revert',
    to: 'reverted',
    reason,
    snapshot: { ...snapshotOf(row), outcome: row.outcome, effective_date: row.effective_date },
    set: { revert_reason: reason, reverted_at: sql`now()` },
  });
  await cancelConfirmations(ctx, person.id);
  const extensions = person.extension_count - (row.outcome === 'extend' ? 1 : 0);
  await putBackOnProbation(ctx, person, { until: probation_end_date, extensions, reason });
  await notifyReverted(ctx, [row.id]);
}
