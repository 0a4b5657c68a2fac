import type { Text } from '@tenure/contract';
import type { Actor } from '../../../access/actor.ts';
import type { Acting } from '../../../audit.ts';
import type { EvaluationFacts } from '../capacities.ts';

/** The transaction of a batch, and the user with their current rights. */
export type BulkActing = Acting & { actor: Actor };

export type BulkRow = EvaluationFacts & {
  employee_number: string;
  due_on: string | null;
  hr_comment: string | null;
  performance_flag: string | null;
  suggested_flag: 'pip' | 'standard' | 'hipo' | null;
  flag_reason: string | null;
};

/** An evaluation of the request, its revision when the user saw it, and its refusal. */
export type BulkTarget = { id: number; seen: number | null };
export type Checked = { id: number; row: BulkRow | undefined; refusal: Text | undefined; to: number | null };
