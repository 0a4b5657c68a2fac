import { useDebouncedValue } from '@mantine/hooks';
import classes from './WeightTotal.module.css';
import { usePercent } from './use-percent.ts';
import { whole } from './weights.ts';

/** A moment after the last key, so that a figure is heard once and not while it is typed. */
const quietFor = 700;

type Props = {
  /** In hundredths of a percent. */
  total: number;
  /** What is missing or too much, in words. */
  words: (state: 'exact' | 'left' | 'over', rest: string) => string;
  /** Both as one sentence, to be heard. */
  said: (total: string, words: string) => string;
};

/** A sum of weights, a bar, and in words what is missing to 100 % or too much. */
export function WeightTotal({ total, words, said }: Props) {
  const percent = usePercent();
  const state = total === whole ? 'exact' : total < whole ? 'left' : 'over';
  const told = words(state, percent(Math.abs(whole - total)));
  const [announced] = useDebouncedValue(said(percent(total), told), quietFor);
  return (
    <div className={classes['total']} data-state={state}>
      <strong className="numbers">{percent(total)}</strong>
      <span>{told}</span>
      <div className={classes['gauge']} aria-hidden>
        <div style={{ inlineSize: `${Math.min(100, total / 100)}%` }} />
      </div>
      <output className="visually-hidden">{announced}</output>
    </div>
  );
}
