import type { ReactNode } from 'react';
import { useFormatter } from 'use-intl';
import { AutoGrid } from '../ui/AutoGrid.tsx';
import type { LinkWrapper } from '../ui/charts/Chart.tsx';
import chart from '../ui/charts/charts.module.css';
import { usePercent } from '../ui/use-percent.ts';
import classes from './blocks.module.css';

export type Figure = {
  label: string;
  /** Undefined if it is hidden from the user; null if there is no data. */
  value: number | null | undefined;
  percent?: true;
  linkTo?: LinkWrapper | undefined;
  note?: string | undefined;
  /** The figure is a problem and gets the problem colour. */
  alert?: boolean;
};

/** Figures side by side, each a link to what it counts. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  const format = useFormatter();
  const formatPercent = usePercent(1);
  const textOf = (value: number | null, percent: boolean) => {
    if (value === null) return '–';
    return percent ? formatPercent(value) : format.number(value);
  };
  return (
    <AutoGrid component="ul" className={classes['figures']} min="min(8rem, 45%)" gap={16} fz="sm" aria-label={label}>
      {figures
        .filter(({ value }) => value !== undefined)
        .map(({ label: name, value = null, percent = false, linkTo = (text) => text, note, alert }) => (
          <li key={name} data-alert={(alert === true && value !== 0) || undefined}>
            <strong className="numbers">
              {linkTo(
                <>
                  {textOf(value, percent)} <span className="visually-hidden">{name}</span>
                </>,
              )}
            </strong>
            <span aria-hidden>{name}</span>
            {note !== undefined && <span className="muted">{note}</span>}
          </li>
        ))}
    </AutoGrid>
  );
}

/** A titled part of the page. */
export const Block = ({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) => (
  <section className={chart['chart']} aria-label={title}>
    <div className={chart['head']}>
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
);
