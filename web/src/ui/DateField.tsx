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
