import type { EmployeeRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import type { Column } from '../../ui/DataTable.tsx';
import { Day } from '../../ui/Dates.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { EmployeeName } from './EmployeeName.tsx';
import classes from './EmployeeName.module.css';
import { employeeStatus, statusTones } from './status.ts';

export function EmployeeStatusBadge({ employee }: { employee: EmployeeRow }) {
  const t = useTranslations('employeeStatus');
  const status = employeeStatus(employee);
  return <StatusBadge tone={statusTones[status]} label={t(status)} />;
}

/** Every column of the directory. */
export function useEmployeeColumns(compact: boolean): Column<EmployeeRow>[] {
  const t = useTranslations('employees');
  return [
    {
      id: 'name',
      header: t('name'),
      sortBy: 'last_name',
      cell: (row) => (
        <EmployeeName
          id={row.id}
          name={row.display_name}
          sub={compact ? null : row.job_title}
          size={compact ? 24 : 32}
        />
      ),
    },
    {
      id: 'number',
      header: t('number'),
      sortBy: 'employee_number',
      cell: (row) => <bdi className="numbers">{row.employee_number}</bdi>,
    },
    { id: 'email', header: t('email'), sortBy: 'email', cell: (row) => <bdi>{row.email}</bdi> },
    { id: 'department', header: t('department'), sortBy: 'department_name', cell: (row) => row.department.name },
    {
      id: 'entity',
      header: t('entity'),
      sortBy: 'entity_name',
      cell: (row) => <span className="muted">{row.entity.name}</span>,
    },
    { id: 'manager', header: t('manager'), cell: (row) => row.reporting_manager?.name ?? '–' },
    {
      id: 'status',
      header: t('status'),
      sortBy: 'activity_status',
      cell: (row) => <EmployeeStatusBadge employee={row} />,
    },
    {
      id: 'joined',
      header: t('joined'),
      sortBy: 'joining_date',
      cell: (row) => (row.joining_date ? <Day value={row.joining_date} /> : '–'),
    },
  ];
}

export const EmployeeCard = ({ employee }: { employee: EmployeeRow }) => (
  <div className={classes['card']}>
    <EmployeeName
      id={employee.id}
      name={employee.display_name}
      sub={[employee.job_title, employee.department.name].filter(Boolean).join(' · ')}
      size={36}
    />
    <EmployeeStatusBadge employee={employee} />
  </div>
);
