import type { evaluationBulk, evaluationBulkKinds, Permission, Reply } from '@tenure/contract';

export type BulkKind = (typeof evaluationBulkKinds)[number];
export type Outcome = Reply<typeof evaluationBulk.change>['data'];

/** The permission for each bulk step; the service checks every evaluation. */
export const permissionsOf: Readonly<Record<BulkKind, readonly Permission[]>> = {
  'hr-review': ['kpi-evaluation.hr-review'],
  close: ['kpi-evaluation.hr-review'],
  remind: ['kpi-evaluation.hr-review', 'kpi-cycle.update'],
  extend: ['kpi-evaluation.hr-review'],
  reviewer: ['kpi-evaluation.assign-reviewer'],
  'deem-accepted': ['kpi-evaluation.hr-review'],
  cancel: ['kpi-evaluation.force-close'],
};

/** The input of a step. */
export type Choice = {
  comment: string;
  until: string;
  reviewer: number | undefined;
  toManager: boolean;
  reason: string;
};
export const noChoice: Choice = { comment: '', until: '', reviewer: undefined, toManager: false, reason: '' };

const orNull = (text: string) => text.trim() || null;

/** The input as a part of the request. */
export function bodyOf(kind: BulkKind, { comment, until, reviewer, toManager, reason }: Choice) {
  switch (kind) {
    case 'hr-review':
      return { hr_comment: orNull(comment) };
    case 'extend':
      return { until: until || null, reason: orNull(reason) };
    case 'reviewer':
      return { ...(toManager ? { to_manager: true } : { reviewer_id: reviewer ?? null }), reason: orNull(reason) };
    case 'deem-accepted':
    case 'cancel':
      return { reason: orNull(reason) };
    default:
      return {};
  }
}
