import type { EmployeeRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { employeeStatus, statusTones } from './status.ts';

export function EmployeeStatusBadge({ employee }: { employee: EmployeeRow }) {
  const t = useTranslations('employeeStatus');
  const status = employeeStatus(employee);
  return <StatusBadge tone={statusTones[status]} label={t(status)} />;
}
