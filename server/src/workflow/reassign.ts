import type { Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { isBelow } from '../access/scope.ts';
import type { Acting } from '../audit.ts';
import type { NotifyContext } from '../notifications/notify.ts';
import type { WriteCtx } from '../http/context.ts';
import { invalid } from '../http/errors.ts';
import { ownReason } from '../languages/answer.ts';
import type { Moved } from './history.ts';
import { markReviewersMissing } from './missing-reviewers.ts';

/** Why a person cannot take over another person's responsibilities. */
export const cannotTakeOver = (message: Text) => invalid('reassign_to', message);

/** The current and the new reviewer, and the ids of the records; all if none is named. */
type Reassignment = { from: number; to: number; only?: readonly number[] | undefined };

type Reassigned<One extends Moved> = {
  table: 'kpi_evaluations' | 'probation_reviews';
  /** Open records `v` of the person `p` that the actor may know about. */
  isOpen: (actor: Actor) => RawBuilder<SqlBool>;
  /** Those of other people that the actor may reassign. */
  inScope: (actor: Actor) => RawBuilder<SqlBool>;
  /** The reviewer has not submitted it. */
  isUnsent: RawBuilder<SqlBool>;
  /** The fields of its history besides person and place. */
  columns: RawBuilder<Omit<One, keyof Moved>>;
  /** The person `e` may review. */
  isAble: RawBuilder<SqlBool>;
  refusals: Readonly<Record<'outOfScope' | 'ownRecord' | 'unable' | 'below', Text>>;
  /** The columns of an unsubmitted draft, with their values for the next reviewer. */
  noDraft: Readonly<Record<string, RawBuilder<unknown> | null>>;
  /** Erases everything else that belongs to such a draft. */
  eraseDrafts: (ctx: WriteCtx, ids: readonly number[]) => Promise<void>;
  recordMoves: (acting: Acting, action: string, moved: readonly One[], reason: string) => Promise<void>;
  notifyReviewerChanged: (acting: NotifyContext, changes: { id: number; former_id: number }[]) => Promise<void>;
};

type Open<One extends Moved> = One & { is_unsent: boolean; in_scope: boolean };

/** The open records, locked until the end of the transaction. */
async function openOf<One extends Moved>(
  { table, isOpen, inScope, isUnsent, columns }: Reassigned<One>,
  { db, actor }: WriteCtx,
  { from, only }: Reassignment,
): Promise<Open<One>[]> {
  const { rows } = await sql<Open<One>>`
    select v.id, v.employee_id, v.entity_id, v.status as "from", v.status as "to", v.round,
           p.name as person_name, ${columns}, ${isUnsent} as is_unsent, ${inScope(actor)} as in_scope
    from ${sql.table(table)} v join employees p on p.id = v.employee_id
    where v.reviewer_id = ${from} and ${isOpen(actor)}
      and (${only ?? null}::bigint[] is null or v.id = any(${only ?? null}::bigint[]))
    order by v.id for update of v`.execute(db);
  return rows;
}

async function refusalFor<One extends Moved>(
  { refusals, isAble }: Reassigned<One>,
  { db }: WriteCtx,
  open: readonly Open<One>[],
  to: number,
): Promise<Text | undefined> {
  if (open.some(({ in_scope }) => !in_scope)) return refusals.outOfScope;
  if (open.some(({ employee_id }) => employee_id === to)) return refusals.ownRecord;
  const people = open.map(({ employee_id }) => employee_id);
  const { rows } = await sql<{ is_below: boolean }>`
    select exists (select from unnest(${people}::bigint[]) as p (id) where ${isBelow(sql`e.id`, sql`p.id`)}) as is_below
    from employees e where e.id = ${to} and ${isAble}`.execute(db);
  const [successor] = rows;
  if (!successor) return refusals.unable;
  return successor.is_below ? refusals.below : undefined;
}

/** Writes the new reviewer and erases the previous reviewer's drafts. */
async function changeReviewer<One extends Moved>(
  { table, noDraft, eraseDrafts }: Reassigned<One>,
  ctx: WriteCtx,
  open: readonly Open<One>[],
  to: number,
): Promise<void> {
  const change = (which: readonly Open<One>[], set: RawBuilder<unknown>) =>
    sql`update ${sql.table(table)} set ${set} where id = any(${which.map(({ id }) => id)}::bigint[])`.execute(ctx.db);
  const unsent = open.filter(({ is_unsent }) => is_unsent);
  const emptied = Object.entries(noDraft).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  // a draft is stored with the previous reviewer's name
  await change(unsent, sql.join(emptied));
  await change(open, sql`reviewer_id = ${to}, reviewer_missing_since = null`);
  await markReviewersMissing(
    ctx.db,
    table,
    open.map(({ id }) => id),
  );
  await eraseDrafts(
    ctx,
    unsent.map(({ id }) => id),
  );
}

/**
 * Reassigns the open records of one reviewer to another person, each with its history, and notifies both. Erases what
 * the previous reviewer had not submitted; what was submitted stays.
 */
export const reassigning =
  <One extends Moved>(workflow: Reassigned<One>) =>
  /**
   * @returns how many
   * @throws 422 on `reassign_to` if the other person cannot take over one of them
   */
  async (ctx: WriteCtx, reassignment: Reassignment): Promise<number> => {
    const { from, to } = reassignment;
    const open = await openOf(workflow, ctx, reassignment);
    if (open.length === 0) return 0;
    const refusal = await refusalFor(workflow, ctx, open, to);
    if (refusal !== undefined) throw cannotTakeOver(refusal);
    await changeReviewer(workflow, ctx, open, to);
    const moved = open.map((row) => ({ ...row, changes: { reviewer_id: { from, to } } }));
    await workflow.recordMoves(ctx, 'reviewer', moved, ownReason('reasons.handed_over'));
    await workflow.notifyReviewerChanged(
      ctx,
      open.map(({ id }) => ({ id, former_id: from })),
    );
    return open.length;
  };
