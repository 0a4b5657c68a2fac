import type { ActionableKind, ChatCount, Permission } from '@tenure/contract';
import type { Db } from '../../db/connect.ts';
import { countDueIn } from '../actionable-items/company-counts.ts';
import { countProbationEnds } from '../probation-reviews/upcoming.ts';

/** The counts that posts can contain. */

type Source = {
  /** The kinds of task that it counts; null for ends of probations. */
  kinds: readonly ActionableKind[] | null;
  /** The permission and the screen that show the same to people. */
  permission: Permission;
  path: string;
};

export const sources: Readonly<Record<ChatCount, Source>> = {
  probation_reviews: {
    kinds: ['probation_review_assigned', 'probation_review_action_required'],
    permission: 'probation-review.view',
    path: '/probation',
  },
  probation_decisions: {
    kinds: ['probation_review_approval'],
    permission: 'probation-review.view',
    path: '/tasks?kind=probation_review_approval',
  },
  probation_ends: { kinds: null, permission: 'probation-review.view', path: '/probation?tab=ending' },
  self_assessments: { kinds: ['kpi_self_assessment'], permission: 'kpi-evaluation.view', path: '/tasks' },
  kpi_reviews: {
    kinds: ['kpi_manager_review'],
    permission: 'kpi-evaluation.view',
    path: '/tasks?kind=kpi_manager_review',
  },
  kpi_decisions: { kinds: ['kpi_hr_review'], permission: 'kpi-evaluation.view', path: '/tasks?kind=kpi_hr_review' },
};

/** Today, and the six days after it. */
const days = 6;

export type Counted = { count: ChatCount; due: number; overdue: number; path: string };

/** The counts of a target that are not zero. */
export async function countAll(
  db: Db,
  { counts, entity_ids }: { counts: readonly ChatCount[]; entity_ids: readonly number[] | null },
): Promise<Counted[]> {
  const found: Counted[] = [];
  for (const count of counts) {
    const { kinds, path } = sources[count];
    const parts = kinds
      ? await Promise.all(kinds.map((kind) => countDueIn(db, kind, { entity_ids, days })))
      : [{ due: await countProbationEnds(db, entity_ids, days), overdue: 0 }];
    const sum = (of: 'due' | 'overdue') => parts.reduce((total, part) => total + part[of], 0);
    if (sum('due') + sum('overdue') > 0) found.push({ count, due: sum('due'), overdue: sum('overdue'), path });
  }
  return found;
}
