import { kpiEvaluations, probationReviews, type KpiEvaluationRow, type ProbationReviewRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { failedWithoutData, load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';

/** The most reviews of a kind that a profile shows. */
export const mostReviews = 100;

/** `day`: when it ended or, while it is open, when it is due or was last moved on; the order in time. */
export type Review = { day: string; isOpen: boolean; due: string | null } & (
  | { kind: 'kpi'; row: KpiEvaluationRow }
  | { kind: 'probation'; row: ProbationReviewRow }
);

const openProbation: readonly ProbationReviewRow['status'][] = ['pending', 'submitted', 'sent_back'];

const ofEvaluation = (row: KpiEvaluationRow): Review => ({
  kind: 'kpi',
  row,
  isOpen: row.status !== 'completed' && row.status !== 'cancelled',
  due: row.due_on,
  day: row.completed_at ?? row.due_on ?? row.status_changed_at,
});

const ofProbation = (row: ProbationReviewRow): Review => ({
  kind: 'probation',
  row,
  isOpen: openProbation.includes(row.status),
  due: row.due_date,
  day: row.decided_at ?? row.due_date,
});

const latestFirst = (a: Review, b: Review) => b.day.localeCompare(a.day) || b.row.id - a.row.id;

/** The KPI evaluations and probation reviews of a person that the user may see, the latest first. */
export function useReviews(id: number) {
  const { can } = useSession();
  const query = { employee_id: [id], per_page: mostReviews, sort_by: 'created_at', sort_direction: 'desc' } as const;
  const evaluations = useQuery({ ...load(kpiEvaluations.list, { query }), enabled: can('kpi-evaluation.view') });
  const probation = useQuery({ ...load(probationReviews.list, { query }), enabled: can('probation-review.view') });
  const both = [evaluations, probation] as const;
  const failed = failedWithoutData(evaluations) ? evaluations : failedWithoutData(probation) ? probation : undefined;
  return {
    reviews: [
      ...(evaluations.data?.data ?? []).map(ofEvaluation),
      ...(probation.data?.data ?? []).map(ofProbation),
    ].toSorted(latestFirst),
    isLoading: both.some(({ isLoading }) => isLoading),
    hasMore: both.some(({ data }) => (data?.meta.total ?? 0) > mostReviews),
    error: failed?.error ?? null,
    retry: () => both.forEach((one) => one.isError && void one.refetch()),
  };
}

/** A result that no step changes any more. */
export type FinalResult = { id: number; cycle: string; percentage: number };

/** The final results of the evaluations, the oldest first. */
export const resultsOf = (reviews: readonly Review[]): FinalResult[] =>
  reviews
    .flatMap(({ kind, row }) =>
      kind === 'kpi' && row.status === 'completed' && typeof row.overall_percentage === 'number'
        ? [{ id: row.id, cycle: row.cycle.name, percentage: row.overall_percentage }]
        : [],
    )
    .toReversed();
