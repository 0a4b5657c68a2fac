import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { CountrySelect } from './CountrySelect.tsx';
import { DateField } from './DateField.tsx';
import { languageName, locales } from '../locales/locales.ts';
import { TimezoneSelect } from './TimezoneSelect.tsx';
import { mayBeEmpty, type Presence, type Row } from './row-values.ts';

type Shared = { label: string; value: string; description?: string; error?: ReactNode };
type Changed = { onChange: (value: string) => void };

/** The input of a flag; its form text is 'true' or empty. */
export const FlagInput = ({ value, onChange, ...props }: Shared & Changed) => (
  <Switch
    {...props}
    checked={value === 'true'}
    onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
  />
);

/** The available languages and the stored one: a program may set a tag that is not among them, such as `de-AT`. */
const languages = (stored: string) => [
  ...locales.map(({ id, name }) => ({ value: id, label: name })),
  ...(locales.some(({ id }) => id === stored) ? [] : [{ value: stored, label: `${languageName(stored)} (${stored})` }]),
];

type ChoiceProps = Shared &
  Changed & {
    row: Presence;
    values: readonly string[];
    labelOf: (value: string) => string;
  };

/** The input of a choice. The empty value means not stated, or that the service fills it in. */
export function ChoiceInput({ row, values, labelOf, onChange, ...props }: ChoiceProps) {
  const t = useTranslations('form');
  const isOptional = mayBeEmpty(row);
  const isFilledIn = !isOptional && props.value === '';
  return (
    <NativeSelect
      {...props}
      data={[
        ...(isOptional || isFilledIn ? [{ value: '', label: t(isOptional ? 'notStated' : 'asUsual') }] : []),
        ...values.map((value) => ({ value, label: labelOf(value) })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type Props = {
  name: string;
  row: Row;
  form: UseFormReturnType<Record<string, string>>;
  label: string;
  labelOf: (value: string) => string;
  description?: string;
  /** Is the empty text refused? */
  required: boolean;
  isFirst?: boolean;
};

/** The input of one field of a company or department, by the kind of its row. */
export function RowInput({ name, row, form, labelOf, required, isFirst = false, ...props }: Props) {
  const { kind, max, values } = row;
  const bound = { ...form.getInputProps(name), ...props, ...(isFirst && { 'data-autofocus': true }) };
  const own = { ...bound, value: form.values[name] ?? '', onChange: (text: string) => form.setFieldValue(name, text) };
  const length = max !== undefined && { maxLength: max };
  switch (kind) {
    case 'timeZone':
      return <TimezoneSelect {...bound} />;
    case 'country':
      return <CountrySelect {...own} />;
    case 'language':
      return <NativeSelect {...bound} data={languages(own.value)} />;
    case 'choice':
      return <ChoiceInput {...own} row={row} values={values ?? []} labelOf={labelOf} />;
    case 'flag':
      return <FlagInput {...own} />;
    case 'day':
      return <DateField {...own} required={required} />;
    case 'integer':
      // One more digit than allowed, so that the service can report the limit.
      return (
        <TextInput {...bound} inputMode="numeric" maxLength={String(max).length + 1} required={!mayBeEmpty(row)} />
      );
    case 'longText':
      return <Textarea {...bound} {...length} rows={3} />;
    default:
      return <TextInput {...bound} {...length} required={required} />;
  }
}
