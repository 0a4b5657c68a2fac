import { Stack } from '@mantine/core';
import { jobFields, type PlannedChange } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import type { Column } from '../../../ui/DataTable.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { EmployeeName } from '../directory/EmployeeName.tsx';

/** The columns of planned changes: who, what, from which day, and by whom. */
export function usePlannedColumns(): Column<PlannedChange>[] {
  const t = useTranslations('plannedChanges');
  return [
    {
      id: 'name',
      header: t('employee'),
      sortBy: 'name',
      cell: ({ employee: { id, name, employee_number } }) => <EmployeeName id={id} name={name} sub={employee_number} />,
    },
    { id: 'what', header: t('change'), cell: (row) => <Changed row={row} /> },
    {
      id: 'effective_from',
      header: t('effective'),
      sortBy: 'effective_from',
      cell: (row) => (
        <>
          <Day value={row.effective_from} />
          {row.status === 'failed' && (
            <>
              {' '}
              <StatusBadge tone="danger" label={t('failed')} />
            </>
          )}
        </>
      ),
    },
    {
      id: 'by',
      header: t('by'),
      cell: ({ created_by, reason }) => (
        <Stack gap={0}>
          <bdi>{created_by.name}</bdi>
          {reason && <span className="muted">{reason}</span>}
        </Stack>
      ),
    },
  ];
}

/** Each changed field with its current and its planned value. */
function Changed({ row }: { row: PlannedChange }) {
  const t = useTranslations('plannedChanges');
  const labels = useTranslations('fields.employee');
  const kinds = useTranslations('employmentType');
  const lifecycles = useTranslations('lifecycle');
  const valuesOf = (job: PlannedChange | PlannedChange['now']): Record<string, string | null | undefined> => ({
    entity_id: job.entity.name,
    department_id: job.department.name,
    reporting_manager_id: job.reporting_manager?.name,
    job_title: job.job_title,
    grade: job.grade,
    employment_type: kinds(job.employment_type),
  });
  const [now, then] = [valuesOf(row.now), valuesOf(row)];
  return (
    <Stack gap={2}>
      {jobFields
        .filter((name) => row.changed_fields.includes(name))
        .map((name) => (
          <span key={name}>
            <span className="muted">{labels(name)}:</span> <bdi>{now[name] ?? t('empty')}</bdi>
            <span aria-hidden> → </span>
            <span className="visually-hidden"> {t('changedTo')} </span>
            <bdi>{then[name] ?? t('empty')}</bdi>
          </span>
        ))}
      {row.changed_fields.includes('employment_lifecycle') && (
        <span>
          <span className="muted">{labels('employment_lifecycle')}:</span> {lifecycles(row.employment_lifecycle)}
        </span>
      )}
      {row.failure && <span className="muted">{row.failure}</span>}
    </Stack>
  );
}
