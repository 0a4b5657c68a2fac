import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

type Props = {
  label: string;
  /** Shows the label above the field; otherwise it is for screen readers only. */
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

/** A date input without a time zone, native to the browser. */
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
      // A partly typed date has no value: shown as an error instead of being taken as empty.
      onBlur={(event) => setHalf(event.currentTarget.validity.badInput)}
    />
  );
}
