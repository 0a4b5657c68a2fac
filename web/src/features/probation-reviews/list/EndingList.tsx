import { Group, Stack } from '@mantine/core';
import { probationEndings, type UpcomingProbation } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { ListView } from '../../../ui/ListView.tsx';
import classes from '../../../ui/PersonRows.module.css';
import { CardFoot, Person } from '../../../workflow/PersonRow.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { Countdown } from '../Countdown.tsx';
import { ProbationStatus } from '../ProbationStatus.tsx';
import { endingFilters, type ListProps } from '../search.ts';
import { NextStep } from './NextStep.tsx';
import { EmptyState } from './EmptyState.tsx';
import { ProbationFilters } from './ProbationFilters.tsx';
import { endingQuery } from './queries.ts';

const SetReviewer = lazyPart(() => import('./SetReviewer.tsx'), 'SetReviewer', 'probation-steps');

/** People whose probation ends soon, with problems and the step that fixes each. */
export function EndingList({ tab, search, onChange }: ListProps) {
  const t = useTranslations('probation');
  const list = useQuery({
    ...load(probationEndings.upcoming, { query: endingQuery(search) }),
    placeholderData: keepPreviousData,
  });
  const [without, setWithout] = useState<UpcomingProbation>();
  const columns = useColumns(setWithout);
  if (list.error?.status === 403) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      <ProbationFilters tab={tab} search={search} onChange={onChange} />
      <ListView<UpcomingProbation>
        query={list}
        label={t('tab.ending')}
        columns={columns}
        rowKey={(row) => row.employee.id}
        card={(row) => <Card row={row} onSetReviewer={setWithout} />}
        sort={{ by: search.sort_by ?? 'probation_end_date', direction: search.sort_direction ?? 'asc' }}
        onSort={({ by, direction }) => onChange({ sort_by: by as 'days_left', sort_direction: direction })}
        onPage={(page) => onChange({ page })}
        onSize={(size) => onChange({ per_page: size })}
        empty={<EmptyState tab={tab} isNarrowed={endingFilters.some((name) => name in search)} onChange={onChange} />}
      />
      <Suspense>
        <SetReviewer row={without} onClose={() => setWithout(undefined)} />
      </Suspense>
    </>
  );
}

type Row = { row: UpcomingProbation };
type SetsReviewer = (row: UpcomingProbation) => void;

function useColumns(onSetReviewer: SetsReviewer): Column<UpcomingProbation>[] {
  const t = useTranslations('probation');
  return [
    { id: 'person', header: t('person'), sortBy: 'employee_name', cell: (row) => <Ending row={row} /> },
    { id: 'ends', header: t('ends'), sortBy: 'probation_end_date', cell: (row) => <Ends row={row} /> },
    { id: 'reviewer', header: t('reviewer'), cell: ({ reviewer }) => (reviewer ? <bdi>{reviewer.name}</bdi> : '–') },
    { id: 'review', header: t('review'), cell: (row) => <Review row={row} /> },
    { id: 'problems', header: t('problemLabel'), cell: (row) => <Problems row={row} /> },
    {
      id: 'step',
      header: t('nextStep'),
      headerHidden: true,
      cell: (row) => <NextStep row={row} onSetReviewer={onSetReviewer} />,
    },
  ];
}

const Card = ({ row, onSetReviewer }: Row & { onSetReviewer: SetsReviewer }) => (
  <Stack gap={8} fz="sm">
    <Ending row={row} />
    <CardFoot>
      <span>
        <Ends row={row} />
      </span>
      <Review row={row} />
    </CardFoot>
    {row.problems.length > 0 && (
      <Group gap={6}>
        <Problems row={row} />
      </Group>
    )}
    <NextStep row={row} onSetReviewer={onSetReviewer} />
  </Stack>
);

const Ending = ({ row: { employee, department } }: Row) => (
  <Person person={employee} note={[employee.employee_number, department.name].join(' · ')}>
    <Link to={paths.employee} params={{ id: String(employee.id) }} className="record-link">
      <bdi>{employee.name}</bdi>
    </Link>
  </Person>
);

function Ends({ row: { probation_end_date: end, days_left: days, paused_from: paused } }: Row) {
  const t = useTranslations('probation');
  if (end === null) return <span className={classes['overdue']}>{t('noEnd')}</span>;
  return (
    <>
      <Day value={end} />{' '}
      {paused ? <StatusBadge tone="quiet" label={t('paused')} /> : days !== null && <Countdown days={days} />}
    </>
  );
}

const Review = ({ row: { review } }: Row) =>
  review ? (
    <Link to={paths.probationReview} params={{ id: String(review.id) }}>
      <ProbationStatus status={review.status} />
    </Link>
  ) : (
    <span className="muted">–</span>
  );

function Problems({ row: { problems } }: Row) {
  const t = useTranslations('probation');
  return problems.map((problem) => <StatusBadge key={problem} tone="danger" label={t(`problem.${problem}`)} />);
}
