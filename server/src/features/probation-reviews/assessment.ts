import type { BodyOut, probationSteps } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sentOf } from '../../db/values.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { sideScore } from '../../scores/overall.ts';
import type { StoredCriterion } from './content.ts';
import { tooShortExtension } from './outcome.ts';
import type { ReviewRecord } from './step.ts';

/** The reviewer's input, from the form to the columns. */

export const assessmentFields = [
  'performance_rating',
  'criteria',
  'strengths',
  'improvements',
  'comments',
  'recommendation',
  'extension_months',
] as const;
export type AssessmentField = (typeof assessmentFields)[number];
export type Assessment = Partial<Pick<BodyOut<typeof probationSteps.update>, AssessmentField>>;

type Criteria = NonNullable<Assessment['criteria']>;

const highest = 5;
const whole = 10_000;

const storedOf = ({ name, weight, rating = null, comment = null }: Criteria[number]): StoredCriterion => ({
  name,
  weight: Math.round(weight * 100),
  rating,
  comment,
});

/** HR's guidance stays with the criterion of the same name. */
function guidedBy(stored: readonly StoredCriterion[] | null): (one: StoredCriterion) => StoredCriterion {
  const guidance = new Map(stored?.map((one) => [one.name, one.guidance]));
  return (one) => ({ ...one, ...sentOf({ guidance: guidance.get(one.name) }) });
}

const totalOf = (criteria: readonly StoredCriterion[]) => criteria.reduce((sum, { weight }) => sum + weight, 0);

/** The weighted mean of the ratings with two decimals; null until all are given. */
export function criteriaScore(criteria: readonly StoredCriterion[] | null): number | null {
  const scored = (criteria ?? []).map(({ weight, rating = null }, id) => ({
    id,
    weight,
    score: rating,
    not_applicable: false,
    achievement_pct: null,
  }));
  const score = sideScore(scored, highest);
  return score?.complete ? score.score : null;
}

/** In a fixed set, the reviewer can only rate criteria and comment on them. */
const keepsSet = (stored: readonly StoredCriterion[] | null, sent: readonly StoredCriterion[] | null) =>
  (stored ?? []).length === (sent ?? []).length &&
  (sent ?? []).every(({ name, weight }, place) => stored?.[place]?.name === name && stored[place].weight === weight);

const wrongTotal = (total: number) => text('validation.weights_add_up', { total: total / 100 });

/** The criteria after a change; an empty list has no weights. */
function changedCriteria(stored: StoredCriterion[] | null, sent: Assessment['criteria']): StoredCriterion[] | null {
  if (sent === undefined) return stored;
  if (sent === null || sent.length === 0) return null;
  return sent.map(storedOf).map(guidedBy(stored));
}

/** The columns that a form changes: sent values merged with stored ones. Refuses total weights over 100 %. */
export function assessed(row: ReviewRecord, sent: Assessment): { values: Assessed; errors: FieldErrors } {
  const { criteria: sentCriteria, ...plain } = sent;
  const stored = (row.criteria as StoredCriterion[] | null) ?? null;
  const criteria = changedCriteria(stored, sentCriteria);
  const values = { ...pickStored(row), ...sentOf(plain), criteria, criteria_score: criteriaScore(criteria) };
  const total = totalOf(criteria ?? []);
  if (row.milestone !== 'final' && (sent.recommendation || sent.extension_months))
    return { values, errors: { recommendation: [text('probation.decides_nothing')] } };
  if (row.criteria_fixed && !keepsSet(stored, criteria))
    return { values, errors: { criteria: [text('probation.criteria_fixed')] } };
  if (total > whole) return { values, errors: { criteria: [wrongTotal(total)] } };
  return { values, errors: {} };
}

type Plain = Exclude<AssessmentField, 'criteria'>;
export type Assessed = Pick<ReviewRecord, Plain | 'criteria_score'> & { criteria: StoredCriterion[] | null };

const pickStored = (row: ReviewRecord): Pick<ReviewRecord, Plain> => ({
  performance_rating: row.performance_rating,
  strengths: row.strengths,
  improvements: row.improvements,
  comments: row.comments,
  recommendation: row.recommendation,
  extension_months: row.extension_months,
});

/** The values in the format of the columns. */
export const columnsOf = ({ criteria, ...values }: Assessed) => ({
  ...values,
  criteria: criteria && JSON.stringify(criteria),
});

/** Months are required for an extension and refused otherwise. */
export function monthsProblem(outcome: string | null, months: number | null, field: string): FieldErrors {
  if (outcome === 'extend' && months === null) return { [field]: [say(field, messages.required)] };
  if (outcome !== 'extend' && months !== null) return { [field]: [say(field, messages.prohibited)] };
  return {};
}

export const noMoreExtensions = text('probation.extension_limit');

/** Missing or inconsistent values that prevent submission. */
export function missingAnswers(values: Assessed, row: ReviewRecord): FieldErrors {
  const errors: FieldErrors = {};
  const needed = [
    'performance_rating',
    'comments',
    ...(row.milestone === 'final' ? ['recommendation' as const] : []),
  ] as const;
  for (const field of needed) if (values[field] === null) errors[field] = [say(field, messages.required)];
  for (const [place, { rating = null }] of (values.criteria ?? []).entries())
    if (rating === null) errors[`criteria.${place}.rating`] = [say(`criteria.${place}.rating`, messages.required)];
  const total = totalOf(values.criteria ?? []);
  if (values.criteria && total !== whole) errors['criteria'] = [wrongTotal(total)];
  if (values.recommendation !== null)
    Object.assign(errors, monthsProblem(values.recommendation, values.extension_months, 'extension_months'));
  if (values.recommendation === 'extend' && row.extension_count >= row.maximum_extensions)
    errors['recommendation'] = [noMoreExtensions];
  if (values.recommendation === 'extend' && values.extension_months !== null) {
    const { probation_start_date: start, probation_end_date: end, today } = row;
    const tooShort = tooShortExtension({ start, end, today }, values.extension_months);
    if (tooShort !== undefined) errors['extension_months'] = [tooShort];
  }
  return errors;
}
