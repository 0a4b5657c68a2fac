import type { Reader } from '../testing/canary-readers.ts';
import { managers, peopleHr, reviewerAndHr } from './canary-sweep.ts';
import { held, inText } from './oracle-values.ts';
import type { Part, Planted, Secret, Canaries } from './oracle-values.ts';

/**
 * Values of evaluations and probation reviews that are hidden from some readers. A `Secret` is such a value, `Planted`
 * has the ids of the rows created for this test, and `held` names the columns of a row that contain a secret.
 */

/** Result figures of a review. */
export const figures = {
  overall_score: [1, 5],
  overall_percentage: [20, 99],
  overall_achievement_pct: [20, 99],
  suggested_flag: ['pip', 'hipo'],
} as const;
/** HR's conclusions of a review. */
export const flags = { ...inText('hr_comment', 'flag_reason'), performance_flag: ['pip', 'hipo'] } as const;
const reviewed = inText('manager_comment', 'strengths', 'improvements');
const scored = (side: 'self' | 'manager' | 'final') => ({ [`${side}_score`]: [1, 5] }) as const;
const items = (id: number | undefined, values: Part['values']) =>
  held('kpi_evaluation_items', id, values, 'evaluation_id');
const ofManager = { ...scored('manager'), ...inText('manager_comment'), manager_actual_value: [1, 5] } as const;
const ofSelf = { ...scored('self'), ...inText('self_comment'), self_actual_value: [1, 5] } as const;

const evaluation = (name: string, id: number | undefined, seen: readonly Reader[], ...parts: Part[]): Secret => ({
  name: `${name} of an evaluation`,
  seen,
  at: `/api/kpi-evaluations/${id}`,
  parts,
});
const own = (id: number | undefined, values: Part['values']) => held('kpi_evaluations', id, values);
const note = (id: number | undefined) => held('kpi_evidence', id, inText('note'));

function ofEvaluations({ ids }: Canaries, { cancelled, completed }: Planted): Secret[] {
  const [inReview, drafted, begun] = ids['kpi-evaluations'] ?? [];
  const [, forReviewer, forHr] = ids['evidenceId'] ?? [];
  const finals = items(inReview, { ...scored('final'), ...inText('final_note'), final_actual_value: [1, 5] });
  return [
    evaluation(
      'the submitted review',
      inReview,
      reviewerAndHr,
      own(inReview, { ...reviewed, ...figures }),
      items(inReview, ofManager),
      note(forReviewer),
    ),
    evaluation('the HR review', inReview, peopleHr, own(inReview, flags), finals, note(forHr)),
    evaluation('the cancelled review', cancelled, reviewerAndHr, own(cancelled, figures)),
    evaluation('the cancelled HR review', cancelled, peopleHr, own(cancelled, flags)),
    evaluation(
      'the draft of a review',
      drafted,
      ['manager', 'head', ...peopleHr],
      own(drafted, { ...reviewed, ...inText('return_reason') }),
      items(drafted, ofManager),
    ),
    evaluation(
      'the draft of the self-assessment',
      begun,
      ['self'],
      own(begun, inText('self_comment')),
      items(begun, ofSelf),
    ),
    evaluation(
      'the result',
      completed,
      [...managers, 'chief', 'colleague', 'managedFinance', 'onlooker', ...peopleHr],
      own(completed, { ...figures, ...flags }),
    ),
  ];
}

const abandoned = JSON.stringify({
  self_overall_score: 1,
  overall_score: 1,
  overall_percentage: 20,
  suggested_flag: 'pip',
  performance_flag: 'pip',
  items: [],
});

function ofActivity({ ids }: Canaries, { ofEvaluation, ofReview }: Planted): Secret[] {
  const [, drafted] = ids['kpi-evaluations'] ?? [];
  const [submitted] = ids['probation-reviews'] ?? [];
  return [
    {
      name: 'why a review was returned',
      seen: ['manager', 'head', ...peopleHr],
      at: `/api/kpi-evaluations/${drafted}/activity`,
      parts: [held('kpi_evaluation_activity', ofEvaluation, inText('reason'))],
    },
    {
      name: 'a result that was given up',
      seen: peopleHr,
      at: `/api/kpi-evaluations/${drafted}/activity`,
      parts: [held('kpi_evaluation_activity', ofEvaluation, { snapshot: [null, abandoned] })],
    },
    {
      name: 'why a probation review was sent back',
      seen: reviewerAndHr,
      at: `/api/probation-reviews/${submitted}/activity`,
      parts: [held('probation_review_activity', ofReview, inText('reason'))],
    },
  ];
}

const assessment = {
  ...inText('strengths', 'improvements', 'comments'),
  performance_rating: [1, 5],
  recommendation: ['terminate', 'confirm'],
} as const;

function ofProbationReviews({ ids }: Canaries, { ownReview }: Planted): Secret[] {
  const [submitted, drafted] = ids['probation-reviews'] ?? [];
  const [signature] = ids['signatureId'] ?? [];
  const review = (name: string, id: number | undefined, seen: readonly Reader[], values: Part['values']): Secret => ({
    name,
    seen,
    at: `/api/probation-reviews/${id}`,
    parts: [held('probation_reviews', id, values)],
  });
  const between = inText('hr_comments', 'send_back_reason', 'cancel_reason');
  return [
    review('a submitted probation review', submitted, reviewerAndHr, { ...assessment, ...between }),
    {
      ...review('the signature below it', submitted, reviewerAndHr, {}),
      parts: [held('probation_signatures', signature, inText('typed_name'))],
    },
    review('the draft of a probation review', drafted, ['manager'], assessment),
    review('that a probation is reviewed', submitted, [...managers, 'chief', 'onlooker', ...peopleHr], {
      status: ['submitted', 'cancelled'],
    }),
    // HR of its reviewer sees the number of duties to reassign
    review(
      'that the probation of an HR person is reviewed',
      ownReview,
      ['onlooker', 'boardHr', 'officeHr', 'hr', 'admin'],
      {
        status: ['pending', 'cancelled'],
      },
    ),
  ];
}

/** All review values hidden from some reader. */
export const ofReviews = (canaries: Canaries, planted: Planted): readonly Secret[] => [
  ...ofEvaluations(canaries, planted),
  ...ofActivity(canaries, planted),
  ...ofProbationReviews(canaries, planted),
];
