import type { EvaluationItem, KpiEvaluation, KpiEvaluationRow } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { prorationOf } from '../../scores/proration.ts';
import { actorOf, frameOf } from '../../workflow/present.ts';
import { capacitiesOf, fourEyesOf } from './capacities.ts';
import { explanationsOf } from './explain-of.ts';
import { evaluatedItem } from './figures.ts';
import { isStepOpen, windowOf } from './guards.ts';
import type { StoredItem } from './items.ts';
import { allowedActions } from './transitions.ts';
import type { ListedEvaluation, StoredEvaluation } from './record.ts';
import { partOf } from './parts.ts';
import { sightOf } from './visibility.ts';
import type { Sight } from './visibility.ts';

/** Evaluations as responses show them: hidden fields are absent. */

/** The person, the place, the cycle and the template. */
const frame = (row: ListedEvaluation) => ({
  ...frameOf(row),
  cycle_id: row.cycle_id,
  cycle: { id: row.cycle_id, name: row.cycle_name },
  job_title: row.job_title,
  template_id: row.template_id,
  template_name: row.template_name,
  template_version: row.template_version,
  scale_min: row.scale_min,
  scale_max: row.scale_max,
  score_step: row.score_step,
  part: partOf(row),
});

const figures = (row: ListedEvaluation, { self, self_given, scores, result }: Sight) => ({
  ...(self && { self_overall_score: self_given ? row.self_overall_score : null }),
  ...(scores && {
    overall_score: row.overall_score,
    overall_percentage: row.overall_percentage,
    band_name: row.band_name,
    overall_achievement_pct: row.overall_achievement_pct,
  }),
  ...(result && {
    suggested_flag: row.suggested_flag as KpiEvaluationRow['suggested_flag'],
    performance_flag: row.performance_flag as KpiEvaluationRow['performance_flag'],
    flag_reason: row.flag_reason,
  }),
});

/** The progress: how far, when and by whom. */
const progress = (row: ListedEvaluation) => ({
  due_on: row.due_on,
  today: row.today,
  self_skipped: row.self_skipped,
  dispute_returned: row.dispute_returned,
  acceptance_due_on: row.acceptance_due_on,
  acceptance_mode: row.acceptance_mode as KpiEvaluationRow['acceptance_mode'],
  self_submitted_at: row.self_submitted_at,
  manager_submitted_at: row.manager_submitted_at,
  manager_submitted_by: actorOf(row.manager_submitted_by, row.manager_submitted_by_name),
  hr_submitted_at: row.hr_submitted_at,
  hr_submitted_by: actorOf(row.hr_submitted_by, row.hr_submitted_by_name),
  responded_at: row.responded_at,
  completed_at: row.completed_at,
  stage_open_until: row.stage_open_until,
});

/** The end of the person's absence, for the person and HR. */
const awayFor = (actor: Actor, row: ListedEvaluation) =>
  row.employee_id === actor.employee_id || capacitiesOf(actor, row).has('hr') ? { absence: row.absence } : {};

const listed = (actor: Actor, row: ListedEvaluation, sight: Sight): KpiEvaluationRow => ({
  ...frame(row),
  ...awayFor(actor, row),
  ...progress(row),
  ...figures(row, sight),
  allowed_actions: allowedActions(actor, row),
});

/** Rows of a list with the fields that the actor sees. */
export const presentRow = (actor: Actor) => (row: ListedEvaluation) => listed(actor, row, sightOf(actor, row));

const texts = (row: StoredEvaluation, { self, self_given, manager, result }: Sight) => ({
  ...(self && { self_comment: self_given ? row.self_comment : null }),
  ...(manager && {
    manager_comment: row.manager_comment,
    strengths: row.strengths,
    improvements: row.improvements,
  }),
  ...(result && { hr_comment: row.hr_comment }),
});

/** Why it was sent back: to the subject, or to the reviewer, whose review is not visible to everyone then. */
const returnReason = ({ status, cancelled_from, return_reason }: StoredEvaluation, { manager }: Sight) =>
  manager || (status === 'cancelled' ? cancelled_from : status) === 'self_assessment' ? return_reason : null;

/** The exceptions from the usual workflow. */
const turns = (row: StoredEvaluation, sight: Sight) => ({
  skip_reason: row.skip_reason,
  return_reason: returnReason(row, sight),
  reopen_reason: row.reopen_reason,
  close_reason: row.close_reason,
  closed_by: actorOf(row.closed_by, row.closed_by_name),
  cancel_reason: row.cancel_reason,
  cancelled_from: row.cancelled_from,
  cancelled_at: row.cancelled_at,
  person_signs_in: row.person_signs_in,
  talked_on: row.talked_on,
  answer_recorded_by: actorOf(row.answer_recorded_by, row.answer_recorded_by_name),
  dispute_reason: row.dispute_reason,
  dispute_result: row.dispute_result as KpiEvaluation['dispute_result'],
  dispute_resolution: row.dispute_resolution,
  dispute_resolved_at: row.dispute_resolved_at,
  dispute_resolved_by: actorOf(row.dispute_resolved_by, row.dispute_resolved_by_name),
});

