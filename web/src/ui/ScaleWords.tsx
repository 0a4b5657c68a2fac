import { useFormatter } from 'use-intl';
import classes from './ScaleWords.module.css';

type Props = {
  label: string;
  /** The lowest score. */
  from: number;
  /** The word of each whole score, the lowest first. */
  words: readonly string[];
};

/** The meaning of a scale's whole scores. */
export function ScaleWords({ label, from, words }: Props) {
  const format = useFormatter();
  const said = words.flatMap((word, place) => (word ? [{ score: from + place, word }] : []));
  if (said.length === 0) return null;
  return (
    <ul className={classes['words']} aria-label={label}>
      {said.map(({ score, word }) => (
        <li key={score}>
          <strong className="numbers">{format.number(score)}</strong> <bdi>{word}</bdi>
        </li>
      ))}
    </ul>
  );
}
