import { flag, oneOf, searchParams, wholeNumber } from '../../../ui/search-params.ts';

export const evaluationViews = ['form', 'activity'] as const;
export type EvaluationView = (typeof evaluationViews)[number];

/** The actions on an evaluation, by their API names. */
export const evaluationActions = [
  'self-assessment',
  'manager-review',
  'hr-review',
  'accept',
  'dispute',
  'record-answer',
  'resolve-dispute',
  'close',
  'extension-request',
  'former-draft',
  'extension-decision',
  'extend',
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
/** The actions that submit a form. */
export const submitActions = ['self-assessment', 'manager-review', 'hr-review'] as const;
export type SubmitAction = (typeof submitActions)[number];

/** The state of an evaluation's page: item (0 for the overall part), activity, and open dialog. */
export const evaluationSearch = searchParams({
  item: wholeNumber(0),
  tab: oneOf(evaluationViews),
  page: wholeNumber(1),
  do: oneOf(evaluationActions),
  explain: flag,
});
export type EvaluationSearch = ReturnType<typeof evaluationSearch>;
