import type { Block } from '../../pdf/sheet.ts';
import type { LetterFacts } from '../probation-reviews/letter-content.ts';
import { isolated } from './placeholders.ts';
import type { Writer } from './writer.ts';

/** The content of a review as two columns of labels and values. */

type Rows = (readonly [label: string, value: string | null])[];

/** Skips labels without a value. */
const factsOf = (rows: Rows): Block => ({
  kind: 'facts',
  rows: rows.flatMap(([label, value]) => (value === null || value === '' ? [] : [[label, value] as const])),
});

const frame = (facts: LetterFacts, { say, day }: Writer): Rows => [
  [say('documents.employee'), `${isolated(facts.person_name)} (${facts.person_number})`],
  [say('documents.job_title'), facts.job_title],
  [say('documents.company'), facts.company],
  [say('documents.department'), facts.department],
  [
    say('documents.probation'),
    facts.probation_start_date
      ? say('documents.period', { from: day(facts.probation_start_date), to: day(facts.probation_end_date) })
      : say('documents.until', { to: day(facts.probation_end_date) }),
  ],
  [say('documents.review'), say('documents.review_of', { sequence: facts.sequence, round: facts.round })],
  [say('documents.reviewer'), facts.reviewer_name],
  [say('documents.review_date'), facts.review_date && day(facts.review_date)],
];

/** The recommendation or decision, with the months of an extension. */
function outcomeOf(outcome: LetterFacts['outcome'], months: number | null, writer: Writer): string | null {
  if (outcome === null) return null;
  const word = writer.say(`documents.outcomes.${outcome}`);
  return months === null ? word : `${word}, ${writer.months(months)}`;
}

type Criterion = NonNullable<LetterFacts['criteria']>[number];

function criterionOf({ weight, rating, comment }: Criterion, { say, none, number }: Writer): string {
  const rated = {
    rating: typeof rating === 'number' ? say('documents.rating_of', { rating }) : none,
    weight: number(weight / 10_000, { style: 'percent', maximumFractionDigits: 2 }),
  };
  return comment ? say('documents.criterion_commented', { ...rated, comment }) : say('documents.criterion', rated);
}

function assessment(facts: LetterFacts, writer: Writer): Rows {
  const { say, number } = writer;
  return [
    [
      say('documents.rating'),
      facts.performance_rating === null ? null : say('documents.rating_of', { rating: facts.performance_rating }),
    ],
    ...(facts.criteria ?? []).map((one): Rows[number] => [one.name, criterionOf(one, writer)]),
    [
      say('documents.score'),
      facts.criteria_score === null ? null : number(facts.criteria_score, { minimumFractionDigits: 2 }),
    ],
    [say('documents.strengths'), facts.strengths],
    [say('documents.improvements'), facts.improvements],
    [say('documents.comments'), facts.comments],
    [say('documents.recommendation'), outcomeOf(facts.recommendation, facts.extension_months, writer)],
  ];
}

function decision(facts: LetterFacts, writer: Writer): Rows {
  const { say, none, day, moment } = writer;
  return [
    [say('documents.decision'), outcomeOf(facts.outcome, facts.outcome_extension_months, writer)],
    [say('documents.effective_date'), facts.effective_date && day(facts.effective_date)],
    [
      say('documents.decided'),
      say('documents.by_on', { name: isolated(facts.decided_by_name ?? none), at: moment(facts.decided_at) }),
    ],
    [say('documents.hr_comments'), facts.hr_comments],
    [say('documents.acknowledged'), facts.employee_acknowledged_at && moment(facts.employee_acknowledged_at)],
    [say('documents.employee_comment'), facts.employee_comment],
    [say('documents.reverted'), facts.reverted_at && `${moment(facts.reverted_at)}: ${facts.revert_reason ?? none}`],
  ];
}

/** All of a decided review. */
export const recordOf = (facts: LetterFacts, writer: Writer): Block[] => [
  factsOf(frame(facts, writer)),
  { kind: 'heading', text: writer.say('documents.assessment') },
  factsOf(assessment(facts, writer)),
  { kind: 'heading', text: writer.say('documents.decision') },
  factsOf(decision(facts, writer)),
];
