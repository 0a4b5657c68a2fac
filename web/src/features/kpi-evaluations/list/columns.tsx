import { Group, Stack } from '@mantine/core';
import type { KpiEvaluationRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { PartOf } from '../../../workflow/PartOf.tsx';
import { CardFoot, DueDay, Person } from '../../../workflow/PersonRow.tsx';
import { useResult } from '../../../ui/use-percent.ts';
import { AbsenceBadge } from '../../../ui/AbsenceBadge.tsx';
import { StageSteps } from './StageSteps.tsx';

/** The columns of the evaluation list; without the person in the user's own list. */
export function useEvaluationColumns(mine: boolean): Column<KpiEvaluationRow>[] {
  const t = useTranslations('evaluations');
  const person: Column<KpiEvaluationRow> = {
    id: 'person',
    header: t('person'),
    sortBy: 'employee_name',
    cell: (row) => <Evaluated row={row} />,
  };
  const cycle: Column<KpiEvaluationRow> = {
    id: 'cycle',
    header: t('cycle'),
    cell: (row) => (
      <>
        {mine ? <Open row={row}>{row.cycle.name}</Open> : <bdi>{row.cycle.name}</bdi>} <PartOf part={row.part} />
      </>
    ),
  };
  return [
    ...(mine ? [cycle] : [person, cycle]),
    {
      id: 'department',
      header: t('department'),
      sortBy: 'department_name',
      cell: (row) => <bdi>{row.department.name}</bdi>,
    },
    {
      id: 'reviewer',
      header: t('reviewer'),
      cell: (row) => (row.reviewer ? <bdi>{row.reviewer.name}</bdi> : <span className="muted">{t('nobody')}</span>),
    },
    { id: 'status', header: t('stage'), sortBy: 'status', cell: (row) => <Stage row={row} /> },
    { id: 'due', header: t('due'), sortBy: 'due_on', cell: (row) => <Due row={row} /> },
    { id: 'result', header: t('result'), sortBy: 'overall_percentage', cell: (row) => <Result row={row} /> },
  ];
}

/** An evaluation in the list on a phone; without the person in the user's own list. */
export function EvaluationCard({ row, mine }: { row: KpiEvaluationRow; mine: boolean }) {
  return (
    <Stack gap={8} fz="sm">
      {mine ? <Open row={row}>{row.cycle.name}</Open> : <Evaluated row={row} />}
      <p className="muted">
        {!mine && (
          <>
            <bdi>{row.cycle.name}</bdi>
            {' · '}
          </>
        )}
        <bdi>{row.department.name}</bdi> <PartOf part={row.part} />
      </p>
      <CardFoot>
        <Stage row={row} />
        {row.due_on !== null && <Due row={row} />}
        {row.overall_percentage !== null && <Result row={row} />}
      </CardFoot>
    </Stack>
  );
}

const Open = ({ row, children }: { row: KpiEvaluationRow; children: string }) => (
  <Link to={paths.kpiEvaluation} params={{ id: String(row.id) }} className="record-link">
    <bdi>{children}</bdi>
  </Link>
);

const Evaluated = ({ row }: { row: KpiEvaluationRow }) => (
  <Person
    person={{ id: row.employee_id, name: row.employee.name }}
    note={row.job_title ?? row.employee.employee_number}
  >
    <Open row={row}>{row.employee.name}</Open>
  </Person>
);

function Due({ row }: { row: KpiEvaluationRow }) {
  const t = useTranslations('evaluations');
  if (row.due_on === null) return <span className="muted">–</span>;
  return <DueDay day={row.due_on} problem={row.due_on < row.today && t('overdue')} />;
}

function Result({ row }: { row: KpiEvaluationRow }) {
  const t = useTranslations('evaluations');
  const percent = useResult();
  const { overall_percentage: percentage, performance_flag: flag } = row;
  if (percentage === undefined) return null;
  if (percentage === null) return <span className="muted">–</span>;
  return (
    <Stack component="span" gap={0} lh={1.4}>
      <bdi className="numbers">{percent(percentage)}</bdi>
      {flag && flag !== 'standard' && <span className="muted">{t(`flag.${flag}`)}</span>}
    </Stack>
  );
}

/** The progress of an evaluation, and until when its employee is absent. */
const Stage = ({ row }: { row: KpiEvaluationRow }) =>
  row.absence ? (
    <Group gap={6}>
      <StageSteps row={row} />
      <AbsenceBadge absence={row.absence} />
    </Group>
  ) : (
    <StageSteps row={row} />
  );
