import { useFormatter } from 'use-intl';
import type { LinkWrapper } from './Chart.tsx';
import classes from './charts.module.css';

export type Bar = {
  key: string | number;
  label: string;
  value: number;
  /** The value as text, if it is not a plain number. */
  text?: string;
  /** A note beside the number. */
  note?: string;
  linkTo?: LinkWrapper | undefined;
  /** One of the series colours, 1 to 6. */
  colour?: number;
};

/** A bar chart whose numbers link to what they count. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const format = useFormatter();
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul className={classes['bars']} aria-label={label} data-wide={bars.some(({ text }) => text) || undefined}>
      {bars.map(({ key, label: name, value, text: shown, note, linkTo = (text) => text, colour = 1 }) => (
        <li key={key}>
          <bdi>{name}</bdi>
          <span className={classes['track']} aria-hidden>
            {value > 0 && <span style={{ width: `${(100 * value) / most}%`, background: `var(--series-${colour})` }} />}
          </span>
          <span className={classes['value']}>
            {linkTo(
              <>
                {shown ?? format.number(value)} <span className="visually-hidden">{name}</span>
              </>,
            )}
            {note !== undefined && <span className="muted">{note}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
