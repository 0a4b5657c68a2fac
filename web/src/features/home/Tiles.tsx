import { useFormatter } from 'use-intl';
import type { Figure } from '../../figures/Figures.tsx';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import classes from './Tiles.module.css';

export type Tile = Pick<Figure, 'label' | 'linkTo' | 'note'> & {
  value: number;
  /** The values of the last months, oldest first. */
  trend?: readonly number[] | undefined;
};

/** The most important figures, each with its trend. */
export function Tiles({ label, tiles }: { label: string; tiles: readonly Tile[] }) {
  const format = useFormatter();
  return (
    <AutoGrid component="ul" min="min(9.5rem, 45%)" gap={12} fz="sm" aria-label={label}>
      {tiles.map(({ label: name, value, linkTo = (text) => text, note, trend }) => (
        <li key={name} className={classes['tile']} data-quiet={value === 0 || undefined}>
          <span aria-hidden>{name}</span>
          <strong className="numbers">
            {linkTo(
              <>
                {format.number(value)} <span className="visually-hidden">{name}</span>
              </>,
            )}
          </strong>
          <span className={`muted small ${classes['note']}`}>{note}</span>
          <Trend values={trend ?? []} />
        </li>
      ))}
    </AutoGrid>
  );
}

/** A sparkline, whose space is reserved before its values are known. The reports have the numbers. */
function Trend({ values }: { values: readonly number[] }) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const height = (value: number) => 24 - (22 * (value - least)) / (most - least || 1);
  const points = values.map((value, at) => `${(100 * at) / Math.max(1, values.length - 1)},${height(value)}`);
  return (
    <svg className={classes['trend']} viewBox="0 0 100 26" preserveAspectRatio="none" aria-hidden>
      {points.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  );
}
