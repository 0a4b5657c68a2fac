import type { EvaluationStatus, Text } from '@tenure/contract';
import { text } from '@tenure/contract';
import type { EvaluationFacts, Capacity } from './capacities.ts';

/** The days on which a step can be done; null means no limit on that side. */
export type Window = { opens_on: string | null; closes_on: string | null };

/** The window of a step; steps without one are always open. */
export function windowOf(row: EvaluationFacts, status: EvaluationFacts['status'] = row.status): Window {
  if (status === 'self_assessment')
    return { opens_on: row.self_assessment_opens_on, closes_on: row.self_assessment_closes_on };
  if (status === 'manager_review')
    return { opens_on: row.manager_review_opens_on, closes_on: row.manager_review_closes_on };
  return { opens_on: null, closes_on: null };
}

/** True if a day lies in a window, both ends included. */
export const isWithin = ({ opens_on, closes_on }: Window, day: string): boolean =>
  (opens_on === null || opens_on <= day) && (closes_on === null || day <= closes_on);

/** True if a window ends before a day. */
export const isOver = ({ closes_on }: Window, day: string): boolean => closes_on !== null && closes_on < day;

/** True if the current step is open today for the people its window binds: subject and reviewer. */
export const isStepOpen = (row: EvaluationFacts): boolean =>
  isWithin(windowOf(row), row.today) || (row.stage_open_until !== null && row.today <= row.stage_open_until);

export const closedCycle = text('evaluations.cycle_closed');

/** The refusal of an action that cannot start in the evaluation's state. */
export const refusals: Record<EvaluationStatus, Text> = {
  self_assessment: text('evaluations.is_self_assessment'),
  manager_review: text('evaluations.is_manager_review'),
  hr_review: text('evaluations.is_hr_review'),
  pending_acceptance: text('evaluations.is_pending_acceptance'),
  accepted: text('evaluations.is_accepted'),
  disputed: text('evaluations.is_disputed'),
  completed: text('evaluations.is_completed'),
  cancelled: text('evaluations.is_cancelled'),
};

const notYetOpen = (day: string) => text('evaluations.step_opens', { date: { day } });
const over = text('evaluations.time_is_over');

function stepOpen(row: EvaluationFacts, capacity: Capacity): Text | undefined {
  if (capacity !== 'subject' && capacity !== 'reviewer') return undefined;
  if (isStepOpen(row)) return undefined;
  const { opens_on } = windowOf(row);
  return opens_on !== null && row.today < opens_on ? notYetOpen(opens_on) : over;
}

/** The number of extension requests in the current step. */
export const requestsOf = ({ extension_step, status, extension_requests: count }: EvaluationFacts): number =>
  extension_step === status ? count : 0;

const formerDraft = (row: EvaluationFacts, capacity: Capacity) =>
  row.has_former_draft ? stepOpen(row, capacity) : text('evaluations.no_former_draft');

function mayAskForTime(row: EvaluationFacts): Text | undefined {
  if (!isOver(windowOf(row), row.today) || isStepOpen(row)) return text('evaluations.extension_too_early');
  if (row.extension_status === 'pending') return text('evaluations.extension_pending');
  return requestsOf(row) >= 3 ? text('evaluations.extension_limit') : undefined;
}

const isPending = (row: EvaluationFacts) =>
  row.extension_status === 'pending' ? undefined : text('evaluations.no_extension_pending');

const inTime = ({ acceptance_due_on, today }: EvaluationFacts) =>
  acceptance_due_on === null || today <= acceptance_due_on ? undefined : text('evaluations.dispute_too_late');

/** A result is never marked as accepted while the person is absent. */
function unanswered({ acceptance_due_on: due, today, absence, is_suspended }: EvaluationFacts): Text | undefined {
  if (absence !== null || is_suspended) return text('evaluations.person_away');
  return due !== null && due < today ? undefined : text('evaluations.lapse_too_early');
}

function restorable({ person_is_active, has_other }: EvaluationFacts): Text | undefined {
  if (has_other) return text('evaluations.has_other');
  return person_is_active ? undefined : text('evaluations.person_inactive');
}

const signsIn = ({ person_signs_in }: EvaluationFacts) =>
  person_signs_in ? undefined : text('evaluations.no_self_assessment');

const noSignIn = ({ person_signs_in }: EvaluationFacts) =>
  person_signs_in ? text('evaluations.answers_in_person') : undefined;

/** Conditions besides state and capacity; each returns its refusal. Conditions on a body are checked with the body. */
export const guards = {
  step_open: stepOpen,
  former_draft: formerDraft,
  may_ask_for_time: mayAskForTime,
  extension_pending: isPending,
  in_time: inTime,
  unanswered,
  restorable,
  signs_in: signsIn,
  no_sign_in: noSignIn,
} as const satisfies Record<string, (row: EvaluationFacts, capacity: Capacity) => Text | undefined>;
export type GuardName = keyof typeof guards;