function extensionOf(row: StoredEvaluation, { review_time }: Sight): KpiEvaluation['extension'] {
  if (row.extension_step === 'manager_review' && !review_time) return null;
  if (row.extension_requested_at === null || row.extension_status === null) return null;
  return {
    step: row.extension_step,
    requested_at: row.extension_requested_at,
    reason: row.extension_reason ?? '',
    status: row.extension_status,
    until: row.extension_until,
    decided_at: row.extension_decided_at,
    decided_by: actorOf(row.extension_decided_by, row.extension_decided_by_name),
    note: row.extension_note,
    requests_count: row.extension_requests,
  };
}

/** The draft of the former reviewer, for those who write the review. */
function formerDraftFor(actor: Actor, row: StoredEvaluation): KpiEvaluation['former_draft'] {
  const capacities = capacitiesOf(actor, row);
  const writes = row.status === 'manager_review' && (capacities.has('reviewer') || capacities.has('on_behalf'));
  return writes ? (row.former_draft as KpiEvaluation['former_draft']) : null;
}

/** The reviewer's decision, if visible; before that, the person's proposal. */
function notApplicable(item: StoredItem, row: StoredEvaluation, { self, self_given, manager }: Sight): boolean {
  if (manager) return evaluatedItem(item, row).not_applicable;
  return self && self_given && item.self_not_applicable;
}

function achievement(item: StoredItem, row: StoredEvaluation, { self, self_given, manager, result }: Sight) {
  if (!manager && !self) return {};
  const hidden = { ...(!result && { final_actual_value: null }), ...(!manager && { manager_actual_value: null }) };
  const shown = evaluatedItem({ ...item, ...hidden }, row);
  // the person's actual value is used until the reviewer enters one
  return { achievement_pct: manager || self_given ? shown.achievement_pct : null };
}

const presentItem =
  (row: StoredEvaluation, sight: Sight) =>
  (item: StoredItem): EvaluationItem => ({
    id: item.id,
    template_item_id: item.template_item_id,
    name: item.name,
    description: item.description,
    weight: item.weight / 100,
    sort_order: item.sort_order,
    evidence_required: item.evidence_required,
    item_type: item.item_type,
    direction: item.direction,
    unit: item.unit,
    target_value: item.target_value,
    baseline_value: item.baseline_value,
    tolerance_pct: item.tolerance_pct,
    cap_pct: item.cap_pct,
    prorate: item.prorate,
    proration: prorationOf(item, row),
    evidence_count: item.evidence,
    not_applicable: notApplicable(item, row, sight),
    ...(sight.self && {
      self_score: sight.self_given ? item.self_score : null,
      self_comment: sight.self_given ? item.self_comment : null,
      self_actual_value: sight.self_given ? item.self_actual_value : null,
    }),
    ...(sight.manager && {
      manager_score: item.manager_score,
      manager_comment: item.manager_comment,
      manager_actual_value: item.manager_actual_value,
    }),
    ...achievement(item, row, sight),
    ...(sight.result && {
      final_score: item.final_score,
      final_actual_value: item.final_actual_value,
      final_note: item.final_note,
    }),
  });

type Beside = { sight: Sight; items: readonly StoredItem[] } & Pick<KpiEvaluation, 'previous' | 'whole'>;

/** One evaluation in full, with the fields that the actor sees. */
export const presentEvaluation = (
  actor: Actor,
  row: StoredEvaluation,
  { sight, items, previous, whole }: Beside,
): KpiEvaluation => ({
  ...listed(actor, row, sight),
  scale_words: row.scale_words,
  cycle_days: row.cycle_days,
  employed_days: row.employed_days,
  whole,
  ...texts(row, sight),
  ...turns(row, sight),
  extension: extensionOf(row, sight),
  window: { ...windowOf(row), is_open: row.cycle_status === 'published' && isStepOpen(row) },
  former_draft: formerDraftFor(actor, row),
  hr_comment_optional: row.hr_comment_optional,
  four_eyes: capacitiesOf(actor, row).has('hr') ? fourEyesOf(actor, row) : null,
  items: items.map(presentItem(row, sight)),
  explain: explanationsOf(row, items, sight),
  previous,
});
