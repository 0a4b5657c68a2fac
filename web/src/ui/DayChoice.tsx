import { useState } from 'react';
import { DateField } from './DateField.tsx';

type Props = { label: string; day: string; onDay: (day: string) => void };

/** A day that is always set; while another one is typed, it stays. */
export function DayChoice({ label, day, onDay }: Props) {
  const [typed, setTyped] = useState({ from: day, value: day });
  // the day was set from elsewhere since
  if (typed.from !== day) setTyped({ from: day, value: day });
  const type = (value: string) => {
    setTyped({ from: day, value });
    if (value !== '' && value !== day) onDay(value);
  };
  return <DateField label={label} value={typed.value} onChange={type} />;
}
