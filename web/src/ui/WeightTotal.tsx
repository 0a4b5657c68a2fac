import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import classes from './WeightTotal.module.css';
import { usePercent } from './use-percent.ts';
import { whole } from './weights.ts';

/** Milliseconds after the last key, so that screen readers announce a figure once. */
const announceAfter = 700;

type Props = {
  /** In hundredths of a percent. */
  total: number;
  /** The missing or excess weight as text. */
  words: (state: 'exact' | 'left' | 'over', rest: string) => string;
  /** Both as one sentence for screen readers. */
  announcement: (total: string, words: string) => string;
  compact?: boolean;
};

/** A sum of weights with a bar, and the weight missing to 100 % or in excess. */
export function WeightTotal({ total, words, announcement, compact = false }: Props) {
  const percent = usePercent(2);
  const state = total === whole ? 'exact' : total < whole ? 'left' : 'over';
  const text = words(state, percent(Math.abs(whole - total) / 100));
  const [announced] = useDebouncedValue(announcement(percent(total / 100), text), announceAfter);
  return (
    <Stack className={classes['total'] ?? ''} gap={2} w="100%" fz="sm" data-state={state}>
      <Text span className="numbers" fz={compact ? 16 : 24} fw={620} lh={1.2}>
        {percent(total / 100)}
      </Text>
      <span className={classes['words']}>{text}</span>
      <div className={classes['gauge']} aria-hidden>
        <div style={{ inlineSize: `${Math.min(100, total / 100)}%` }} />
      </div>
      <output className="visually-hidden">{announced}</output>
    </Stack>
  );
}
