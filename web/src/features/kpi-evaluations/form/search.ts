import { flag, oneOf, searchParams, wholeNumber } from '../../../ui/search-params.ts';

export const evaluationViews = ['form', 'activity'] as const;
export type EvaluationView = (typeof evaluationViews)[number];

/** What can be done with an evaluation, by the name the service has for it. */
export const evaluationActions = [
  'self-assessment',
  'manager-review',
  'hr-review',
  'accept',
  'dispute',
  'resolve-dispute',
  'close',
  'extension-request',
  'extension-decision',
  'return',
  'deem-accepted',
  'skip-self-assessment',
  'reviewer',
  'reopen',
  'restore',
  'force-close',
  'cancel',
] as const;
export type EvaluationAction = (typeof evaluationActions)[number];
/** Handing in what is written in a step. */
export const submitActions = ['self-assessment', 'manager-review', 'hr-review'] as const;
export type SubmitAction = (typeof submitActions)[number];

/** What the page of an evaluation shows: which item, or all of it together (0), the activity, an open question. */
export const evaluationSearch = searchParams({
  item: wholeNumber(0),
  tab: oneOf(evaluationViews),
  page: wholeNumber(1),
  do: oneOf(evaluationActions),
  explain: flag,
});
export type EvaluationSearch = ReturnType<typeof evaluationSearch>;
