import {
  formerResults,
  kpiEvaluations,
  probationReviews,
  type FormerResult,
  type KpiEvaluationRow,
  type ProbationReviewRow,
} from '@tenure/contract';
import { resultOfParts } from '@tenure/contract/result-of-parts';
import { useQuery } from '@tanstack/react-query';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { isOpenReview } from '../../../workflow/open-review.ts';

/** The most reviews of a kind that a profile shows. */
export const maxReviews = 100;

/** `day`: when it ended or, while it is open, its due day or else the last status change. Reviews are sorted by it. */
export type Review = { day: string; isOpen: boolean; due: string | null } & (
  | { kind: 'kpi'; row: KpiEvaluationRow }
  | { kind: 'probation'; row: ProbationReviewRow }
  | { kind: 'former'; row: FormerResult }
);

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
  isOpen: isOpenReview(row.status),
  due: row.due_date,
  day: row.decided_at ?? row.due_date,
});

const ofFormer = (row: FormerResult): Review => ({ kind: 'former', row, isOpen: false, due: null, day: row.period_to });

const latestFirst = (a: Review, b: Review) => b.day.localeCompare(a.day) || b.row.id - a.row.id;

/**
 * The KPI evaluations and probation reviews of a person that the user may see, the latest first; `withFormer` also the
 * results from former systems.
 */
export function useReviews(id: number, { withFormer = false } = {}) {
  const { can } = useSession();
  const query = { employee_id: [id], per_page: maxReviews, sort_by: 'created_at', sort_direction: 'desc' } as const;
  const evaluations = useQuery({ ...load(kpiEvaluations.list, { query }), enabled: can('kpi-evaluation.view') });
  const probation = useQuery({ ...load(probationReviews.list, { query }), enabled: can('probation-review.view') });
  const former = useQuery({
    ...load(formerResults.list, { params: { id }, query: { per_page: maxReviews } }),
    enabled: withFormer && can('kpi-evaluation.view'),
  });
  const all = [evaluations, probation, former] as const;
  const failed = all.find(({ data, isError }) => isError && data === undefined);
  return {
    reviews: [
      ...(evaluations.data?.data ?? []).map(ofEvaluation),
      ...(probation.data?.data ?? []).map(ofProbation),
      ...(former.data?.data ?? []).map(ofFormer),
    ].toSorted(latestFirst),
    isLoading: all.some(({ isLoading }) => isLoading),
    hasMore: all.some(({ data }) => (data?.meta.total ?? 0) > maxReviews),
    error: failed?.error ?? null,
    retry: () => all.forEach((one) => one.isError && void one.refetch()),
  };
}

/** A result that no further step can change. */
export type FinalResult = { key: string; cycle: string; percentage: number; isFormer: boolean };

/** The name of the period of a former result, or its last year. */
export const nameOf = ({ period, period_to }: FormerResult) => period ?? period_to.slice(0, 4);

/** The percentage of an evaluation that no further step can change, or nothing. */
const finalOf = ({ status, overall_percentage: value }: KpiEvaluationRow): number[] =>
  status === 'completed' && typeof value === 'number' ? [value] : [];

/**
 * The result of a cycle in parts, at its latest part: weighted by days once all parts are completed. A user who sees a
 * single part sees no result of the cycle.
 */
function ofParts(row: KpiEvaluationRow, reviews: readonly Review[]): number[] {
  const all = reviews.flatMap((one) =>
    one.kind === 'kpi' && one.row.part && one.row.cycle_id === row.cycle_id ? [one.row] : [],
  );
  const counted = all.filter(({ status }) => status !== 'cancelled');
  if (all.length < 2 || counted[0] !== row || counted.some(({ status }) => status !== 'completed')) return [];
  const result = resultOfParts(
    counted.map(({ part, overall_percentage }) => ({ percentage: overall_percentage ?? null, days: part?.days ?? 1 })),
  );
  return result === null ? [] : [result];
}

/** The final results of evaluations and of former systems, the oldest first. */
export const resultsOf = (reviews: readonly Review[]): FinalResult[] =>
  reviews
    .flatMap(({ kind, row }): FinalResult[] => {
      const key = `${kind}-${row.id}`;
      if (kind === 'former')
        return row.percentage === null ? [] : [{ key, cycle: nameOf(row), percentage: row.percentage, isFormer: true }];
      if (kind !== 'kpi') return [];
      const found = row.part ? ofParts(row, reviews) : finalOf(row);
      return found.map((percentage) => ({ key, cycle: row.cycle.name, percentage, isFormer: false }));
    })
    .toReversed();
