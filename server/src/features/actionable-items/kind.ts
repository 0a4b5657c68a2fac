import type { ActionableKind, EvaluationStatus, Permission } from '@tenure/contract';
import type { RawBuilder, SqlBool } from 'kysely';
import type { DeputyTask } from '../../access/absences.ts';
import type { Actor } from '../../access/actor.ts';
import type { SubjectColumns } from './pool.ts';

type Sql = RawBuilder<unknown>;

/** The assignee: one person, or HR as the holders of the permission for the place of the subject. */
type Assignee =
  | { person: Sql }
  | {
      pool: Permission;
      /** The person instead of whom the pool takes over when there is none. */
      person?: Sql;
      /** Rows reserved for administrators. */
      by_admins?: RawBuilder<SqlBool>;
      /** Queried company by company in the order of the days. */
      by_company?: true;
    }
  /** A task of each actor who decides about people in the subject, of whom the pool covers some companies. */
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
  /** The status of an evaluation where `while` is that alone: stored counts give the number. */
  status?: EvaluationStatus;
  /** A further condition that depends on what the actor may know. */
  while_for?: (actor: Actor) => RawBuilder<SqlBool>;
  /** A further condition of the person assigned alone: a deputy is not bound by their days. */
  while_own?: RawBuilder<SqlBool>;
  subject_id: Sql;
  columns: SubjectColumns;
  assignee: Assignee;
  /** The task of a deputy that it is while its assignee, the reviewer, is absent. */
  deputy?: DeputyTask;
  /** Conditions that exclude actors who took part before. */
  not_by?: (actor: Actor) => RawBuilder<SqlBool>[];
  due: Sql;
  /** The start of the task. */
  since: Sql;
  /** True when a folded word occurs in the name of the subject. */
  isNamed: (word: string) => RawBuilder<SqlBool>;
  /** Most urgent first within a company, as in an index: the earlier day is never the less urgent one. */
  in_order?: Sql;
  /** The page for the task, where it is not the record: of the person, or of the cycle. */
  page?: 'offboarding' | 'moves' | 'eligible' | 'absences';
  /** Actions of the assignee, as far as state and rights allow. */
  actions: readonly string[];
};
