import type { ActionableKind, EvaluationStatus, Permission } from '@tenure/contract';
import type { RawBuilder, SqlBool } from 'kysely';
import type { DeputyTask } from '../../access/absences.ts';
import type { Actor } from '../../access/actor.ts';
import type { SubjectColumns } from './pool.ts';

type Sql = RawBuilder<unknown>;

/** The assignee: one person, or a pool of HR users who hold the permission where the subject belongs. */
type Assignee =
  | { person: Sql }
  | {
      pool: Permission;
      /** The assigned person; without one, the task belongs to the pool. */
      person?: Sql;
      /** Rows reserved for administrators. */
      by_admins?: RawBuilder<SqlBool>;
      /** Queried company by company, sorted by day. */
      by_company?: true;
    }
  /** Each actor for whom `of` is true; `inPool` is true for a company that the pool covers. */
  | { pool: Permission; of: (actor: Actor, inPool: (entity: Sql) => RawBuilder<SqlBool>) => RawBuilder<SqlBool> };

/** A kind of task: rows of a state, their assignee, and their start and due days. */
export type Kind = {
  kind: ActionableKind;
  subject:
    | 'kpi_evaluation'
    | 'kpi_cycle'
    | 'probation_review'
    | 'employee'
    | 'job_history'
    | 'identity_provider'
    | 'service_account'
    | 'token'
    | 'recovery_codes'
    | 'emergency_account'
    | 'webhook'
    | 'chat_target';
  from: Sql;
  while: RawBuilder<SqlBool>;
  /** Set where `while` is only this status of an evaluation: stored counts then give the number. */
  status?: EvaluationStatus;
  /** A further condition that depends on what the actor may know. */
  while_for?: (actor: Actor) => RawBuilder<SqlBool>;
  /** A further condition for the assigned person only: their deadline does not bind a deputy. */
  while_own?: RawBuilder<SqlBool>;
  subject_id: Sql;
  columns: SubjectColumns;
  assignee: Assignee;
  /** The type of deputy task, for kinds that a deputy does while the assigned reviewer is absent. */
  deputy?: DeputyTask;
  /** Conditions that exclude actors who took part before. */
  not_by?: (actor: Actor) => RawBuilder<SqlBool>[];
  due: Sql;
  /** The start of the task. */
  since: Sql;
  /** True when a folded word occurs in the name of the subject. */
  isNamed: (word: string) => RawBuilder<SqlBool>;
  /** The order by urgency within a company, as in an index: an earlier day is never less urgent. */
  in_order?: Sql;
  /** The page for the task, where it is not the page of the subject itself. */
  page?: 'offboarding' | 'moves' | 'eligible' | 'absences';
  /** The assignee's actions, if state and rights allow them. */
  actions: readonly string[];
};
