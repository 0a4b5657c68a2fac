import type { ProbationReview } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { Day } from '../../../ui/Dates.tsx';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import { Countdown } from '../Countdown.tsx';
import { daysUntil } from '../days-left.ts';
import { isOpenReview } from '../../../workflow/open-review.ts';

type Props = { review: ProbationReview };

/** The person, the probation, the reviewer and the deadline. */
export function About({ review }: Props) {
  const t = useTranslations('probationReview');
  const { employee, reviewer, extensions, probation_start_date: start, review_date: meeting } = review;
  return (
    <DescriptionList
      title={t('about')}
      items={[
        {
          label: t('person'),
          value: <Person employee={employee} />,
        },
        { label: t('number'), value: <bdi className="numbers">{employee.employee_number}</bdi> },
        { label: t('started'), value: start === null ? null : <Day value={start} /> },
        {
          label: t('ends'),
          value: (
            <>
              <Day value={review.probation_end_date} />{' '}
              {isOpenReview(review.status) && <Countdown days={daysUntil(review.probation_end_date, review.today)} />}
            </>
          ),
        },
        { label: t('reviewer'), value: reviewer ? <bdi>{reviewer.name}</bdi> : t('nobody') },
        { label: t('meeting'), value: meeting === null ? null : <Day value={meeting} /> },
        { label: t('due'), value: <Day value={review.due_date} /> },
        extensions !== undefined && {
          label: t('extensions'),
          value: t('extensionsOf', { count: extensions.count, maximum: extensions.maximum }),
        },
        {
          label: t('sequence'),
          value: <span className="numbers">{t('reviewNumber', { number: review.sequence })}</span>,
        },
      ]}
    />
  );
}

/** A link to the record, if the user may open it. */
function Person({ employee: { id, name } }: Pick<ProbationReview, 'employee'>) {
  const { can } = useSession();
  if (!can('employees.view')) return <bdi>{name}</bdi>;
  return (
    <Link to={paths.employee} params={{ id: String(id) }}>
      <bdi>{name}</bdi>
    </Link>
  );
}
