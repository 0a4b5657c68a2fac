import type { ResponsibilityKind } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Acting } from '../audit.ts';
import type { WriteCtx } from '../http/context.ts';
import type { GainsChecked } from './gains.ts';
import type { Follow } from './job-write.ts';

/** Records about people in features, and what they do when people change; `app.ts` lists them. */

export type Person = { id: number; entity_id: number; name: string };

/** The ids of the responsibilities to reassign; all if none is named. */
export type Selection = Readonly<
  Record<'departments' | 'reports' | 'evaluations' | 'reviews' | 'cycles', readonly number[]>
>;

export type Reassignment = { from: Person; to: Person; gains: GainsChecked; only: Selection | undefined };

/** Records of one kind that a person is responsible for, as SQL. */
export type ListedDuty = {
  kind: ResponsibilityKind;
  from: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  name: RawBuilder<unknown>;
  detail?: RawBuilder<unknown>;
  status?: RawBuilder<unknown>;
  entity: RawBuilder<unknown>;
  /** True if the caller also sees the record itself. */
  isSeen: RawBuilder<SqlBool>;
  where: RawBuilder<SqlBool>;
};

/** A kind of responsibility that can be reassigned. */
export type Duty = {
  /** The records that the actor can reassign. */
  listed: (actor: Actor, personId: number) => ListedDuty[];
  /** Throws 403 if the successor would gain rights that the actor lacks; called before any check of state. */
  refuseGains?: (
    ctx: WriteCtx,
    taking: { from: Person; successorId: number; only: Selection | undefined },
  ) => Promise<unknown>;
  /**
   * Reassigns locked records. Returns how many. Throws 422 on `reassign_to` if the successor cannot take one of them.
   */
  reassign: (ctx: WriteCtx, reassignment: Reassignment) => Promise<number>;
};

export type Dependents = {
  /** In the order in which they are reassigned. */
  duties: readonly Duty[];
  /** Called when people's employment ends, with their rows locked. */
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

/** Rows with these ids, or all if none is named. */
export const among = (reference: string, ids: readonly number[] | undefined): RawBuilder<SqlBool> =>
  ids ? sql<SqlBool>`${sql.ref(reference)} = any(${ids}::bigint[])` : sql<SqlBool>`true`;
