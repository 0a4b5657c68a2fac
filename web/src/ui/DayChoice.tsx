import { useState } from 'react';
import { DateField } from './DateField.tsx';

type Props = { label: string; day: string; onDay: (day: string) => void };

/** A day that is always set; it stays while another one is typed. */
export function DayChoice({ label, day, onDay }: Props) {
  const [typed, setTyped] = useState({ from: day, value: day });
  // the day was changed from outside
  if (typed.from !== day) setTyped({ from: day, value: day });
  const type = (value: string) => {
    setTyped({ from: day, value });
    if (value !== '' && value !== day) onDay(value);
  };
  return <DateField label={label} value={typed.value} onChange={type} />;
}
