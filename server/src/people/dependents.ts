import type { ResponsibilityKind } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Acting } from '../audit.ts';
import type { WriteCtx } from '../http/context.ts';
import type { Judged } from './gains.ts';
import type { Follow } from './job-write.ts';

/** Records of features about people, and their behaviour when people change; `app.ts` lists them. */

export type Person = { id: number; entity_id: number; name: string };

/** The responsibilities to reassign, by their ids; all of them where none is named. */
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
  /** True when the caller also sees the record itself. */
  isSeen: RawBuilder<SqlBool>;
  where: RawBuilder<SqlBool>;
};

/** A kind of responsibility of people that can be reassigned. */
export type Duty = {
  /** The records the actor can reassign. */
  listed: (actor: Actor, personId: number) => ListedDuty[];
  /** Throws 403 when the successor would gain rights the actor lacks; before any check of state. */
  refuseGains?: (
    ctx: WriteCtx,
    taking: { from: Person; successorId: number; only: Selection | undefined },
  ) => Promise<unknown>;
  /**
   * Reassigns locked records. Returns how many. Throws 422 on `reassign_to` when the successor cannot take one of them.
   */
  reassign: (ctx: WriteCtx, reassignment: Reassignment) => Promise<number>;
};

export type Dependents = {
  /** In the order in which they are reassigned. */
  duties: readonly Duty[];
  /** Called with the people locked when their employment ends. */
  cancelReviews: (
    acting: Acting,
    employeeIds: readonly number[],
    why?: 'reasons.employment_ends' | 'reasons.probation_decided',
  ) => Promise<unknown>;
  cancelEvaluations: (acting: Acting, employeeId: number) => Promise<unknown>;
  /** Called when a probation resumes, with the days of the pause and the new end. */
  moveReviews: (
    acting: Acting,
    employeeId: number,
    days: { from: string; back: string; until: string },
  ) => Promise<unknown>;
  /** What follows people to another company. */
  follow: Follow;
};

/** The context of a request that changes people. */
export type PeopleCtx = WriteCtx & { dependents: Dependents };

/** Rows of these ids, or all where none is named. */
export const among = (reference: string, ids: readonly number[] | undefined): RawBuilder<SqlBool> =>
  ids ? sql<SqlBool>`${sql.ref(reference)} = any(${ids}::bigint[])` : sql<SqlBool>`true`;
