import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { day, item, page, PersonRef, Ref } from './envelope.ts';
import { boolean, id, oneOf, reason, revision } from './fields.ts';
import { evaluationStatuses } from './kpi-evaluations.ts';
import { EvaluationPart } from './evaluation-parts.ts';
import { listQuery } from './lists.ts';
import { messageField } from './message-field.ts';

/**
 * What happens to the evaluation of a person who moved: it stays; an evaluation of the new department replaces it; or
 * it ends on the day before the move, and an evaluation of the new department begins on that day.
 */
export const moveDecisions = ['stay', 'switch', 'split'] as const;
export type MoveDecision = (typeof moveDecisions)[number];

/** A person who moved to another department during the evaluation, and what a switch would do. */
export const CycleMove = z.object({
  evaluation_id: z.int(),
  revision: z.int(),
  employee: PersonRef,
  status: z.enum(evaluationStatuses),
  /** Something was entered: a score, a comment or evidence. A switch cancels it, but it stays readable. */
  has_begun: z.boolean(),
  from_department: Ref,
  to_department: Ref,
  /** The company of the new department. */
  entity_id: z.int(),
  /** The first day in the new department; null if the record does not tell. */
  moved_on: day.nullable(),
  template: Ref,
  reviewer: PersonRef.nullable(),
  /** Template and reviewer after a switch, or for the second part. */
  new_template: Ref.nullable(),
  new_reviewer: PersonRef.nullable(),
  /** Why a switch is not possible; null if it is. */
  refusal: messageField().nullable(),
  /** Both parts after a split, with the days that weigh their results; null if a split is not possible. */
  parts: z.array(EvaluationPart).length(2).nullable(),
  /** Why a split is not possible; null if it is. */
  split_refusal: messageField().nullable(),
});
export type CycleMove = z.output<typeof CycleMove>;

const path = '/kpi-cycles/:id/moves';
const common = { path, permission: 'kpi-cycle.publish', scope: 'scoped', status: 200 } as const;

export const kpiCycleMoves = {
  list: endpoint({
    ...common,
    method: 'GET',
    summary: 'List people who moved to another department while their evaluation is open',
    query: listQuery(['employee_name'], {}),
    reply: page(CycleMove),
  }),
  decide: endpoint({
    ...common,
    method: 'POST',
    summary: 'Let the evaluation of a person who moved stay, replace it or split it, or say what would happen',
    body: z.object({
      evaluation_id: id(),
      decision: oneOf(moveDecisions),
      reason: reason(),
      /** For a switch or split, replaces the template of the new department. */
      template_id: id().nullish(),
      /** Also switches or splits without a reviewer; HR assigns one later. */
      allow_missing_reviewer: boolean().optional(),
      /** Writes nothing, and returns what the real run would. */
      dry_run: boolean().optional(),
      ...revision,
    }),
    reply: item(
      z.object({
        dry_run: z.boolean(),
        decision: z.enum(moveDecisions),
        move: CycleMove,
        /** The evaluation that counts from the move on; null in a dry run of a switch or split. */
        evaluation_id: z.int().nullable(),
      }),
    ),
  }),
};
