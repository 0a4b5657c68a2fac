import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { RowInput } from '../../ui/RowInput.tsx';
import { labelOfValue } from '../../ui/row-values.ts';
import { rowOf, type CompanyField } from './company-fields.ts';

type Props = {
  name: CompanyField;
  form: UseFormReturnType<Record<string, string>>;
  /** A required field of a new company; it cannot be emptied. */
  isNew: boolean;
  isFirst: boolean;
};

/** The input of one field of a company. */
export function CompanyInput({ name, form, isNew, isFirst }: Props) {
  const label = useTranslations('fields.entity');
  const t = useTranslations('companies');
  const row = rowOf(name);
  return (
    <RowInput
      {...{ name, row, form, isFirst }}
      label={label(name)}
      labelOf={(value) => labelOfValue(label, name, value)}
      required={row.required === true || (row.made === true && !isNew)}
      {...(t.has(`hint.${name as 'code'}`) && { description: t(`hint.${name as 'code'}`) })}
    />
  );
}
