import type { Text } from '@tenure/contract';
import type { Actor } from '../../../access/actor.ts';
import type { Acting } from '../../../audit.ts';
import type { JudgedEvaluation } from '../capacities.ts';

/** The transaction of a part, and the user with the rights that hold now. */
export type BulkActing = Acting & { actor: Actor };

export type BulkRow = JudgedEvaluation & {
  employee_number: string;
  due_on: string | null;
  hr_comment: string | null;
  performance_flag: string | null;
  suggested_flag: 'pip' | 'standard' | 'hipo' | null;
  flag_reason: string | null;
};

/** An evaluation of the request, the revision it had when the user saw it, and what is in the way. */
export type Asked = { id: number; seen: number | null };
export type Judged = { id: number; row: BulkRow | undefined; refusal: Text | undefined; to: number | null };
