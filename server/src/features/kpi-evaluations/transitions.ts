import { evaluationStatuses } from '@tenure/contract';
import type { ActionableItem, EvaluationStatus, NotificationEvent } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { closedCycle, guards } from './guards.ts';
import type { GuardName } from './guards.ts';
import { capacitiesOf } from './capacities.ts';
import type { JudgedEvaluation, Capacity } from './capacities.ts';

/** One transition; docs/kpi-workflow.md tells the same to people. Several of one action differ in where they start. */
export type Rule = {
  id: `E${number}`;
  /** The last part of the path of its endpoint; `update` for saving a draft. */
  action: string;
  from: readonly EvaluationStatus[];
  to: EvaluationStatus | 'same' | 'cancelled_from';
  who: readonly Capacity[];
  guard?: GuardName;
  /** Whom it tells of what: notifications/texts. */
  events: readonly NotificationEvent[];
  /** What waits for somebody from then on, wherever the evaluation comes to rest. */
  waits?: ActionableItem['kind'];
};

const open = evaluationStatuses.filter((status) => status !== 'completed' && status !== 'cancelled');

export const rules: readonly Rule[] = [
  {
    id: 'E1',
    action: 'publish',
    from: [],
    to: 'self_assessment',
    who: ['system'],
    events: ['kpi_evaluation_assigned'],
    waits: 'kpi_self_assessment',
  },
  {
    id: 'E2',
    action: 'update',
    from: ['self_assessment'],
    to: 'same',
    who: ['subject'],
    guard: 'step_open',
    events: [],
  },
  {
    id: 'E2',
    action: 'update',
    from: ['manager_review'],
    to: 'same',
    who: ['reviewer', 'on_behalf'],
    guard: 'step_open',
    events: [],
  },
  { id: 'E2', action: 'update', from: ['hr_review'], to: 'same', who: ['hr'], events: [] },
  {
    id: 'E3',
    action: 'self-assessment',
    from: ['self_assessment'],
    to: 'manager_review',
    who: ['subject'],
    guard: 'step_open',
    events: ['kpi_self_assessment_submitted'],
    waits: 'kpi_manager_review',
  },
  {
    id: 'E4',
    action: 'extension-request',
    from: ['self_assessment'],
    to: 'same',
    who: ['subject'],
    guard: 'may_ask_for_time',
    events: ['kpi_extension_requested'],
    waits: 'kpi_extension_decision',
  },
  {
    id: 'E5',
    action: 'extension-decision',
    from: ['self_assessment'],
    to: 'same',
    who: ['hr'],
    guard: 'extension_pending',
    events: ['kpi_extension_decided'],
  },
  {
    id: 'E6',
    action: 'skip-self-assessment',
    from: ['self_assessment'],
    to: 'manager_review',
    who: ['hr', 'system'],
    events: ['kpi_self_assessment_submitted'],
    waits: 'kpi_manager_review',
  },
  {
    id: 'E7',
    action: 'reviewer',
    from: ['self_assessment', 'manager_review'],
    to: 'same',
    who: ['assign_reviewer'],
    events: ['kpi_reviewer_changed'],
  },
  {
    id: 'E8',
    action: 'manager-review',
    from: ['manager_review'],
    to: 'hr_review',
    who: ['reviewer', 'on_behalf'],
    guard: 'step_open',
    events: ['kpi_manager_review_submitted'],
    waits: 'kpi_hr_review',
  },
  {
    id: 'E9',
    action: 'return',
    from: ['manager_review'],
    to: 'self_assessment',
    who: ['reviewer', 'on_behalf', 'hr'],
    events: ['kpi_evaluation_returned'],
    waits: 'kpi_self_assessment',
  },
  {
    id: 'E10',
    action: 'return',
    from: ['hr_review'],
    to: 'manager_review',
    who: ['hr'],
    events: ['kpi_evaluation_returned'],
    waits: 'kpi_manager_review',
  },
  {
    id: 'E11',
    action: 'hr-review',
    from: ['hr_review'],
    to: 'pending_acceptance',
    who: ['hr'],
    events: ['kpi_hr_review_submitted'],
    waits: 'kpi_acceptance',
  },
  {
    id: 'E12',
    action: 'accept',
    from: ['pending_acceptance'],
    to: 'accepted',
    who: ['subject'],
    events: ['kpi_evaluation_accepted'],
    waits: 'kpi_close',
  },
  {
    id: 'E13',
    action: 'dispute',
    from: ['pending_acceptance'],
    to: 'disputed',
    who: ['subject'],
    guard: 'in_time',
    events: ['kpi_evaluation_disputed'],
    waits: 'kpi_dispute',
  },
  {
    id: 'E14',
    action: 'deem-accepted',
    from: ['pending_acceptance'],
    to: 'accepted',
    who: ['hr', 'system'],
    guard: 'unanswered',
    events: ['kpi_acceptance_lapsed'],
    waits: 'kpi_close',
  },
  ...(['E15', 'E16'] as const).map((id) => ({
    id,
    action: 'resolve-dispute',
    from: ['disputed'] as const,
    to: 'completed' as const,
    who: ['impartial_hr'] as const,
    events: ['kpi_evaluation_completed'] as const,
  })),
  {
    id: 'E17',
    action: 'resolve-dispute',
    from: ['disputed'],
    to: 'manager_review',
    who: ['impartial_hr'],
    events: ['kpi_evaluation_returned'],
    waits: 'kpi_manager_review',
  },
  {
    id: 'E18',
    action: 'close',
    from: ['accepted'],
    to: 'completed',
    who: ['hr'],
    events: ['kpi_evaluation_completed'],
  },
  {
    id: 'E19',
    action: 'force-close',
    from: ['accepted', 'disputed'],
    to: 'completed',
    who: ['force_close', 'system'],
    events: ['kpi_evaluation_completed'],
  },
  {
    id: 'E19',
    action: 'force-close',
    from: ['pending_acceptance'],
    to: 'completed',
    who: ['system'],
    events: ['kpi_evaluation_completed'],
  },
  {
    id: 'E20',
    action: 'cancel',
    from: open,
    to: 'cancelled',
    who: ['force_close', 'system'],
    events: ['kpi_evaluation_cancelled'],
  },
  {
    id: 'E21',
    action: 'restore',
    from: ['cancelled'],
    to: 'cancelled_from',
    who: ['reopen'],
    guard: 'person_active',
    events: ['kpi_evaluation_reopened'],
  },
  {
    id: 'E22',
    action: 'reopen',
    from: ['completed'],
    to: 'hr_review',
    who: ['reopen'],
    events: ['kpi_evaluation_reopened'],
    waits: 'kpi_hr_review',
  },
];

