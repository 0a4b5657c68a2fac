import { Stack } from '@mantine/core';
import type { ProbationReviewRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { Day } from '../../../ui/Dates.tsx';
import classes from '../../../ui/PersonRows.module.css';
import { CardFoot, DueDay, Person } from '../../../workflow/PersonRow.tsx';
import { Countdown } from '../Countdown.tsx';
import { daysUntil } from '../days-left.ts';
import { ProbationDecision, ProbationStatus } from '../ProbationStatus.tsx';
import { isOpenReview } from '../../../workflow/open-review.ts';

/** The columns of a review list. */
export function useReviewColumns(): Column<ProbationReviewRow>[] {
  const t = useTranslations('probation');
  return [
    { id: 'person', header: t('person'), sortBy: 'employee_name', cell: (row) => <Reviewed row={row} /> },
    { id: 'department', header: t('department'), cell: (row) => <bdi>{row.department.name}</bdi> },
    { id: 'reviewer', header: t('reviewer'), cell: (row) => <Reviewer row={row} /> },
    { id: 'ends', header: t('ends'), sortBy: 'probation_end_date', cell: (row) => <Ends row={row} /> },
    { id: 'due', header: t('due'), sortBy: 'due_date', cell: (row) => <Due row={row} /> },
    { id: 'status', header: t('status'), sortBy: 'status', cell: (row) => <ProbationStatus {...row} /> },
    { id: 'result', header: t('result'), cell: (row) => <Result row={row} /> },
  ];
}

/** A review in the list on a phone. */
export function ReviewCard({ row }: { row: ProbationReviewRow }) {
  return (
    <Stack gap={8} fz="sm">
      <Reviewed row={row} />
      <CardFoot>
        <ProbationStatus {...row} />
        <Ends row={row} />
        <Result row={row} />
      </CardFoot>
    </Stack>
  );
}

/** The person; for an interim review, with its date. */
function Reviewed({ row: { id, employee_id, employee, milestone } }: { row: ProbationReviewRow }) {
  const t = useTranslations('probationMilestone');
  const note = [employee.employee_number, ...(milestone === 'final' ? [] : [t(milestone)])].join(' · ');
  return (
    <Person person={{ id: employee_id, name: employee.name }} note={note}>
      <Link to={paths.probationReview} params={{ id: String(id) }} className="record-link">
        <bdi>{employee.name}</bdi>
      </Link>
    </Person>
  );
}

function Reviewer({ row: { reviewer } }: { row: ProbationReviewRow }) {
  const t = useTranslations('probation');
  return reviewer ? <bdi>{reviewer.name}</bdi> : <span className={classes['overdue']}>{t('nobody')}</span>;
}

/** The end of the probation, with the remaining days while it is undecided. */
const Ends = ({ row }: { row: ProbationReviewRow }) => (
  <span>
    <Day value={row.probation_end_date} />{' '}
    {isOpenReview(row.status) && <Countdown days={daysUntil(row.probation_end_date, row.today)} />}
  </span>
);

function Due({ row }: { row: ProbationReviewRow }) {
  const t = useTranslations('probation');
  const isLate = isOpenReview(row.status) && row.status !== 'submitted' && daysUntil(row.due_date, row.today) < 0;
  return <DueDay day={row.due_date} problem={isLate && t('overdue')} />;
}

/** The decision or the recommendation; empty if neither is visible. */
function Result({ row }: { row: ProbationReviewRow }) {
  const { outcome, recommendation } = row;
  const t = useTranslations('probation');
  const tOutcome = useTranslations('probationOutcome');
  if (outcome && row.status !== 'reverted')
    return (
      <b>
        <ProbationDecision {...row} />
      </b>
    );
  if (recommendation) return <span className="muted">{t('recommended', { outcome: tOutcome(recommendation) })}</span>;
  return outcome === undefined && recommendation === undefined ? null : <span className="muted">–</span>;
}
