import type { Employee } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { breakable } from '../../../ui/breakable.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { mailTo } from '../../../ui/mail-to.ts';
import type { Field } from './fields.ts';
import { useChoiceLabel } from './labels.ts';

type Props = {
  field: Field;
  /** The form value; not empty. */
  value: string;
  /** The record; it holds the names for its ids. */
  employee: Employee;
};

/** The value of a field as text. */
export function FieldValue({ field: { name, kind }, value, employee }: Props) {
  const choice = useChoiceLabel();
  const t = useTranslations('form');
  switch (kind) {
    case 'day':
      return <Day value={value} />;
    case 'choice':
      return choice(name, value);
    case 'flag':
      return t('yes');
    case 'email':
      return <a href={mailTo(value)}>{breakable(value)}</a>;
    case 'phone':
      return <bdi className="numbers">{value}</bdi>;
    case 'company':
      return String(employee.entity.id) === value ? employee.entity.name : `#${value}`;
    case 'department':
      return String(employee.department.id) === value ? employee.department.name : `#${value}`;
    case 'person':
      return <Manager employee={employee} id={value} />;
    case 'text':
      return <bdi>{value}</bdi>;
  }
}

function Manager({ employee: { id: employeeId, reporting_manager: manager }, id }: { employee: Employee; id: string }) {
  const { user, hasDirectory } = useSession();
  if (String(manager?.id) !== id) return `#${id}`;
  // The record of the user's own manager is often out of scope, but the directory card is not.
  const to = user?.employee_id !== employeeId ? paths.employee : hasDirectory ? paths.colleague : undefined;
  if (!to) return <bdi>{manager?.name}</bdi>;
  return (
    <Link to={to} params={{ id }}>
      <bdi>{manager?.name}</bdi>
    </Link>
  );
}
