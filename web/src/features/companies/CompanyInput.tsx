import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { TimezoneSelect } from '../../ui/TimezoneSelect.tsx';
import { rowOf, type CompanyField } from './company-fields.ts';

type Props = {
  name: CompanyField;
  form: UseFormReturnType<Record<string, string>>;
  /** A field that is made for a new company has to stay. */
  isNew: boolean;
  isFirst: boolean;
};

/** One field of a company, as its kind wants it. */
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
  // room for a digit too many, so that the service can say what is allowed
  if (kind === 'integer')
    return <TextInput {...props} inputMode="numeric" maxLength={String(max).length + 1} required />;
  const length = max !== undefined && { maxLength: max };
  if (kind === 'longText') return <Textarea {...props} {...length} rows={3} />;
  return <TextInput {...props} {...length} required={required === true || (made === true && !isNew)} />;
}
