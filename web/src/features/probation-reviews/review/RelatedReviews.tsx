import { probationReviews, type ProbationReview, type ProbationReviewRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { Day } from '../../../ui/Dates.tsx';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import { ProbationDecision, ProbationStatus } from '../ProbationStatus.tsx';

/** Other reviews of the same person: before an extension, or after a reverted decision. */
export function RelatedReviews({ review: { id, employee_id } }: { review: ProbationReview }) {
  const t = useTranslations('probationReview');
  const query = { employee_id: [employee_id], per_page: 20 };
  const all = useQuery(load(probationReviews.list, { query })).data?.data ?? [];
  const others = all.filter((one) => one.id !== id).toSorted((a, b) => a.sequence - b.sequence);
  return (
    <DescriptionList
      title={t('chain')}
      items={others.map((one) => ({
        label: t('reviewNumber', { number: one.sequence }),
        value: <One row={one} />,
      }))}
    />
  );
}

function One({ row }: { row: ProbationReviewRow }) {
  const t = useTranslations('probationReview');
  const milestones = useTranslations('probationMilestone');
  return (
    <>
      <Link to={paths.probationReview} params={{ id: String(row.id) }}>
        {row.milestone === 'final' ? (
          <>
            {t('until')} <Day value={row.probation_end_date} />
          </>
        ) : (
          milestones(row.milestone)
        )}
      </Link>
      <br />
      <ProbationStatus {...row} /> <ProbationDecision {...row} />
    </>
  );
}
