import type { EvaluationStatus } from '@tenure/contract';
import { pick } from './demo-answers.ts';

/** The participants in a KPI round of the demo, and the progress of their evaluations. */

export type DemoRound = {
  name: string;
  start: Temporal.PlainDate;
  end: Temporal.PlainDate;
  published: Temporal.PlainDate;
  selfCloses: Temporal.PlainDate;
  managerCloses: Temporal.PlainDate;
  isClosed: boolean;
  today: Temporal.PlainDate;
};
export type DemoSubject = {
  id: number;
  /** Null for people without an account. */
  user_id: number | null;
  name: string;
  entity_id: number;
  department_id: number;
  job_title: string | null;
  template_id: number;
  reviewer_id: number | null;
  reviewer_user_id: number | null;
  reviewer_name: string | null;
  /** The name in the form that lists sort by. */
  sort: string;
  /** The position among the participants, from 1. */
  n: number;
  /** How many people up to this one have no account. */
  nth_by_hand: number;
};
const running: readonly EvaluationStatus[] = [
  'self_assessment',
  'manager_review',
  'self_assessment',
  'completed',
  'hr_review',
  'self_assessment',
  'manager_review',
  'pending_acceptance',
  'self_assessment',
  'completed',
  'manager_review',
  'accepted',
  'self_assessment',
  'hr_review',
  'pending_acceptance',
  'manager_review',
  'completed',
  'self_assessment',
  'disputed',
  'cancelled',
];

const runningByHand: readonly EvaluationStatus[] = ['manager_review', 'pending_acceptance', 'accepted'];

/** The status of an evaluation; some of the cast have a fixed one, so that each has something to do. */
export function statusOf(
  { isClosed }: DemoRound,
  { n, user_id, nth_by_hand }: DemoSubject,
  cast: EvaluationStatus | undefined,
): EvaluationStatus {
  if (cast) return isClosed ? 'completed' : cast;
  if (isClosed) return n % 37 === 0 ? 'cancelled' : 'completed';
  // the self-assessment of a person without an account is skipped, and one result is waiting to be discussed
  if (user_id === null) return pick(runningByHand, nth_by_hand);
  return pick(running, n);
}
