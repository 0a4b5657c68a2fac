import * as z from 'zod';
import { endpoint, forPeople } from './endpoint.ts';
import { allowedActions, instant, item, page } from './envelope.ts';
import { boolean, date, id, integer, oneOf, reason, text } from './fields.ts';
import { evaluationStatuses, kpiEvaluations } from './kpi-evaluations.ts';
import { filters, listQuery } from './lists.ts';
import { messageField } from './message-field.ts';

/** The most evaluations in one change. */
export const maxBulkEvaluations = 5_000;
/** The most that a request changes itself, and that its answer lists; a job changes more, in batches of this size. */
export const bulkEvaluationsAtOnce = 500;
/** Each has the name of its single step; `remind` has none. */
export const evaluationBulkKinds = [
  'hr-review',
  'close',
  'remind',
  'extend',
  'reviewer',
  'deem-accepted',
  'cancel',
] as const;
export const evaluationBulkStatuses = ['processing', 'completed', 'cancelled', 'stopped'] as const;
export const evaluationBulkOutcomes = ['changed', 'refused'] as const;

export const EvaluationBulkRow = z.object({
  id: z.int(),
  /** The employee; null for an evaluation that the caller cannot act on, whether it exists or not. */
  label: z.string().max(300).nullable(),
  employee_number: z.string().max(20).nullable(),
  cycle: z.string().max(150).nullable(),
  status: z.enum(evaluationStatuses).nullable(),
  /** The current revision, to be sent with the real run. */
  revision: z.int().nullable(),
  outcome: z.enum(evaluationBulkOutcomes),
  /** Why it is refused. */
  reason: messageField().nullable(),
});
export type EvaluationBulkRow = z.output<typeof EvaluationBulkRow>;

/** How many are refused for the same reason; most frequent reason first. */
const Reasons = z.array(z.object({ reason: messageField(), count: z.int() })).max(100);
const kind = z.enum(evaluationBulkKinds);

/** One run: its progress and its outcome. It is kept for thirty days. */
export const EvaluationBulk = z.object({
  id: z.int(),
  kind,
  /** `stopped`: the caller lost the right, or the job failed permanently. Earlier changes stay. */
  status: z.enum(evaluationBulkStatuses),
  stop_reason: messageField().nullable(),
  counts: z.object({ total: z.int(), changed: z.int(), refused: z.int(), open: z.int() }),
  reasons: Reasons,
  created_at: instant,
  finished_at: instant.nullable(),
  allowed_actions: allowedActions,
});
export type EvaluationBulk = z.output<typeof EvaluationBulk>;

const { page: _page, per_page, sort_by, sort_direction, ...filterFields } = kpiEvaluations.list.query.shape;
const many = () => z.array(id()).min(1).max(maxBulkEvaluations);
const Revision = z.object({ id: id(), revision: integer(1) });

const permission = [
  'kpi-evaluation.hr-review',
  'kpi-evaluation.assign-reviewer',
  'kpi-evaluation.force-close',
] as const;
const own = { permission, scope: 'own', status: 200 } as const;
const path = '/kpi-evaluation-bulks/:id';

export const evaluationBulk = forPeople({
  change: endpoint({
    method: 'POST',
    path: '/kpi-evaluations/bulk',
    summary: 'Take a step with many evaluations, or say what would happen',
    permission,
    scope: 'relationship',
    body: z.object({
      kind: oneOf(evaluationBulkKinds),
      /** Writes nothing, and returns what the real run would. */
      dry_run: boolean().optional(),
      ids: many().nullish(),
      /** All evaluations in a list. */
      filter: z.strictObject(filterFields).nullish(),
      except_ids: many().nullish(),
      /** As returned by the dry run: an evaluation whose revision has changed is refused. */
      revisions: z.array(Revision).max(maxBulkEvaluations).nullish(),
      /** `hr-review`: the comment for evaluations without their own. The flag is the saved or suggested one. */
      hr_comment: text(5_000).nullish(),
      /** `extend`: the new due date of the current step. */
      until: date().nullish(),
      /** `reviewer`: this person, or the current manager of each employee. */
      reviewer_id: id().nullish(),
      to_manager: boolean().optional(),
      /** Required by `deem-accepted` and `cancel`; stored with `extend` and `reviewer`. */
      reason: reason().nullish(),
    }),
    reply: item(
      z.object({
        kind,
        dry_run: z.boolean(),
        /** The run that a job continues, or that is complete; null for a dry run. */
        bulk: EvaluationBulk.nullable(),
        counts: z.object({ total: z.int(), changed: z.int(), refused: z.int() }),
        reasons: Reasons,
        /** Refused ones first if there are more than an answer lists; empty if a job changes them. */
        rows: z.array(EvaluationBulkRow).max(bulkEvaluationsAtOnce),
        /** For a dry run: those that would change, each with its current revision. */
        revisions: z.array(z.object({ id: z.int(), revision: z.int() })).max(maxBulkEvaluations),
      }),
    ),
    status: 200,
  }),
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/kpi-evaluation-bulks',
    summary: 'List the own changes of many evaluations, the last first',
    query: listQuery(['created_at'], { status: filters.oneOf(evaluationBulkStatuses) }),
    reply: page(EvaluationBulk),
  }),
  get: endpoint({
    ...own,
    method: 'GET',
    path,
    summary: 'Read how far an own change of many evaluations is',
    reply: item(EvaluationBulk),
  }),
  rows: endpoint({
    ...own,
    method: 'GET',
    path: `${path}/rows`,
    summary: 'List what became of each evaluation of an own change',
    query: listQuery(['id'], { outcome: filters.oneOf(evaluationBulkOutcomes) }),
    reply: page(
      EvaluationBulkRow.omit({ outcome: true }).extend({ outcome: z.enum(evaluationBulkOutcomes).nullable() }),
    ),
  }),
  cancel: endpoint({
    ...own,
    method: 'POST',
    path: `${path}/cancel`,
    summary: 'Stop an own change of many evaluations; what is changed stays',
    reply: item(EvaluationBulk),
  }),
});
