import type { Employee } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { Day } from '../../../ui/Dates.tsx';
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
      return <a href={`mailto:${value}`}>{value}</a>;
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

function Manager({ employee: { reporting_manager: manager }, id }: { employee: Employee; id: string }) {
  if (String(manager?.id) !== id) return `#${id}`;
  return (
    <Link to={paths.employee} params={{ id }}>
      <bdi>{manager?.name}</bdi>
    </Link>
  );
}
