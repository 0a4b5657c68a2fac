import type { EvaluationStatus } from '@tenure/contract';
import type { Insertable } from 'kysely';
import type { DB } from '../server/src/db/schema.ts';
import { withoutSignIn } from '../server/src/features/kpi-evaluations/bulk-transitions.ts';
import { overallOf } from '../server/src/scores/overall.ts';
import {
  answerOf,
  hrWords,
  improvements,
  managerSaid,
  own,
  pick,
  reviewers,
  selfSaid,
  strengths,
} from './demo-answers.ts';
import type { DemoItem, DemoTemplate, Said } from './demo-answers.ts';
import { statusOf } from './demo-statuses.ts';
import type { DemoRound, DemoSubject } from './demo-statuses.ts';

/** One evaluation of the demo as it would have developed; everything is derived from its subject. */

type Activity = Omit<Insertable<DB['kpi_evaluation_activity']>, 'evaluation_id'>;
export type Written = {
  evaluation: Insertable<DB['kpi_evaluations']>;
  items: Omit<Insertable<DB['kpi_evaluation_items']>, 'evaluation_id'>[];
  activity: Activity[];
};
type Person = { user_id: number | null; name: string };
type Round = DemoRound & { id: number };

const stages = [
  'self_assessment',
  'manager_review',
  'hr_review',
  'pending_acceptance',
  'accepted',
  'completed',
] as const;
const instant = (day: Temporal.PlainDate, subject: DemoSubject) =>
  `${day.toString()}T${String(8 + (subject.n % 9)).padStart(2, '0')}:${String((subject.n * 7) % 60).padStart(2, '0')}:00Z`;

/** When each step was done, never in the future. */
function daysOf({ published, today }: Round, { id, n }: DemoSubject) {
  const plus = (days: number) => {
    const day = published.add({ days });
    return Temporal.PlainDate.compare(day, today) < 0 ? day : today.subtract({ days: 1 });
  };
  const self = 2 + (id % 4);
  return { self: plus(self), manager: plus(self + 2 + (n % 3)), hr: plus(self + 5 + (n % 2)), answer: plus(self + 7) };
}

type Answer = ReturnType<typeof answerOf> & { item: DemoItem };
type Times = Record<'self' | 'manager' | 'hr' | 'answer', string>;
type Figures = ReturnType<typeof overallOf>;
type Evaluation = Partial<Insertable<DB['kpi_evaluations']>>;
/** What the parts of one evaluation are derived from. */
type Course = {
  round: Round;
  subject: DemoSubject;
  status: EvaluationStatus;
  /** How many steps are done. */
  stage: number;
  hr: Person;
  reviewer: Person;
  days: ReturnType<typeof daysOf>;
  at: Times;
  began: string;
  figures: Figures;
};

const figuresOf = (answers: readonly Answer[]) =>
  overallOf({
    items: answers.map(({ item, manager_score, self_score, achievement_pct }) => ({
      id: item.id,
      weight: item.weight,
      not_applicable: false,
      self_score,
      self_achievement_pct: achievement_pct,
      manager_score,
      final_score: manager_score,
      achievement_pct,
    })),
    scale_max: 5,
    manager_weight_pct: 100,
    self_weight_pct: 0,
    self_skipped: false,
    pip_below_pct: 60,
    hipo_from_pct: 90,
  });

const isByHand = ({ user_id }: DemoSubject) => user_id === null;

const bySubject = ({ subject, at, figures }: Course): Evaluation =>
  isByHand(subject)
    ? { self_skipped: true, skip_reason: withoutSignIn }
    : {
        self_comment: pick(own, subject.n),
        self_submitted_at: at.self,
        self_overall_score: figures.self_overall_score,
      };

const byReviewer = ({ subject, at, figures, reviewer }: Course): Evaluation => ({
  manager_comment: pick(reviewers, subject.id),
  strengths: pick(strengths, subject.n),
  improvements: pick(improvements, subject.id + subject.n),
  manager_submitted_at: at.manager,
  manager_submitted_by: reviewer.user_id,
  manager_submitted_by_name: reviewer.name,
  overall_score: figures.overall_score,
  overall_percentage: figures.overall_percentage,
  overall_achievement_pct: figures.overall_achievement_pct,
  suggested_flag: figures.suggested_flag,
});

const byHr = ({ subject, at, days, figures, hr }: Course): Evaluation => ({
  hr_comment: pick(hrWords, subject.n),
  hr_submitted_at: at.hr,
  hr_submitted_by: hr.user_id,
  hr_submitted_by_name: hr.name,
  performance_flag: figures.suggested_flag,
  acceptance_due_on: days.hr.add({ days: 7 }).toString(),
});

function ending({ status, at }: Course): Evaluation {
  if (status === 'disputed') return { dispute_reason: 'The second goal was moved by the customer, not by me.' };
  if (status === 'cancelled')
    return {
      cancel_reason: 'On parental leave for the whole quarter.',
      cancelled_from: 'self_assessment',
      cancelled_at: at.self,
    };
  return status === 'completed' ? { completed_at: at.answer } : {};
}

