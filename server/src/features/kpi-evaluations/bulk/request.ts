import { maxBulkEvaluations, messages, text } from '@tenure/contract';
import type { BodyOut, evaluationBulk, Permission, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../../access/actor.ts';
import type { Actor, Rights } from '../../../access/actor.ts';
import { evaluationsIn } from '../../../access/evaluation-scope.ts';
import { visiblePeople } from '../../../access/scope.ts';
import type { Db } from '../../../db/connect.ts';
import type { ReadCtx } from '../../../http/context.ts';
import { forbidden, invalid, invalidFields, say } from '../../../http/errors.ts';
import type { FieldErrors } from '../../../http/errors.ts';
import { mayReviewEvaluations } from '../../../people/reviewers.ts';
import { evaluationsMatching } from '../filters.ts';
import type { ListQuery } from '../filters.ts';

export type BulkBody = BodyOut<typeof evaluationBulk.change>;
export type BulkKind = BulkBody['kind'];

/** The input of a kind besides the evaluations, as stored for the job. */
export type BulkRequest = {
  kind: BulkKind;
  hr_comment: string | null;
  until: string | null;
  reviewer_id: number | null;
  to_manager: boolean;
  reason: string | null;
};

export const requestOf = ({
  kind,
  hr_comment = null,
  until = null,
  reviewer_id = null,
  to_manager = false,
  reason = null,
}: BulkBody): BulkRequest => ({ kind, hr_comment, until, reviewer_id, to_manager, reason });

/** The permission of the single step of each kind. */
export const bulkPermissions = {
  'hr-review': 'kpi-evaluation.hr-review',
  close: 'kpi-evaluation.hr-review',
  remind: 'kpi-evaluation.hr-review',
  extend: 'kpi-evaluation.hr-review',
  reviewer: 'kpi-evaluation.assign-reviewer',
  'deem-accepted': 'kpi-evaluation.hr-review',
  cancel: 'kpi-evaluation.force-close',
} as const satisfies Record<BulkKind, Permission>;

/** True when the user can take a bulk step at all; each evaluation is checked separately. */
export const mayChange = (rights: Rights, kind: BulkKind): boolean =>
  holds(rights, bulkPermissions[kind]) && (kind !== 'remind' || holds(rights, 'kpi-cycle.update'));

function gapsOf({ kind, ids, filter, except_ids, until, reviewer_id, to_manager, reason }: BulkBody): FieldErrors {
  const errors: FieldErrors = {};
  const refuse = (field: keyof BulkBody, message: Text) => (errors[field] = [say(field, message)]);
  if (!ids && !filter) refuse('ids', messages.required);
  if (ids && filter) refuse('filter', messages.prohibited);
  if (except_ids && !filter) refuse('except_ids', messages.prohibited);
  if (kind === 'extend' && !until) refuse('until', messages.required);
  if (kind === 'reviewer' && !reviewer_id && !to_manager) refuse('reviewer_id', messages.required);
  if (reviewer_id && to_manager) refuse('reviewer_id', messages.prohibited);
  if ((kind === 'deem-accepted' || kind === 'cancel') && !reason) refuse('reason', messages.required);
  return errors;
}

/** The chosen reviewer is visible to the actor and can review. */
async function checkReviewer({ db, actor }: ReadCtx, { kind, reviewer_id }: BulkBody): Promise<void> {
  if (kind !== 'reviewer' || !reviewer_id) return;
  const { rows } = await sql`
    select from employees e where e.id = ${reviewer_id} and ${mayReviewEvaluations} and ${visiblePeople(actor)}`.execute(
    db,
  );
  if (rows.length === 0) throw invalid('reviewer_id', messages.unavailable);
}

/** Refuses steps that the user may not take, and requests without the fields of their kind. */
export async function checkBody(ctx: ReadCtx, body: BulkBody): Promise<void> {
  if (!mayChange(ctx.actor, body.kind)) throw forbidden();
  const errors = gapsOf(body);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  await checkReviewer(ctx, body);
}

async function idsOfList(db: Db, actor: Actor, body: BulkBody, filter: ListQuery): Promise<number[]> {
  const { asked } = await evaluationsMatching(db, actor, filter);
  const { rows } = await sql<{ id: number }>`
    select v.id from kpi_evaluations v
    where ${asked} and ${evaluationsIn(actor, bulkPermissions[body.kind])}
      and v.id <> all(${body.except_ids ?? []}::bigint[])
    order by v.person_sort, v.id limit ${maxBulkEvaluations + 1}`.execute(db);
  if (rows.length > maxBulkEvaluations)
    throw invalid('filter', text('evaluations.filter_too_wide', { most: maxBulkEvaluations }));
  return rows.map(({ id }) => id);
}

/** The evaluations of a request: the named ones in their order, or those of a list in the scope of the step. */
export async function selectedIds({ db, actor }: ReadCtx, body: BulkBody): Promise<number[]> {
  if (body.filter) return idsOfList(db, actor, body, body.filter);
  return [...new Set(body.ids)];
}
