import { Group } from '@mantine/core';
import type { EmployeeRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { AbsenceBadge } from '../../ui/AbsenceBadge.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { employeeStatus, statusTones } from './status.ts';

/** The status of a person, and that the person is absent today: who is away stays active. As of a day it is not said. */
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
