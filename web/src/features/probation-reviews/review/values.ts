import type { BodyIn, ProbationCriterion, ProbationReview, probationSteps } from '@tenure/contract';
import type { Plan } from '../../../ui/autosave.ts';
import type { Texts } from '../../../ui/versions.ts';
import { sentNumber, writeNumber, type DecimalSign } from '../../../ui/numbers.ts';

type Body = BodyIn<typeof probationSteps.update>;

/** A criterion as the form holds it; numbers as texts in the reader's way of writing them. */
export type CriterionTexts = { name: string; weight: string; rating: string; comment: string };

/** Everything the reviewer writes; the criteria are one text, for the service takes them as a set. */
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

const criterionTexts = (one: ProbationCriterion, sign: DecimalSign): CriterionTexts => ({
  name: one.name,
  weight: writeNumber(one.weight, sign),
  rating: writeNumber(one.rating, '.'),
  comment: one.comment ?? '',
});

export const criteriaOf = (text: string | undefined): CriterionTexts[] =>
  text ? (JSON.parse(text) as CriterionTexts[]) : [];
export const criteriaText = (rows: readonly CriterionTexts[]): string =>
  rows.length === 0 ? '' : JSON.stringify(rows);

function textOf(review: ProbationReview, field: AssessmentField, sign: DecimalSign): string {
  if (field === 'criteria') return criteriaText((review.criteria ?? []).map((one) => criterionTexts(one, sign)));
  return String(review[field] ?? '');
}

function sentValue(field: AssessmentField, text: string, sign: DecimalSign): unknown {
  if (field === 'criteria')
    return criteriaOf(text).map(({ name, weight, rating, comment }) => ({
      name: name.trim(),
      weight: sentNumber(weight, sign),
      rating: sentNumber(rating, '.'),
      comment: comment.trim() || null,
    }));
  if (text === '') return null;
  return field === 'performance_rating' || field === 'extension_months' ? Number(text) : text;
}

/** Whoever may hand a review in may write it. */
export const isWriting = ({ allowed_actions: allowed }: ProbationReview): boolean =>
  allowed.includes('submit') && allowed.includes('update');

/** How an assessment is drafted, with numbers as a language writes them. */
export const planOf = (sign: DecimalSign): Plan<ProbationReview, Omit<Body, 'revision'>, 'reviewer'> => ({
  sideOf: (review) => (isWriting(review) ? 'reviewer' : undefined),
  textsOf: (review) => Object.fromEntries(assessmentFields.map((field) => [field, textOf(review, field, sign)])),
  bodyOf: (values: Texts, changed) =>
    Object.fromEntries(
      assessmentFields
        .filter((field) => changed.includes(field))
        .map((field) => [field, sentValue(field, (values[field] ?? '').trim(), sign)]),
    ),
});
