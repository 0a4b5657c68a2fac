import type { SignedSheet } from '@tenure/contract';
import type { Selectable } from 'kysely';
import type { ProbationReviews } from '../../db/schema.ts';
import type { WorkflowNames } from '../../workflow/row.ts';
import type { ReviewFacts } from './capacities.ts';

type Texts =
  | 'criteria'
  | 'strengths'
  | 'improvements'
  | 'comments'
  | 'hr_comments'
  | 'send_back_reason'
  | 'cancel_reason'
  | 'revert_reason'
  | 'employee_comment'
  | 'talked_on'
  | 'acknowledgement_recorded_by'
  | 'acknowledgement_recorded_by_name';

type Stored = Omit<Selectable<ProbationReviews>, keyof ReviewFacts>;

/** A review as lists read it, with the names of its references and everything that the rules need. */
export type ListedReview = ReviewFacts &
  WorkflowNames &
  Omit<Stored, Texts | 'criteria_fixed' | 'reviewer_missing_since' | 'person_sort'>;

/** The signed sheet of a review as stored in its row, without its key in the file store. */
type DescribedSheet = Omit<SignedSheet, 'download_url'>;

/** A review in full, as stored. */
export type StoredReview = ListedReview & Stored & { sheet: DescribedSheet | null };
