import type { EvaluationItem } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFigures } from './figures.ts';
import classes from '../../../ui/Panes.module.css';

/** The target of a measured item. */
export function Goal({ item }: { item: EvaluationItem }) {
  const t = useTranslations('kpiEvaluationGoal');
  const { amount, percent } = useFigures();
  const { unit, proration } = item;
  const canExceed = item.direction === 'higher_better' || item.direction === 'lower_better';
  const days = { days: proration?.employed_days ?? 0, all: proration?.cycle_days ?? 0 };
  const value = (label: string, of: number | null | undefined): [string, ReactNode][] =>
    typeof of === 'number' ? [[label, amount(of, unit)]] : [];
  const items: [string, ReactNode][] = [
    ...(item.direction ? [[t('direction'), t(`directions.${item.direction}`)] as [string, ReactNode]] : []),
    ...value(t('proratedTarget', days), proration?.target_value),
    ...value(t('proratedBaseline', days), proration?.baseline_value),
    ...value(t(proration ? 'fullTarget' : 'target'), item.target_value),
    ...value(t(proration ? 'fullBaseline' : 'baseline'), item.baseline_value),
    ...(item.tolerance_pct === null ? [] : [[t('tolerance'), percent(item.tolerance_pct)] as [string, ReactNode]]),
    ...(item.cap_pct === null || !canExceed ? [] : [[t('cap'), percent(item.cap_pct)] as [string, ReactNode]]),
  ];
  return (
    <dl className={classes['target']}>
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
