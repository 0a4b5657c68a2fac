import type { Selectable } from 'kysely';
import type { ProbationReviews } from '../../db/schema.ts';
import type { WorkflowNames } from '../../workflow/row.ts';
import type { JudgedReview } from './capacities.ts';

type Texts =
  | 'criteria'
  | 'strengths'
  | 'improvements'
  | 'comments'
  | 'hr_comments'
  | 'send_back_reason'
  | 'cancel_reason'
  | 'revert_reason'
  | 'employee_comment';

type Stored = Omit<Selectable<ProbationReviews>, keyof JudgedReview>;

/** A review as lists read it, with the names of what it refers to and everything the rules look at. */
export type ListedReview = JudgedReview &
  WorkflowNames &
  Omit<Stored, Texts | 'criteria_fixed' | 'reviewer_missing_since' | 'person_sort'>;

/** A review in full, as stored. */
export type StoredReview = ListedReview & Stored;
