import * as z from 'zod';
import { endpoint, forPeople } from './endpoint.ts';
import { allowedActions, instant, item, page } from './envelope.ts';
import { boolean, date, id, integer, oneOf, reason, text } from './fields.ts';
import { evaluationStatuses, kpiEvaluations } from './kpi-evaluations.ts';
import { filters, listQuery } from './lists.ts';
import { spoken } from './spoken.ts';

/** The most evaluations of one change. */
export const maxBulkEvaluations = 5_000;
/** The most that a request changes itself, and that its answer names; a job changes more, so many at a time. */
export const bulkEvaluationsAtOnce = 500;
/** Each is called as its single step is; `remind` has none. */
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
  /** The employee; null for an evaluation the caller cannot act on, whether there is one or not. */
  label: z.string().max(300).nullable(),
  employee_number: z.string().max(20).nullable(),
  cycle: z.string().max(150).nullable(),
  status: z.enum(evaluationStatuses).nullable(),
  /** The revision that holds now: send it back with the real run. */
  revision: z.int().nullable(),
  outcome: z.enum(evaluationBulkOutcomes),
  /** Why it is refused. */
  reason: spoken().nullable(),
});
export type EvaluationBulkRow = z.output<typeof EvaluationBulkRow>;

/** How many are refused for one reason; the most frequent reason comes first. */
const Reasons = z.array(z.object({ reason: spoken(), count: z.int() })).max(100);
const kind = z.enum(evaluationBulkKinds);

/** One run: how far it is, and what came of it. It is kept for thirty days. */
export const EvaluationBulk = z.object({
  id: z.int(),
  kind,
  /** `stopped`: the caller lost the right, or the job failed for good. What was changed before stays. */
  status: z.enum(evaluationBulkStatuses),
  stop_reason: spoken().nullable(),
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
      /** Writes nothing and answers what the real run would. */
      dry_run: boolean().optional(),
      ids: many().nullish(),
      /** All evaluations of a list. */
      filter: z.strictObject(filterFields).nullish(),
      except_ids: many().nullish(),
      /** As the dry run gave them: an evaluation with another one by now is refused. */
      revisions: z.array(Revision).max(maxBulkEvaluations).nullish(),
      /** `hr-review`: the comment for evaluations that have none of their own. The flag is the saved or suggested one. */
      hr_comment: text(5_000).nullish(),
      /** `extend`: the new due day of the present step. */
      until: date().nullish(),
      /** `reviewer`: this person, or the present manager of each employee. */
      reviewer_id: id().nullish(),
      to_manager: boolean().optional(),
      /** Asked for by `deem-accepted` and `cancel`; kept with `extend` and `reviewer`. */
      reason: reason().nullish(),
    }),
    reply: item(
      z.object({
        kind,
        dry_run: z.boolean(),
        /** The run that a job goes on with, or that is done; null for a dry run. */
        bulk: EvaluationBulk.nullable(),
        counts: z.object({ total: z.int(), changed: z.int(), refused: z.int() }),
        reasons: Reasons,
        /** The refused ones first where there are more than an answer names; none where a job changes them. */
        rows: z.array(EvaluationBulkRow).max(bulkEvaluationsAtOnce),
        /** Of a dry run: those that would change, each with the revision that holds now. */
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
