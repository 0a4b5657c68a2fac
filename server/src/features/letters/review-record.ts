import type { Block } from '../../pdf/sheet.ts';
import { descriptionsOf, isolated } from '../../pdf/wording.ts';
import type { LetterContent } from '../probation-reviews/letter-content.ts';
import type { Writer } from './writer.ts';

/** The content of a review as two columns of labels and values. */

type Rows = (readonly [label: string, value: string | null])[];

const frame = (content: LetterContent, { say, day }: Writer): Rows => [
  [say('documents.employee'), `${isolated(content.person_name)} (${content.person_number})`],
  [say('documents.job_title'), content.job_title],
  [say('documents.company'), content.company],
  [say('documents.department'), content.department],
  [
    say('documents.probation'),
    content.probation_start_date
      ? say('documents.period', { from: day(content.probation_start_date), to: day(content.probation_end_date) })
      : say('documents.until', { to: day(content.probation_end_date) }),
  ],
  [say('documents.review'), say('documents.review_of', { sequence: content.sequence, round: content.round })],
  [say('documents.milestone'), content.milestone === 'final' ? null : say(`documents.milestones.${content.milestone}`)],
  [say('documents.reviewer'), content.reviewer_name],
  [say('documents.review_date'), content.review_date && day(content.review_date)],
];

/** An interim review decides nothing: HR shared it. */
const isFinal = ({ milestone }: LetterContent) => milestone === 'final';

/** The recommendation or decision, with the months of an extension. */
function outcomeOf(outcome: LetterContent['outcome'], months: number | null, writer: Writer): string | null {
  if (outcome === null) return null;
  const word = writer.say(`documents.outcomes.${outcome}`);
  return months === null ? word : `${word}, ${writer.months(months)}`;
}

type Criterion = NonNullable<LetterContent['criteria']>[number];

function criterionOf({ weight, rating, comment }: Criterion, { say, none, number }: Writer): string {
  const rated = {
    rating: typeof rating === 'number' ? say('documents.rating_of', { rating }) : none,
    weight: number(weight / 10_000, { style: 'percent', maximumFractionDigits: 2 }),
  };
  return comment ? say('documents.criterion_commented', { ...rated, comment }) : say('documents.criterion', rated);
}

function assessment(content: LetterContent, writer: Writer): Rows {
  const { say, number } = writer;
  return [
    [
      say('documents.rating'),
      content.performance_rating === null ? null : say('documents.rating_of', { rating: content.performance_rating }),
    ],
    ...(content.criteria ?? []).map((one): Rows[number] => [one.name, criterionOf(one, writer)]),
    [
      say('documents.score'),
      content.criteria_score === null ? null : number(content.criteria_score, { minimumFractionDigits: 2 }),
    ],
    [say('documents.strengths'), content.strengths],
    [say('documents.improvements'), content.improvements],
    [say('documents.comments'), content.comments],
    [say('documents.recommendation'), outcomeOf(content.recommendation, content.extension_months, writer)],
  ];
}

/** When the employee acknowledged the result, or who recorded it after which conversation. */
function acknowledged(content: LetterContent, { say, none, day, moment }: Writer): string | null {
  const { employee_acknowledged_at: at, talked_on, acknowledgement_recorded_by_name: by } = content;
  if (at === null || talked_on === null) return at && moment(at);
  return say('documents.acknowledged_by_hand', { name: isolated(by ?? none), at: moment(at), day: day(talked_on) });
}

/** Lines for an employee without a sign-in to acknowledge by hand. */
function acknowledgementByHand(content: LetterContent, { say }: Writer): Block[] {
  const { person_signs_in, status, employee_acknowledged_at } = content;
  if (person_signs_in || status !== 'approved' || employee_acknowledged_at !== null) return [];
  const line = '_'.repeat(34);
  return [
    { kind: 'heading', text: say('documents.by_hand') },
    { kind: 'text', text: say(isFinal(content) ? 'documents.by_hand_decision' : 'documents.by_hand_review') },
    descriptionsOf([
      [say('documents.talk_on'), line],
      [say('documents.employee_comment'), line],
      [say('documents.signature_employee'), line],
      [say('documents.signature_reviewer'), line],
    ]),
  ];
}

function decision(content: LetterContent, writer: Writer): Rows {
  const { say, none, day, moment } = writer;
  return [
    [say('documents.decision'), outcomeOf(content.outcome, content.outcome_extension_months, writer)],
    [say('documents.effective_date'), content.effective_date && day(content.effective_date)],
    [
      say(isFinal(content) ? 'documents.decided' : 'documents.shared_by'),
      say('documents.by_on', { name: isolated(content.decided_by_name ?? none), at: moment(content.decided_at) }),
    ],
    [say('documents.hr_comments'), content.hr_comments],
    [say('documents.acknowledged'), acknowledged(content, writer)],
    [say('documents.employee_comment'), content.employee_comment],
    [
      say('documents.reverted'),
      content.reverted_at && `${moment(content.reverted_at)}: ${content.revert_reason ?? none}`,
    ],
  ];
}

/** The whole content of a decided or shared review. */
export const recordOf = (content: LetterContent, writer: Writer): Block[] => [
  descriptionsOf(frame(content, writer)),
  { kind: 'heading', text: writer.say('documents.assessment') },
  descriptionsOf(assessment(content, writer)),
  { kind: 'heading', text: writer.say(isFinal(content) ? 'documents.decision' : 'documents.shared') },
  descriptionsOf(decision(content, writer)),
  ...acknowledgementByHand(content, writer),
];
