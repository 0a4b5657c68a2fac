import type { ResponsibilityKind } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Acting } from '../audit.ts';
import type { WriteCtx } from '../http/context.ts';
import type { Judged } from './gains.ts';
import type { Follow } from './job-write.ts';

/** What features above this room keep about people and what becomes of it when people change; `app.ts` names it all. */

export type Person = { id: number; entity_id: number; name: string };

/** Which of somebody's responsibilities go to another person, by their ids; all of them where none is named. */
export type Selection = Readonly<
  Record<'departments' | 'reports' | 'evaluations' | 'reviews' | 'cycles', readonly number[]>
>;

export type Reassignment = { from: Person; to: Person; gains: Judged; only: Selection | undefined };

/** Records of one kind that a person is responsible for, as SQL. */
export type ListedDuty = {
  kind: ResponsibilityKind;
  from: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  name: RawBuilder<unknown>;
  detail?: RawBuilder<unknown>;
  status?: RawBuilder<unknown>;
  entity: RawBuilder<unknown>;
  /** Whether the caller sees the record itself, beside being allowed to reassign it. */
  isSeen: RawBuilder<SqlBool>;
  where: RawBuilder<SqlBool>;
};

/** Something that people are responsible for and that another person can take over. */
export type Duty = {
  /** As far as the actor may reassign it. */
  listed: (actor: Actor, personId: number) => ListedDuty[];
  /** @throws 403 when whoever takes over would gain what the actor does not reach; before any look at state */
  refuseGains?: (
    ctx: WriteCtx,
    taking: { from: Person; takerId: number; only: Selection | undefined },
  ) => Promise<unknown>;
  /**
   * Called with the records held.
   * @returns how many went over
   * @throws 422 on `reassign_to` when that person may not take one of it
   */
  reassign: (ctx: WriteCtx, reassignment: Reassignment) => Promise<number>;
};

export type Dependents = {
  /** In the order in which they are reassigned. */
  duties: readonly Duty[];
  /** Called with the people held, when their employment ends. */
  cancelReviews: (acting: Acting, employeeIds: readonly number[]) => Promise<unknown>;
  cancelEvaluations: (acting: Acting, employeeId: number) => Promise<unknown>;
  /** What goes with people to another company. */
  follow: Follow;
};

/** What a change of people needs of a request. */
export type PeopleCtx = WriteCtx & { dependents: Dependents };

/** Rows of these ids, or all where none is named. */
export const among = (reference: string, ids: readonly number[] | undefined): RawBuilder<SqlBool> =>
  ids ? sql<SqlBool>`${sql.ref(reference)} = any(${ids}::bigint[])` : sql<SqlBool>`true`;
