import { Group } from '@mantine/core';
import { listedFields } from '@tenure/contract';
import type { EmployeeRow } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Column } from '../../../ui/DataTable.tsx';
import { Day, Moment } from '../../../ui/Dates.tsx';
import { EmployeeName } from './EmployeeName.tsx';
import classes from './EmployeeName.module.css';
import { RowMenu } from './RowMenu.tsx';
import { PlannedMark } from '../planned/PlannedMark.tsx';
import { EmployeeStatusBadge } from '../EmployeeStatusBadge.tsx';
import type { EmployeesSearch } from '../search.ts';

export type DirectoryColumn = Column<EmployeeRow> & {
  /** The record field of the column; the column is not offered to a user who may not see the field. */
  field: keyof EmployeeRow;
};

/** The default columns. */
export const usualColumns = ['number', 'department', 'entity', 'manager', 'status', 'joined'];

const day = (value: string | null | undefined): ReactNode => (value ? <Day value={value} /> : '–');

type Shown = {
  compact: boolean;
  directory: EmployeesSearch;
  /** The first days of planned job changes, by person. */
  planned: ReadonlyMap<number, string>;
};

/** The first day of a person's planned job as of a future day. */
const plannedDay = ({ as_of }: EmployeeRow) => (as_of?.planned ? as_of.effective_from : undefined);

/** All columns of the directory; the name is first and always shown. */
export function useEmployeeColumns({ compact, directory, planned }: Shown): DirectoryColumn[] {
  const t = useTranslations('employees');
  const labels = useTranslations('fields.employee');
  const identity = useIdentityColumns({ compact, directory, planned });
  const work = useWorkColumns();
  const employment = useEmploymentColumns();
  const dates = useDateColumns();
  return [
    ...identity,
    ...work,
    ...employment,
    ...listedFields.map((field) => ({
      id: field,
      field,
      header: labels(field),
      cell: (row: EmployeeRow) => row[field] ?? '–',
    })),
    {
      id: 'phone',
      field: 'phone',
      header: t('phone'),
      cell: (row) => <bdi className="numbers">{row.phone ?? '–'}</bdi>,
    },
    ...dates,
  ];
}

/** The last column: the menu of a row. */
export function useMenuColumn({ directory, onInvite }: Omit<CardProps, 'employee'>): Column<EmployeeRow> {
  const t = useTranslations('employees.row');
  return {
    id: 'menu',
    header: t('actions'),
    headerHidden: true,
    cell: (row) => <RowMenu employee={row} directory={directory} onInvite={onInvite} />,
  };
}

/** The columns for name, number, mail address and title. */
function useIdentityColumns({ compact, directory, planned }: Shown): DirectoryColumn[] {
  const t = useTranslations('employees');
  return [
    {
      id: 'name',
      field: 'display_name',
      header: t('name'),
      sortBy: 'last_name',
      cell: (row) => (
        <Group gap={8} wrap="nowrap">
          <EmployeeName
            id={row.id}
            name={row.display_name}
            picture={row.profile_picture_url}
            sub={compact ? null : row.job_title}
            size={compact ? 24 : 32}
            directory={directory}
          />
          <PlannedMark day={plannedDay(row) ?? planned.get(row.id)} />
        </Group>
      ),
    },
    {
      id: 'number',
      field: 'employee_number',
      header: t('number'),
      sortBy: 'employee_number',
      cell: (row) => <bdi className="numbers">{row.employee_number}</bdi>,
    },
    { id: 'email', field: 'email', header: t('email'), sortBy: 'email', cell: (row) => <bdi>{row.email}</bdi> },
    {
      id: 'title',
      field: 'job_title',
      header: t('jobTitle'),
      sortBy: 'job_title',
      cell: (row) => row.job_title ?? '–',
    },
  ];
}

/** The columns for department, company and manager. */
function useWorkColumns(): DirectoryColumn[] {
  const t = useTranslations('employees');
  return [
    {
      id: 'department',
      field: 'department',
      header: t('department'),
      sortBy: 'department_name',
      cell: (row) => row.department.name,
    },
    {
      id: 'entity',
      field: 'entity',
      header: t('entity'),
      sortBy: 'entity_name',
      cell: (row) => <span className="muted">{row.entity.name}</span>,
    },
    {
      id: 'manager',
      field: 'reporting_manager',
      header: t('manager'),
      cell: (row) => row.reporting_manager?.name ?? '–',
    },
  ];
}

/** The columns for status and employment. */
function useEmploymentColumns(): DirectoryColumn[] {
  const t = useTranslations('employees');
  const kinds = useTranslations('employmentType');
  const lifecycle = useTranslations('lifecycle');
  return [
    {
      id: 'status',
      field: 'activity_status',
      header: t('status'),
      sortBy: 'activity_status',
      cell: (row) => <EmployeeStatusBadge employee={row} />,
    },
    {
      id: 'lifecycle',
      field: 'employment_lifecycle',
      header: t('lifecycle'),
      sortBy: 'employment_lifecycle',
      cell: (row) => (row.employment_lifecycle ? lifecycle(row.employment_lifecycle) : '–'),
    },
    {
      id: 'kind',
      field: 'employment_type',
      header: t('kind'),
      cell: (row) => (row.employment_type ? kinds(row.employment_type) : '–'),
    },
  ];
}

/** The columns for dates and times. */
function useDateColumns(): DirectoryColumn[] {
  const t = useTranslations('employees');
  return [
    {
      id: 'joined',
      field: 'joining_date',
      header: t('joined'),
      sortBy: 'joining_date',
      cell: (row) => day(row.joining_date),
    },
    {
      id: 'probation',
      field: 'probation_end_date',
      header: t('probationEnds'),
      sortBy: 'probation_end_date',
      cell: (row) => day(row.probation_end_date),
    },
    {
      id: 'last_day',
      field: 'last_working_date',
      header: t('lastDay'),
      cell: (row) => day(row.last_working_date),
    },
    {
      id: 'added',
      field: 'created_at',
      header: t('added'),
      sortBy: 'created_at',
      cell: (row) => <Moment value={row.created_at} />,
    },
    {
      id: 'changed',
      field: 'updated_at',
      header: t('changed'),
      sortBy: 'updated_at',
      cell: (row) => <Moment value={row.updated_at} />,
    },
  ];
}

/** The columns whose field the user may see for at least one person on the page. */
export const visibleColumns = (columns: readonly DirectoryColumn[], rows: readonly EmployeeRow[]): DirectoryColumn[] =>
  columns.filter(({ field }) => rows.some((row) => row[field] !== undefined));

type CardProps = { employee: EmployeeRow; directory: EmployeesSearch; onInvite: (employee: EmployeeRow) => void };

export const EmployeeCard = ({ employee, directory, onInvite }: CardProps) => (
  <Group className={classes['card']} justify="space-between" gap={12} wrap="nowrap">
    <EmployeeName
      id={employee.id}
      name={employee.display_name}
      picture={employee.profile_picture_url}
      sub={[employee.job_title, employee.department.name].filter(Boolean).join(' · ')}
      size={36}
      directory={directory}
    />
    <Group gap={4} wrap="nowrap">
      <EmployeeStatusBadge employee={employee} />
      {!directory.as_of && <RowMenu employee={employee} directory={directory} onInvite={onInvite} />}
    </Group>
  </Group>
);