/** What came of asking whether somebody may act: go on, never for this person, or not now and why. */
export type Verdict = { rule: Rule; capacity: Capacity } | 'forbidden' | { refusal: string };

const capacityFor = (rule: Rule, capacities: ReadonlySet<Capacity>) => rule.who.find((one) => capacities.has(one));

/**
 * Judges one action of a person by capacity, state and guards. Who stands so to no transition of the action, or to none
 * from the present state where there are some for others, may not ask; who does is told what is in the way.
 */
export function judge(action: string, row: JudgedEvaluation, capacities: ReadonlySet<Capacity>): Verdict {
  const ofAction = rules.filter((rule) => rule.action === action);
  const fromHere = ofAction.filter(({ from, who }) => from.includes(row.status) && who.some((one) => one !== 'system'));
  const mine = (fromHere.length > 0 ? fromHere : ofAction).filter((rule) => capacityFor(rule, capacities));
  const [rule] = mine;
  if (!rule) return 'forbidden';
  if (row.cycle_status === 'closed') return { refusal: closedCycle };
  if (fromHere.length === 0) return { refusal: whereItIs[row.status] };
  const as = capacityFor(rule, capacities) as Capacity;
  const refusal = rule.guard && guards[rule.guard](row, as);
  return refusal === undefined ? { rule, capacity: as } : { refusal };
}

const whereItIs: Record<EvaluationStatus, string> = {
  self_assessment: 'This evaluation is in self-assessment.',
  manager_review: 'This evaluation is with the reviewer.',
  hr_review: 'This evaluation is with HR.',
  pending_acceptance: 'This evaluation waits for the answer of the employee.',
  accepted: 'This evaluation was accepted already.',
  disputed: 'This evaluation is disputed.',
  completed: 'This evaluation is completed.',
  cancelled: 'This evaluation is cancelled.',
};

/** What is said when an evaluation is in a state from which the action does not start. */
export const refusalOf = (status: string) => whereItIs[status as EvaluationStatus];

const actions = [...new Set(rules.filter(({ from }) => from.length > 0).map(({ action }) => action))];

/** What the actor may do with an evaluation now, as far as its row tells; what a body must hold is judged with it. */
export function allowedActions(actor: Actor, row: JudgedEvaluation): string[] {
  const capacities = capacitiesOf(actor, row);
  return actions.filter((action) => {
    const verdict = judge(action, row, capacities);
    return typeof verdict === 'object' && 'rule' in verdict;
  });
}
