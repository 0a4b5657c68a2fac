import { Stack } from '@mantine/core';
import type { FormerResult } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { Day } from '../../../ui/Dates.tsx';
import { useResult } from '../../../ui/use-percent.ts';
import { nameOf } from './use-reviews.ts';

type Props = { row: FormerResult };

/** The period of a former result and the system it comes from. */
export function FormerName({ row }: Props) {
  const t = useTranslations('personReviews');
  return (
    <Stack gap={0} miw={0} lh={1.4}>
      <bdi className="truncate">{nameOf(row)}</bdi>
      <span className="muted small">{t('former', { source: row.source })}</span>
    </Stack>
  );
}

/** The result as its source has it: a percentage, points with their scale, or a band alone. */
export function FormerScore({ row: { unit, result, scale_from, scale_to, percentage, band } }: Props) {
  const t = useTranslations('personReviews');
  const percent = useResult();
  const { number } = useFormatter();
  if (result === null) return <span>{t('bandOnly', { band: band ?? '' })}</span>;
  const figure = (value: number | null) => number(value ?? 0, { maximumFractionDigits: 3 });
  const onScale = t('points', { result: figure(result), from: figure(scale_from), to: figure(scale_to) });
  const first = unit === 'percent' ? percent(result) : percentage === null ? onScale : percent(percentage);
  return (
    <Stack component="span" gap={0} lh={1.4}>
      <span className="numbers">{band ? t('withBand', { result: first, band }) : first}</span>
      {first !== onScale && unit === 'points' && <span className="muted small">{onScale}</span>}
    </Stack>
  );
}

/** The days of the period. */
export function FormerDays({ row: { period_from, period_to } }: Props) {
  const t = useTranslations('personReviews');
  const to = () => <Day value={period_to} />;
  if (period_from === null) return t.rich('periodTo', { day: to });
  return t.rich('periodDays', { from: () => <Day value={period_from} />, to });
}
