import { openProbationStatuses, text } from '@tenure/contract';
import type { ProbationStatus, Text } from '@tenure/contract';
import { transitionsOf } from '../../workflow/transitions.ts';
import type { Rule } from '../../workflow/transitions.ts';
import { capacitiesOf } from './capacities.ts';
import type { Capacity, ReviewFacts } from './capacities.ts';

const whyNotRunning = ({ person_lifecycle, paused_from }: Pick<ReviewFacts, 'person_lifecycle' | 'paused_from'>) => {
  if (person_lifecycle !== 'probationary') return text('probation.not_on_probation_now');
  return paused_from === null ? undefined : text('probation.resume_first');
};

/** Conditions besides state and capacity; each returns its refusal. */
export const guards = {
  running: whyNotRunning,
  deciding: ({ milestone, ...row }) => (milestone === 'final' ? whyNotRunning(row) : text('probation.share_instead')),
  sharing: ({ milestone, ...row }) => (milestone === 'final' ? text('probation.decide_instead') : whyNotRunning(row)),
  unanswered: ({ employee_acknowledged_at }) =>
    employee_acknowledged_at === null ? undefined : text('probation.acknowledged_already'),
  unrecorded: ({ person_signs_in, employee_acknowledged_at }) => {
    if (employee_acknowledged_at !== null) return text('probation.acknowledged_by_person_already');
    return person_signs_in ? text('probation.acknowledges_in_person') : undefined;
  },
  latest: ({ milestone, is_latest }) =>
    milestone !== 'final' ? text('probation.decides_nothing') : is_latest ? undefined : text('probation.later_review'),
  untouched: ({ is_untouched }) => (is_untouched ? undefined : text('probation.worked_on')),
} as const satisfies Record<string, (row: ReviewFacts) => Text | undefined>;
export type GuardName = keyof typeof guards;

/** docs/probation-workflow.md describes these transitions. */
type ReviewRule = Rule<ProbationStatus, Capacity, GuardName, 'gone'>;

/** States in which the reviewer writes. */
const writing = ['pending', 'sent_back'] as const;

export const rules: readonly ReviewRule[] = [
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
    guard: 'running',
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
    guard: 'deciding',
    events: ['probation_review_approved'],
    waits: 'probation_acknowledge',
  },
  {
    id: 'P6',
    action: 'share',
    from: ['submitted'],
    to: 'approved',
    who: ['decider'],
    guard: 'sharing',
    events: ['probation_review_shared'],
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
  {
    id: 'P11',
    action: 'record-acknowledgement',
    from: ['approved'],
    to: 'same',
    who: ['reviewer', 'hr'],
    guard: 'unrecorded',
    events: [],
  },
  { id: 'P7', action: 'signatures', from: ['approved'], to: 'same', who: ['subject'], events: [] },
  {
    id: 'P8',
    action: 'cancel',
    from: openProbationStatuses,
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

const refusals: Record<ProbationStatus, Text> = {
  pending: text('probation.is_pending'),
  submitted: text('probation.is_submitted'),
  sent_back: text('probation.is_sent_back'),
  approved: text('probation.is_approved'),
  cancelled: text('probation.is_cancelled'),
  reverted: text('probation.is_reverted'),
};

export const { refusalOf, startsOf, allowedActions, allowStep, requireStep } = transitionsOf<ReviewFacts, ReviewRule>({
  rules,
  guards,
  capacitiesOf,
  refusals,
});
