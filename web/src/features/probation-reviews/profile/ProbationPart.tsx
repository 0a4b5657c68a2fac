import { probationReviews, type Employee, type ProbationReviewRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { Day } from '../../../ui/Dates.tsx';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import { Countdown } from '../Countdown.tsx';
import { daysUntil } from '../days-left.ts';
import { ProbationDecision, ProbationStatus } from '../ProbationStatus.tsx';

/** The probation of a person: end date and reviews. */
export function ProbationPart({ employee }: { employee: Employee }) {
  const t = useTranslations('probationProfile');
  const { can } = useSession();
  const { id, employment_lifecycle: lifecycle, probation_end_date: end, activity_status: activity } = employee;
  const query = { employee_id: [id], per_page: 20 };
  const reviews = useQuery({ ...load(probationReviews.list, { query }), enabled: can('probation-review.view') });
  const rows = (reviews.data?.data ?? []).toSorted((a, b) => b.sequence - a.sequence);
  const isOn = lifecycle === 'probationary' && activity === 'active';
  if (!isOn && rows.length === 0) return null;
  return (
    <DescriptionList
      title={t('title')}
      items={[
        isOn &&
          end !== undefined && {
            label: t('ends'),
            value: end && (
              <>
                <Day value={end} />{' '}
                {employee.probation_paused_from ? null : <Countdown days={daysUntil(end, employee.today)} />}
              </>
            ),
          },
        ...rows.map((row) => ({ label: t('review', { number: row.sequence }), value: <One row={row} /> })),
        isOn && rows.length === 0 && reviews.isSuccess && { label: t('reviews'), value: t('none') },
      ]}
    />
  );
}

function One({ row }: { row: ProbationReviewRow }) {
  const t = useTranslations('probationProfile');
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
      </Link>{' '}
      <ProbationStatus {...row} /> <ProbationDecision {...row} />
    </>
  );
}
