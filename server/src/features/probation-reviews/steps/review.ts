import type { BodyOut, probationSteps } from '@tenure/contract';
import { messages } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween } from '../../../audit.ts';
import { sentOf } from '../../../db/values.ts';
import { forbidden, invalid, invalidFields } from '../../../http/errors.ts';
import { assessed, assessmentFields, columnsOf, missingAnswers } from '../assessment.ts';
import type { Assessment } from '../assessment.ts';
import { canonical } from '../content.ts';
import { isSigned, sign, voidChanged, voidOf } from '../signatures.ts';
import { move } from '../step.ts';
import { requireStep } from '../transitions.ts';
import type { ServiceCtx } from '../../../http/context.ts';
import type { ReviewRecord } from '../step.ts';
import { capacitiesOf } from '../capacities.ts';
import { notifyRecalled, notifySubmitted } from '../notify.ts';
import { recordMoves } from '../history.ts';
import { sightOf } from '../visibility.ts';

/** The steps of the reviewer: write, submit, withdraw. */

const same = (a: unknown, b: unknown) => canonical(a ?? null) === canonical(b ?? null);

const assessmentOf = (body: Assessment): Assessment =>
  Object.fromEntries(assessmentFields.map((field) => [field, body[field]]));

/** The sent values that differ from the stored ones. */
function changedIn(row: ReviewRecord, body: Assessment): Record<string, unknown> {
  const { values, errors } = assessed(row, assessmentOf(body));
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const differs = Object.entries(values).filter(([field, value]) => !same(value, row[field as keyof ReviewRecord]));
  const columns = columnsOf(values);
  return Object.fromEntries(differs.map(([field]) => [field, columns[field as keyof typeof columns]]));
}

/** HR can send back the form as shown, but can neither change it nor guess hidden values. */
function refuseAssessment(ctx: ServiceCtx, row: ReviewRecord, body: Assessment): void {
  const sent = sentOf(assessmentOf(body));
  if (Object.keys(sent).length === 0) return;
  const isShown = sightOf(ctx.actor, row).assessment;
  if (!isShown || Object.keys(changedIn(row, sent)).length > 0) throw forbidden();
}

/** The limits of the due day: not before the review was opened, and not after the probation unless that is over. */
function checkDue(row: ReviewRecord, dueDate: string): void {
  const { opened_on: opened, probation_end_date: end, today } = row;
  if (dueDate < opened) throw invalid('due_date', messages.afterOrEqual(opened));
  if (end >= today && dueDate > end) throw invalid('due_date', messages.beforeOrEqual(end));
}

type Dates = { review_date?: string | null | undefined; due_date?: string | undefined };

/** The changed dates, and those that HR decides: the due day, and while HR has the review also the meeting. */
function datesIn(row: ReviewRecord, body: Dates, as: { reviewer: boolean; organiser: boolean }) {
  const changes = changesBetween(row, sentOf({ review_date: body.review_date, due_date: body.due_date }));
  if (changes['due_date'] && !as.organiser) throw forbidden();
  if (body.due_date !== undefined && changes['due_date']) checkDue(row, body.due_date);
  const { review_date: _meeting, ...due } = changes;
  return {
    set: Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to])),
    notified: as.reviewer ? due : changes,
  };
}

/** P2: saves the reviewer's draft, which can be incomplete; HR moves its two dates. A draft leaves no history. */
export async function saveDraft(
  ctx: ServiceCtx,
  row: ReviewRecord,
  body: BodyOut<typeof probationSteps.update>,
): Promise<void> {
  requireStep(ctx.actor, row, 'update', body);
  const capacities = capacitiesOf(ctx.actor, row);
  const as = { reviewer: capacities.has('reviewer'), organiser: capacities.has('organiser') };
  if (!as.reviewer) refuseAssessment(ctx, row, body);
  const dates = datesIn(row, body, as);
  const set = { ...(as.reviewer && changedIn(row, body)), ...dates.set };
  if (Object.keys(set).length === 0) return;
  await ctx.db.updateTable('probation_reviews').set(set).where('id', '=', row.id).execute();
  await voidChanged(ctx, row.id);
  if (Object.keys(dates.notified).length === 0) return;
  await recordMoves(ctx, 'update', [{ ...row, from: row.status, to: row.status, changes: dates.notified }]);
}

/** P3: submits the review, signed. */
export async function submit(
  ctx: ServiceCtx,
  row: ReviewRecord,
  { signature, revision, ...sent }: BodyOut<typeof probationSteps.submit>,
): Promise<void> {
  requireStep(ctx.actor, row, 'submit', { revision });
  const { values, errors } = assessed(row, sent);
  const gaps = { ...missingAnswers(values, row), ...errors };
  if (Object.keys(gaps).length > 0) throw invalidFields(gaps);
  await move(ctx, row, {
    action: 'submit',
    to: 'submitted',
    set: { ...columnsOf(values), submitted_at: sql`now()` },
  });
  if (signature) await sign(ctx, row, 'manager', signature);
  else await voidChanged(ctx, row.id);
  if (!(await isSigned(ctx.db, row.id, 'manager', row.round))) throw invalid('signature', messages.required);
  await notifySubmitted(ctx, [row.id]);
}

/** P4: withdraws it before the decision; it becomes a draft again and must be signed again. */
export async function recall(
  ctx: ServiceCtx,
  row: ReviewRecord,
  { reason, revision }: BodyOut<typeof probationSteps.recall>,
): Promise<void> {
  requireStep(ctx.actor, row, 'recall', { revision });
  await move(ctx, row, { action: 'recall', to: 'pending', reason, set: { submitted_at: null } });
  await voidOf(ctx, row.id, 'manager');
  await notifyRecalled(ctx, [row.id]);
}
