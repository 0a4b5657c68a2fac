import { probationReviews, type ProbationReviewRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { reviewFilters, type ListProps } from '../search.ts';
import { ReviewCard, useReviewColumns } from './columns.tsx';
import { EmptyState } from './EmptyState.tsx';
import { ProbationFilters } from './ProbationFilters.tsx';
import { reviewQuery } from './queries.ts';

/** The reviews of a tab. */
export function ReviewList({ tab, search, onChange }: ListProps) {
  const t = useTranslations('probation');
  const list = useQuery({
    ...load(probationReviews.list, { query: reviewQuery(tab, search) }),
    placeholderData: keepPreviousData,
  });
  const columns = useReviewColumns();
  if (list.error?.status === 403) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      {tab !== 'mine' && <ProbationFilters tab={tab} search={search} onChange={onChange} />}
      <ListView<ProbationReviewRow>
        query={list}
        label={t(`tab.${tab}`)}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <ReviewCard row={row} />}
        sort={{ by: search.sort_by ?? 'due_date', direction: search.sort_direction ?? 'asc' }}
        onSort={({ by, direction }) => onChange({ sort_by: by as 'due_date', sort_direction: direction })}
        onPage={(page) => onChange({ page })}
        onSize={(size) => onChange({ per_page: size })}
        empty={<EmptyState tab={tab} isNarrowed={reviewFilters.some((name) => name in search)} onChange={onChange} />}
      />
    </>
  );
}
