import type { Block } from '../../pdf/sheet.ts';
import type { LetterFacts } from '../probation-reviews/letter-facts.ts';
import { isolated } from './placeholders.ts';
import type { Writer } from './writer.ts';

/** The content of a review as two columns of labels and values. */

type Rows = (readonly [label: string, value: string | null])[];

/** Skips labels without a value. */
const factsOf = (rows: Rows): Block => ({
  kind: 'facts',
  rows: rows.flatMap(([label, value]) => (value === null || value === '' ? [] : [[label, value] as const])),
});

const frame = (facts: LetterFacts, { texts, day }: Writer): Rows => [
  [texts.employee, `${isolated(facts.person_name)} (${facts.person_number})`],
  [texts.jobTitle, facts.job_title],
  [texts.company, facts.company],
  [texts.department, facts.department],
  [
    texts.probation,
    facts.probation_start_date
      ? texts.period(day(facts.probation_start_date), day(facts.probation_end_date))
      : texts.until(day(facts.probation_end_date)),
  ],
  [texts.review, texts.reviewOf(facts.sequence, facts.round)],
  [texts.reviewer, facts.reviewer_name],
  [texts.reviewDate, facts.review_date && day(facts.review_date)],
];

/** The recommendation or decision, with the months of an extension. */
function outcomeOf(outcome: LetterFacts['outcome'], months: number | null, writer: Writer): string | null {
  if (outcome === null) return null;
  const word = writer.texts.outcomes[outcome];
  return months === null ? word : `${word}, ${writer.months(months)}`;
}

function assessment(facts: LetterFacts, writer: Writer): Rows {
  const { texts, number } = writer;
  const percent = { style: 'percent', maximumFractionDigits: 2 } as const;
  return [
    [texts.rating, facts.performance_rating === null ? null : texts.ratingOf(facts.performance_rating)],
    ...(facts.criteria ?? []).map(({ name, weight, rating, comment }): Rows[number] => [
      name,
      texts.criterion(
        typeof rating === 'number' ? texts.ratingOf(rating) : texts.none,
        number(weight / 10_000, percent),
        comment ?? '',
      ),
    ]),
    [texts.score, facts.criteria_score === null ? null : number(facts.criteria_score, { minimumFractionDigits: 2 })],
    [texts.strengths, facts.strengths],
    [texts.improvements, facts.improvements],
    [texts.comments, facts.comments],
    [texts.recommendation, outcomeOf(facts.recommendation, facts.extension_months, writer)],
  ];
}

function decision(facts: LetterFacts, writer: Writer): Rows {
  const { texts, day, moment } = writer;
  return [
    [texts.decision, outcomeOf(facts.outcome, facts.outcome_extension_months, writer)],
    [texts.effectiveDate, facts.effective_date && day(facts.effective_date)],
    [texts.decided, texts.byOn(isolated(facts.decided_by_name ?? texts.none), moment(facts.decided_at))],
    [texts.hrComments, facts.hr_comments],
    [texts.acknowledged, facts.employee_acknowledged_at && moment(facts.employee_acknowledged_at)],
    [texts.employeeComment, facts.employee_comment],
    [texts.reverted, facts.reverted_at && `${moment(facts.reverted_at)}: ${facts.revert_reason ?? texts.none}`],
  ];
}

/** All of a decided review. */
export const recordOf = (facts: LetterFacts, writer: Writer): Block[] => [
  factsOf(frame(facts, writer)),
  { kind: 'heading', text: writer.texts.assessment },
  factsOf(assessment(facts, writer)),
  { kind: 'heading', text: writer.texts.decision },
  factsOf(decision(facts, writer)),
];
