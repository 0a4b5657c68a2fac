import type { ProbationMilestone, ProbationOutcome, ProbationSignature } from '@tenure/contract';
import { sha256Hex } from '../../crypto/crypto.ts';

/** The signed content as a canonical text, and its hash. */

export type SignatureRole = ProbationSignature['role'];

/** A criterion as stored; the weight is in hundredths of a percent. */
export type StoredCriterion = {
  name: string;
  weight: number;
  rating?: number | null;
  comment?: string | null;
  guidance?: string;
};

/** The columns of a review that signatures cover. */
export type Signable = {
  id: number;
  employee_id: number;
  probation_start_date: string | null;
  probation_end_date: string;
  milestone: ProbationMilestone;
  round: number;
  performance_rating: number | null;
  criteria: unknown;
  criteria_score: number | null;
  strengths: string | null;
  improvements: string | null;
  comments: string | null;
  recommendation: ProbationOutcome | null;
  extension_months: number | null;
  outcome: ProbationOutcome | null;
  outcome_extension_months: number | null;
  effective_date: string | null;
  hr_comments: string | null;
};

export type Content = Readonly<Record<string, unknown>>;

/** The version of the content's format, so that signatures for an older format can still be verified when it grows. */
const version = 1;

const criteriaOf = (stored: unknown) =>
  (stored as readonly StoredCriterion[] | null)?.map(({ name, weight, rating, comment }) => ({
    name,
    weight,
    rating: rating ?? null,
    comment: comment ?? null,
  })) ?? null;

/** The content that the reviewer is responsible for, with the review and the person it is about. */
const assessment = (review: Signable) => ({
  version,
  review_id: review.id,
  employee_id: review.employee_id,
  probation_start_date: review.probation_start_date,
  probation_end_date: review.probation_end_date,
  round: review.round,
  ...(review.milestone !== 'final' && { milestone: review.milestone }),
  performance_rating: review.performance_rating,
  criteria: criteriaOf(review.criteria),
  criteria_score: review.criteria_score,
  strengths: review.strengths,
  improvements: review.improvements,
  comments: review.comments,
  recommendation: review.recommendation,
  extension_months: review.extension_months,
});

/** The content that a role signs: the assessment, and after the decision also the decision. */
export const contentOf = (review: Signable, role: SignatureRole): Content =>
  role === 'manager'
    ? assessment(review)
    : {
        ...assessment(review),
        outcome: review.outcome,
        outcome_extension_months: review.outcome_extension_months,
        effective_date: review.effective_date,
        hr_comments: review.hr_comments,
      };

const isRecord = (value: unknown): value is Content => typeof value === 'object' && value !== null;

/** Canonical JSON by RFC 8785, for texts, finite numbers, null, lists and records. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** SHA-256 over the canonical JSON in UTF-8, as 64 lower-case hexadecimal digits. */
export const hashOf = (content: Content): string => sha256Hex(canonical(content));

/** The short form of a hash that documents print: its first twelve digits in groups of four. */
export const referenceOf = (hash: string): string =>
  hash
    .slice(0, 12)
    .toUpperCase()
    .replaceAll(/(.{4})(?=.)/g, '$1-');

/** The fields in which two contents differ, in the order of the second. */
export const differencesBetween = (signed: Content, stored: Content): string[] =>
  [...new Set([...Object.keys(stored), ...Object.keys(signed)])].filter(
    (name) => canonical(signed[name] ?? null) !== canonical(stored[name] ?? null),
  );
