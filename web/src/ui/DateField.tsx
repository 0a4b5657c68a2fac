import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

type Props = {
  label: string;
  /** Show the label above the field; otherwise it is only said. */
  labelled?: boolean;
  /** `YYYY-MM-DD`, or '' for no day. */
  value: string;
  onChange: (day: string) => void;
  description?: string;
  error?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  min?: string;
  max?: string;
  name?: string;
};

/** A day without a time zone, typed or picked in the way the browser and its language are used to. */
export function DateField({ label, labelled = true, value, onChange, error, name, ...field }: Props) {
  const t = useTranslations('form');
  const [half, setHalf] = useState(false);
  const problem = error ?? (half ? t('halfDay') : undefined);
  return (
    <TextInput
      {...field}
      {...(labelled ? { label } : { 'aria-label': label })}
      type="date"
      value={value}
      {...(name !== undefined && { name })}
      {...(problem !== undefined && { error: problem })}
      onChange={(event) => {
        if (!event.currentTarget.validity.badInput) setHalf(false);
        onChange(event.currentTarget.value);
      }}
      // A day typed in part has no value at all: said, before it is taken for "no day".
      onBlur={(event) => setHalf(event.currentTarget.validity.badInput)}
    />
  );
}

type FilterProps = Omit<Props, 'value' | 'onChange'> & {
  value: string | undefined;
  onChange: (day: string | undefined) => void;
};

/** A day that narrows what is shown. While its year is typed, browsers tell of days in the years 2, 20 and 202 first. */
export function DayFilter({ value = '', onChange, ...field }: FilterProps) {
  const [typed, setTyped] = useState(value);
  const [before, setBefore] = useState(value);
  if (before !== value) {
    setBefore(value);
    setTyped(value);
  }
  return (
    <DateField
      {...field}
      value={typed}
      onChange={(day) => {
        setTyped(day);
        if (day === '' || /^(19|20|21)\d\d-/.test(day)) onChange(day || undefined);
      }}
    />
  );
}
