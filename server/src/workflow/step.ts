import type { Endpoint, Permission, Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { isBelow, visiblePeople } from '../access/scope.ts';
import type { Acting } from '../audit.ts';
import { allColumns } from '../db/all-columns.ts';
import type { Db } from '../db/connect.ts';
import type { ReadCtx, RecordCtx, WriteCtx } from '../http/context.ts';
import { invalid, notFound } from '../http/errors.ts';
import { done } from '../http/replies.ts';
import { isDeputy } from './capacities.ts';
import type { Moved } from './history.ts';
import type { WorkflowRow } from './row.ts';
import { transition } from './transition.ts';

/** How a single step is taken: find and lock the record, check, move, record and answer. */

const permissionsOf = ({ permission }: Endpoint) => [permission].flat() as Permission[];

/** The action of an endpoint: the last part of its path; `update` or `delete` for a record, `create` for the list. */
export function actionOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  if (path.endsWith(':id')) return method === 'DELETE' ? 'delete' : 'update';
  const parts = path.split('/').slice(1);
  return parts.length === 1 ? 'create' : (parts.at(-1) as string);
}

/** A body with a reason. */
export type WithReason = { reason: string; revision?: number | undefined };

type Steps<Row extends WorkflowRow> = {
  table: 'kpi_evaluations' | 'probation_reviews';
  /** What is read of a record `v`, and from where. */
  columns: RawBuilder<Partial<Row>>;
  tables: RawBuilder<unknown>;
  inScope: (actor: Actor, permissions: Permission[]) => RawBuilder<SqlBool>;
  transitions: {
    allowStep: (actor: Actor, row: Row, action: string) => void;
    refusalOf: (status: string) => Text;
  };
  recordMoves: (
    acting: Acting,
    action: string,
    moved: (Row & Moved<Row['status']>)[],
    reason: string | null,
  ) => Promise<void>;
  /** What is locked before the record, always in the same order. */
  lockFirst?: (db: Db, action: string, id: number) => Promise<unknown>;
  /** What else changes with the state, whatever the step. */
  onStateChange?: (row: Row) => Readonly<Record<string, unknown>>;
};

export type Move<Row extends WorkflowRow> = Pick<Moved, 'snapshot' | 'changes'> & {
  action: string;
  /** The state it moves to; unchanged when absent. */
  to?: Row['status'];
  set?: Readonly<Record<string, unknown>>;
  reason?: string | null | undefined;
};

async function findForStep<Row extends WorkflowRow>(
  { table, columns, tables, inScope }: Steps<Row>,
  { db, actor, params }: RecordCtx,
  permissions: Permission[],
): Promise<Row> {
  const { rows } = await sql<Row>`
    select ${allColumns(table, 'v')}, ${columns} from ${tables} where v.id = ${params.id} and ${inScope(actor, permissions)}
    for update of v`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** How the steps of a workflow are taken. */
export function stepsOf<Row extends WorkflowRow>(workflow: Steps<Row>) {
  const { table, transitions, recordMoves, lockFirst, onStateChange } = workflow;

  /** What every step checks before the body: a visible record, which is locked, and a caller who may take the step. */
  function stepOf(endpoint: Endpoint) {
    const [permissions, action] = [permissionsOf(endpoint), actionOf(endpoint)];
    return {
      find: async (ctx: RecordCtx) => {
        await lockFirst?.(ctx.db, action, ctx.params.id);
        return findForStep(workflow, ctx, permissions);
      },
      allow: ({ actor }: RecordCtx, row: Row) => transitions.allowStep(actor, row, action),
    };
  }

  /** Moves a record in one guarded statement and writes its history. */
  async function move(ctx: WriteCtx, row: Row, step: Move<Row>): Promise<void> {
    const { action, to = row.status, set = {}, reason, snapshot, changes } = step;
    await transition(ctx.db, {
      table,
      column: 'status',
      id: row.id,
      from: [row.status],
      to,
      revision: row.revision,
      set: { ...(to !== row.status && { status_changed_at: sql`now()`, ...onStateChange?.(row) }), ...set },
      refusal: transitions.refusalOf,
    });
    const round = typeof set['round'] === 'number' ? set['round'] : row.round;
    const acting_for = isDeputy(ctx.actor, row) ? row.deputy?.acts_for : null;
    const moved = { ...row, from: row.status, to, round, snapshot, changes, acting_for };
    await recordMoves(ctx, action, [moved], reason ?? null);
  }

  return { stepOf, move };
}

/** A handler that takes a step and returns the record afterwards. */
export const stepHandlerWith =
  <Reply>(read: (ctx: ReadCtx, id: number) => Promise<Reply>) =>
  <Context extends WriteCtx, Row extends WorkflowRow, Body>(
    take: (ctx: Context, row: Row, body: Body) => Promise<void>,
    message: Text,
  ) =>
  async (ctx: Context & { body: Body }, row: Row) => {
    await take(ctx, row, ctx.body);
    return done(await read(ctx, row.id), message);
  };

/**
 * Locks the selected reviewer, who must be visible to the actor, able to review, and neither the subject nor below
 * them.
 * @param able what must be true for the person `e`
 */
export async function requireReviewer(
  { db, actor }: ReadCtx,
  { employee_id, id }: { employee_id: number; id: number },
  able: RawBuilder<SqlBool>,
): Promise<void> {
  const { rows } = await sql<{ is_below: boolean }>`
    select ${isBelow(sql`e.id`, sql`${employee_id}::bigint`)} as is_below from employees e
    where e.id = ${id} and e.id <> ${employee_id} and ${able} and ${visiblePeople(actor)}
    for share of e`.execute(db);
  const [chosen] = rows;
  if (!chosen) throw invalid('reviewer_id', messages.unavailable);
  if (chosen.is_below) throw invalid('reviewer_id', text('reviews.reviewer_is_below'));
}
