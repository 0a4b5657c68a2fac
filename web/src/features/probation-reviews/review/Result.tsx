import { Button } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { letters, type ProbationReview } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { address } from '../../../api/call.ts';
import { Day, Moment } from '../../../ui/Dates.tsx';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import { LabelledText } from '../../../ui/LabelledText.tsx';
import classes from '../../../ui/RecordPage.module.css';

type Props = { review: ProbationReview };

/** The decision, its letters and the person's comment. */
export function Result({ review }: Props) {
  const t = useTranslations('probationReview');
  const outcomes = useTranslations('probationOutcome');
  const { outcome, outcome_extension_months: months, effective_date: day, decided_at: at, decided_by: by } = review;
  if (!outcome || at === null) return null;
  const { employee_acknowledged_at: acknowledged } = review;
  return (
    <DescriptionList
      title={t('result')}
      items={[
        { label: t('outcome'), value: <b>{outcomes(outcome)}</b> },
        Boolean(months) && { label: t('extendedBy'), value: t('months', { months: months ?? 0 }) },
        day !== undefined && { label: t('effective'), value: day === null ? null : <Day value={day} /> },
        { label: t('decidedAt'), value: <Moment value={at} /> },
        by !== undefined && { label: t('decidedBy'), value: by && <bdi>{by.name}</bdi> },
        acknowledged !== undefined && {
          label: t('acknowledged'),
          value: acknowledged === null ? t('notYet') : <Moment value={acknowledged} />,
        },
      ]}
    >
      <div className={classes['told']}>
        {review.hr_comments && <LabelledText level="h3" label={t('hrComments')} text={review.hr_comments} />}
        {review.employee_comment && (
          <LabelledText level="h3" label={t('employeeComment')} text={review.employee_comment} />
        )}
      </div>
      <p className={classes['line']}>
        {review.status === 'approved' && <Letter id={review.id} label={t(`letter.${outcome}`)} />}
        <Letter id={review.id} label={t('letter.record')} kind="review_record" />
      </p>
    </DescriptionList>
  );
}

const Letter = ({ id, label, kind }: { id: number; label: string; kind?: 'review_record' }) => (
  <Button
    component="a"
    variant="default"
    size="compact-md"
    leftSection={<IconFileTypePdf size={16} aria-hidden />}
    href={address(letters.letter, { params: { id }, query: kind ? { kind } : {} })}
    download
  >
    {label}
  </Button>
);
