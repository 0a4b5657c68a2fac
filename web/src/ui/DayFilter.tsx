import type { ComponentProps } from 'react';
import { DateField } from './DateField.tsx';

type Props = Omit<ComponentProps<typeof DateField>, 'value' | 'onChange'> & {
  value: string | undefined;
  onChange: (day: string | undefined) => void;
};

/** A date filter. */
export const DayFilter = ({ value = '', onChange, ...field }: Props) => (
  <DateField {...field} value={value} onChange={(day) => onChange(day || undefined)} />
);
