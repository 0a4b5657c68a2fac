import type { Endpoint, Permission, ProbationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import type { ProbationReviews } from '../../db/schema.ts';
import { conflict, forbidden, notFound } from '../../http/errors.ts';
import { checkRevision, transition } from '../../workflow/transition.ts';
import { judge, refusalOf } from './transitions.ts';
import type { Rule } from './transitions.ts';
import { reviewsIn } from '../../access/review-scope.ts';
import { judgedColumns, judgedTables, capacitiesOf } from './capacities.ts';
import type { JudgedReview, Capacity } from './capacities.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import type { ServiceCtx } from '../../http/context.ts';

/** How one step of one review is taken: found and locked, judged, moved, recorded. */
export type Doing = ServiceCtx;

/** A review as stored, with what the rules need of its person. */
export type ReviewRecord = Omit<Selectable<ProbationReviews>, keyof JudgedReview> & JudgedReview;

const permissionsOf = ({ permission }: Endpoint) => [permission].flat() as Permission[];

/** The action of an endpoint: the last part of its path; `update` or `delete` for the review itself. */
export function actionOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  if (path.endsWith(':id')) return method === 'DELETE' ? 'delete' : 'update';
  return path.endsWith('probation-reviews') ? 'create' : (path.split('/').at(-1) as string);
}

/** Steps that change the person's record too: it is held before the review, as everybody does who changes people. */
const changesPerson = new Set(['approve', 'revert']);

const holdPersonOf = (db: Db, id: number) =>
  sql`select from employees where id = (select employee_id from probation_reviews where id = ${id}) for update`.execute(
    db,
  );

type Visiting = { db: Db; actor: Actor; params: { id: number } };

/** Finds the review of a path in the caller's scope and holds it until the end of the request. */
async function findForStep({ db, actor, params }: Visiting, permissions: Permission[]): Promise<ReviewRecord> {
  const { rows } = await sql<ReviewRecord>`
    select v.*, ${judgedColumns} from ${judgedTables} where v.id = ${params.id} and ${reviewsIn(actor, permissions)}
    for update of v`.execute(db);
  return rows[0] ?? Promise.reject(notFound());
}

/** What every step asks before the body: a visible review, and a caller whom this step is for. */
export function stepOf(endpoint: Endpoint) {
  const [permissions, action] = [permissionsOf(endpoint), actionOf(endpoint)];
  return {
    find: async (ctx: Visiting) => {
      if (changesPerson.has(action)) await holdPersonOf(ctx.db, ctx.params.id);
      return findForStep(ctx, permissions);
    },
    allow: ({ actor }: Visiting, row: ReviewRecord) => {
      if (judge(action, row, capacitiesOf(actor, row)) === 'forbidden') throw forbidden();
    },
  };
}

/** The rule by which the actor goes on and how the actor stands; 422 when state, guard or revision are against it. */
export function requireStep(
  actor: Actor,
  row: ReviewRecord,
  action: string,
  sent: { revision?: number | undefined },
): { rule: Rule; capacity: Capacity } {
  const verdict = judge(action, row, capacitiesOf(actor, row));
  if (verdict === 'forbidden') throw forbidden();
  checkRevision(row, sent, row.status);
  if ('refusal' in verdict) throw conflict(verdict.refusal, row);
  return verdict;
}

export type Move = Pick<Moved, 'snapshot' | 'changes'> & {
  action: string;
  /** The state it comes to; the present one when absent. */
  to?: ProbationStatus;
  set?: Readonly<Record<string, unknown>>;
  reason?: string | null | undefined;
};

/** Moves a review in one guarded statement and writes its history. */
export async function move(doing: Doing, row: ReviewRecord, step: Move): Promise<void> {
  const { action, to = row.status, set = {}, reason, snapshot, changes } = step;
  await transition(doing.db, {
    table: 'probation_reviews',
    column: 'status',
    id: row.id,
    from: [row.status],
    to,
    revision: row.revision,
    set: { ...(to !== row.status && { status_changed_at: sql`now()` }), ...set },
    refusal: refusalOf,
  });
  const round = typeof set['round'] === 'number' ? set['round'] : row.round;
  await recordMoves(doing, action, [{ ...row, from: row.status, to, round, snapshot, changes }], reason ?? null);
}
