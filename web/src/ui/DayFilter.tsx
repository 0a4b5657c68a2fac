import { useState, type ComponentProps } from 'react';
import { DateField } from './DateField.tsx';

type Props = Omit<ComponentProps<typeof DateField>, 'value' | 'onChange'> & {
  value: string | undefined;
  onChange: (day: string | undefined) => void;
};

/** A date filter. It ignores the years 2, 20 and 202, which browsers report while a year is typed. */
export function DayFilter({ value = '', onChange, ...field }: Props) {
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
