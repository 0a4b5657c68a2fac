import type { NotificationEvent, ProbationStatus } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { capacitiesOf } from './capacities.ts';
import type { JudgedReview, Capacity } from './capacities.ts';

/** Kinds of tasks. */
type Waiting =
  | 'probation_review_assigned'
  | 'probation_review_action_required'
  | 'probation_review_approval'
  | 'probation_acknowledge';

/** One transition; docs/probation-workflow.md tells the same to people. Some of one action differ in who takes them. */
export type Rule = {
  id: `P${number}`;
  /** The last part of the path of its endpoint; `update` for saving a draft, `delete` for removing. */
  action: string;
  from: readonly ProbationStatus[];
  to: ProbationStatus | 'same' | 'gone';
  who: readonly Capacity[];
  guard?: GuardName;
  /** Whom it tells of what: notifications/texts. */
  events: readonly NotificationEvent[];
  /** What waits for somebody from then on, wherever the review comes to rest. */
  waits?: Waiting;
};

/** What must hold beside state and capacity; each says why not. What a body must hold is judged with the body. */
export const guards = {
  on_probation: ({ person_lifecycle }) =>
    person_lifecycle === 'probationary' ? undefined : 'This person is not on probation any more.',
  unanswered: ({ employee_acknowledged_at }) =>
    employee_acknowledged_at === null ? undefined : 'The result was acknowledged already.',
  latest: ({ is_latest }) => (is_latest ? undefined : 'A later review of this person exists.'),
  untouched: ({ is_untouched }) =>
    is_untouched ? undefined : 'This review was worked on already and can only be cancelled.',
} as const satisfies Record<string, (row: JudgedReview) => string | undefined>;
export type GuardName = keyof typeof guards;

/** States in which the reviewer writes. */
const writing = ['pending', 'sent_back'] as const;

export const rules: readonly Rule[] = [
  {
    id: 'P1',
    action: 'create',
    from: [],
    to: 'pending',
    who: ['organiser', 'system'],
    events: ['probation_review_created'],
    waits: 'probation_review_assigned',
  },
  { id: 'P2', action: 'update', from: writing, to: 'same', who: ['reviewer', 'organiser'], events: [] },
  { id: 'P2', action: 'signatures', from: writing, to: 'same', who: ['reviewer'], events: [] },
  {
    id: 'P3',
    action: 'submit',
    from: writing,
    to: 'submitted',
    who: ['reviewer'],
    events: ['probation_review_submitted'],
    waits: 'probation_review_approval',
  },
  {
    id: 'P4',
    action: 'recall',
    from: ['submitted'],
    to: 'pending',
    who: ['reviewer'],
    events: ['probation_review_recalled'],
    waits: 'probation_review_assigned',
  },
  {
    id: 'P5',
    action: 'send-back',
    from: ['submitted'],
    to: 'sent_back',
    who: ['decider'],
    events: ['probation_review_sent_back'],
    waits: 'probation_review_action_required',
  },
  {
    id: 'P6',
    action: 'approve',
    from: ['submitted'],
    to: 'approved',
    who: ['decider'],
    guard: 'on_probation',
    events: ['probation_review_approved'],
    waits: 'probation_acknowledge',
  },
  {
    id: 'P7',
    action: 'acknowledge',
    from: ['approved'],
    to: 'same',
    who: ['subject'],
    guard: 'unanswered',
    events: [],
  },
  { id: 'P7', action: 'signatures', from: ['approved'], to: 'same', who: ['subject'], events: [] },
  {
    id: 'P8',
    action: 'cancel',
    from: ['pending', 'submitted', 'sent_back'],
    to: 'cancelled',
    who: ['canceller', 'system'],
    events: ['probation_review_cancelled'],
  },
  {
    id: 'P8',
    action: 'delete',
    from: ['pending'],
    to: 'gone',
    who: ['canceller'],
    guard: 'untouched',
    events: [],
  },
  {
    id: 'P9',
    action: 'reviewer',
    from: writing,
    to: 'same',
    who: ['organiser'],
    events: ['probation_reviewer_changed'],
    waits: 'probation_review_assigned',
  },
  {
    id: 'P10',
    action: 'revert',
    from: ['approved'],
    to: 'reverted',
    who: ['reverter'],
    guard: 'latest',
    events: ['probation_review_reverted'],
  },
];

/** What came of asking whether somebody may act: go on, never for this person, or not now and why. */
export type Verdict = { rule: Rule; capacity: Capacity } | 'forbidden' | { refusal: string };

const capacityFor = (rule: Rule, capacities: ReadonlySet<Capacity>) => rule.who.find((one) => capacities.has(one));

/**
 * Judges one action of a person by capacity, state and guards. Who stands so to no transition of the action, or to none
 * from the present state where there are some for others, may not ask; who does is told what is in the way.
 */
export function judge(action: string, row: JudgedReview, capacities: ReadonlySet<Capacity>): Verdict {
  const ofAction = rules.filter((rule) => rule.action === action);
  const fromHere = ofAction.filter(({ from }) => from.includes(row.status));
  const [rule] = (fromHere.length > 0 ? fromHere : ofAction).filter((one) => capacityFor(one, capacities));
  if (!rule) return 'forbidden';
  if (fromHere.length === 0) return { refusal: refusalOf(row.status) };
  const refusal = rule.guard && guards[rule.guard](row);
  return refusal === undefined ? { rule, capacity: capacityFor(rule, capacities) as Capacity } : { refusal };
}

const whereItIs: Record<ProbationStatus, string> = {
  pending: 'This review is with the reviewer.',
  submitted: 'This review is with HR.',
  sent_back: 'This review was sent back to the reviewer.',
  approved: 'This review was decided already.',
  cancelled: 'This review is cancelled.',
  reverted: 'The decision of this review was taken back.',
};

/** What is said when a review is in a state from which the action does not start. */
export const refusalOf = (status: string) => whereItIs[status as ProbationStatus];

const actions = [...new Set(rules.filter(({ from }) => from.length > 0).map(({ action }) => action))];

/** What the actor may do with a review now, as far as its row tells; what a body must hold is judged with it. */
export function allowedActions(actor: Actor, row: JudgedReview): string[] {
  const capacities = capacitiesOf(actor, row);
  return actions.filter((action) => {
    const verdict = judge(action, row, capacities);
    return typeof verdict === 'object' && 'rule' in verdict;
  });
}
