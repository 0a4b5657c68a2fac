import { Group } from '@mantine/core';
import type { EmployeeRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { AbsenceBadge } from '../../ui/AbsenceBadge.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { employeeStatus, statusTones } from './status.ts';

/** The status of a person, and today's absence: an absent person stays active. As of a day, absences are not shown. */
export function EmployeeStatusBadge({ employee }: { employee: EmployeeRow }) {
  const t = useTranslations('employeeStatus');
  const status = employeeStatus(employee);
  const badge = <StatusBadge tone={statusTones[status]} label={t(status)} />;
  if (!employee.absence || employee.as_of) return badge;
  return (
    <Group gap={4}>
      {badge}
      <AbsenceBadge absence={employee.absence} />
    </Group>
  );
}