/** The subject's answer; the reviewer records that of a person without an account. */
function answered({ status, subject, reviewer, days, at }: Course): Evaluation {
  const mode = isByHand(subject) ? 'recorded' : 'employee';
  return {
    responded_at: at.answer,
    ...(status !== 'disputed' && { acceptance_mode: mode }),
    ...(isByHand(subject) && {
      talked_on: days.answer.toString(),
      answer_recorded_by: reviewer.user_id,
      answer_recorded_by_name: reviewer.name,
    }),
  };
}

/** A comment on every other item, matching the score. */
const saidOf = (said: Said, { id, sort_order }: DemoItem, score: number | null) =>
  (id + sort_order) % 2 === 0 || score === null
    ? null
    : pick(score >= 4 ? said.good : score >= 3 ? said.fair : said.low, id);

const copyOf = ({ item, manager_score, self_score, actual }: Answer, stage: number, assesses: boolean) => ({
  template_item_id: item.id,
  name: item.name,
  description: item.description,
  weight: item.weight,
  sort_order: item.sort_order,
  evidence_required: item.evidence_required,
  item_type: item.item_type,
  direction: item.direction,
  unit: item.unit,
  target_value: item.target_value,
  baseline_value: item.baseline_value,
  tolerance_pct: item.tolerance_pct,
  cap_pct: item.cap_pct,
  ...(stage > 0 &&
    assesses && { self_score, self_actual_value: actual, self_comment: saidOf(selfSaid, item, self_score) }),
  ...(stage > 1 && {
    manager_score,
    manager_actual_value: actual,
    manager_not_applicable: false,
    manager_comment: saidOf(managerSaid, item, manager_score),
  }),
  ...(stage > 2 && { final_score: manager_score }),
});

type Cast = { hr: Person; status: EvaluationStatus | undefined };

function courseOf(round: Round, subject: DemoSubject, figures: Figures, cast: Cast): Course {
  const status = statusOf(round, subject, cast.status);
  const reached = status === 'cancelled' ? 'self_assessment' : status === 'disputed' ? 'accepted' : status;
  const days = daysOf(round, subject);
  const at = {
    self: instant(days.self, subject),
    manager: instant(days.manager, subject),
    hr: instant(days.hr, subject),
    answer: instant(days.answer, subject),
  };
  const reviewer = { user_id: subject.reviewer_user_id, name: subject.reviewer_name ?? cast.hr.name };
  const began = `${round.published.toString()}T08:00:00Z`;
  return { round, subject, status, stage: stages.indexOf(reached), hr: cast.hr, reviewer, days, at, began, figures };
}

/** Everything that follows from the progress of an evaluation. */
export function evaluationOf(round: Round, subject: DemoSubject, template: DemoTemplate, cast: Cast): Written {
  const answers = template.items.map((item) => ({ item, ...answerOf(item, subject, round.id) }));
  const course = courseOf(round, subject, figuresOf(answers), cast);
  const { status, stage, at, began } = course;
  const changed = status === 'cancelled' ? at.self : [began, at.self, at.manager, at.hr][stage];
  return {
    evaluation: {
      cycle_id: round.id,
      employee_id: subject.id,
      entity_id: subject.entity_id,
      department_id: subject.department_id,
      job_title: subject.job_title,
      reviewer_id: subject.reviewer_id,
      reviewer_missing_since: subject.reviewer_id === null ? began : null,
      template_id: template.id,
      template_name: template.name,
      template_version: template.version,
      scale_min: 1,
      scale_max: 5,
      score_step: 1,
      scale_words: template.scale_words,
      person_sort: subject.sort,
      status,
      status_changed_at: changed ?? at.answer,
      created_at: began,
      ...(stage > 0 && bySubject(course)),
      ...(stage > 1 && byReviewer(course)),
      ...(stage > 2 && byHr(course)),
      ...(stage > 3 && answered(course)),
      ...ending(course),
    },
    items: answers.map((answer) => copyOf(answer, stage, !isByHand(subject))),
    activity: activityOf(course),
  };
}

function activityOf(course: Course): Activity[] {
  const { status, stage, hr, reviewer, subject, at, began } = course;
  const row = (
    action: string,
    by: Person,
    when: string,
    from: EvaluationStatus | null,
    to: EvaluationStatus,
  ): Activity => ({
    action,
    at: when,
    actor_id: by.user_id,
    actor_name: by.name,
    from_status: from,
    to_status: to,
    round: 1,
  });
  const outcome = status === 'disputed' ? 'disputed' : 'accepted';
  const service = { user_id: null, name: 'System' };
  const assessed = isByHand(subject)
    ? { ...row('skip-self-assessment', service, began, 'self_assessment', 'manager_review'), reason: withoutSignIn }
    : row('self-assessment', subject, at.self, 'self_assessment', 'manager_review');
  const answering = isByHand(subject)
    ? row('record-answer', reviewer, at.answer, 'pending_acceptance', outcome)
    : row(outcome === 'disputed' ? 'dispute' : 'accept', subject, at.answer, 'pending_acceptance', outcome);
  const all = [
    row('publish', hr, began, null, 'self_assessment'),
    assessed,
    row('manager-review', reviewer, at.manager, 'manager_review', 'hr_review'),
    row('hr-review', hr, at.hr, 'hr_review', 'pending_acceptance'),
    answering,
    row('close', hr, at.answer, 'accepted', 'completed'),
  ];
  if (status === 'cancelled') return [...all.slice(0, 1), row('cancel', hr, at.self, 'self_assessment', 'cancelled')];
  return all.slice(0, stage + 1);
}
