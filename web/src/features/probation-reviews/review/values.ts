import type { BodyIn, ProbationCriterion, ProbationReview, probationSteps } from '@tenure/contract';
import type { DraftOptions } from '../../../ui/autosave.ts';
import type { Texts } from '../../../ui/versions.ts';
import { sentNumber, writeNumber, type DecimalSign } from '../../../ui/numbers.ts';

type Body = BodyIn<typeof probationSteps.update>;

/** The form values of a criterion; numbers are texts in the user's format. */
export type CriterionTexts = { name: string; weight: string; rating: string; comment: string };

/** The fields of an assessment; criteria are one text, since the service takes them as a set. */
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

/** A user who may submit a review may write it. */
export const isWriting = ({ allowed_actions: allowed }: ProbationReview): boolean =>
  allowed.includes('submit') && allowed.includes('update');

/** The draft options of an assessment, with numbers in the user's format. */
export const draftOptions = (sign: DecimalSign): DraftOptions<ProbationReview, Omit<Body, 'revision'>, 'reviewer'> => ({
  sideOf: (review) => (isWriting(review) ? 'reviewer' : undefined),
  textsOf: (review) => Object.fromEntries(assessmentFields.map((field) => [field, textOf(review, field, sign)])),
  bodyOf: (values: Texts, changed) =>
    Object.fromEntries(
      assessmentFields
        .filter((field) => changed.includes(field))
        .map((field) => [field, sentValue(field, (values[field] ?? '').trim(), sign)]),
    ),
});
