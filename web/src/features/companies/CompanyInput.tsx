import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { TimezoneSelect } from '../../ui/TimezoneSelect.tsx';
import { rowOf, type CompanyField } from './company-fields.ts';

type Props = {
  name: CompanyField;
  form: UseFormReturnType<Record<string, string>>;
  /** A required field of a new company; it cannot be emptied. */
  isNew: boolean;
  isFirst: boolean;
};

/** The input of one field of a company, by the kind of the field. */
export function CompanyInput({ name, form, isNew, isFirst }: Props) {
  const label = useTranslations('fields.entity');
  const t = useTranslations('companies');
  const { kind, max, required, made } = rowOf(name);
  const props = {
    ...form.getInputProps(name),
    label: label(name),
    ...(t.has(`hint.${name as 'code'}`) && { description: t(`hint.${name as 'code'}`) }),
    ...(isFirst && { 'data-autofocus': true }),
  };
  if (kind === 'timeZone') return <TimezoneSelect {...props} />;
  // One more digit than allowed, so that the service can report the limit.
  if (kind === 'integer')
    return <TextInput {...props} inputMode="numeric" maxLength={String(max).length + 1} required />;
  const length = max !== undefined && { maxLength: max };
  if (kind === 'longText') return <Textarea {...props} {...length} rows={3} />;
  return <TextInput {...props} {...length} required={required === true || (made === true && !isNew)} />;
}
