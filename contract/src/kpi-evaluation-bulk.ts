import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { boolean, id, integer, oneOf, text } from './fields.ts';
import { evaluationStatuses } from './kpi-evaluations.ts';
import { spoken } from './spoken.ts';

/** The most evaluations one request changes. */
export const maxBulkEvaluations = 500;
export const evaluationBulkKinds = ['hr-review', 'close', 'remind'] as const;

export const EvaluationBulkRow = z.object({
  id: z.int(),
  /** The employee; null for an evaluation the caller cannot act on, whether there is one or not. */
  label: z.string().max(300).nullable(),
  cycle: z.string().max(150).nullable(),
  status: z.enum(evaluationStatuses).nullable(),
  /** The revision that holds now: send it back with the real run. */
  revision: z.int().nullable(),
  outcome: z.enum(['changed', 'refused']),
  /** Why it is refused. */
  reason: spoken().nullable(),
});
export type EvaluationBulkRow = z.output<typeof EvaluationBulkRow>;

const ids = z.array(id()).min(1).max(maxBulkEvaluations);

export const evaluationBulk = {
  change: endpoint({
    method: 'POST',
    path: '/kpi-evaluations/bulk',
    summary: 'Release, complete or remind of many evaluations, or say what would happen',
    permission: 'kpi-evaluation.hr-review',
    scope: 'relationship',
    body: z.object({
      kind: oneOf(evaluationBulkKinds),
      /** Writes nothing and answers what the real run would. */
      dry_run: boolean().optional(),
      ids,
      revisions: z
        .array(z.object({ id: id(), revision: integer(1) }))
        .max(maxBulkEvaluations)
        .nullish(),
      /** `hr-review`: the comment for evaluations that have none of their own. The flag is the saved or suggested one. */
      hr_comment: text(5_000).nullish(),
    }),
    reply: item(
      z.object({
        kind: z.enum(evaluationBulkKinds),
        dry_run: z.boolean(),
        counts: z.object({ total: z.int(), changed: z.int(), refused: z.int() }),
        rows: z.array(EvaluationBulkRow),
      }),
    ),
    status: 200,
  }),
};
