import { Box } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SectionTitle } from '../../../ui/SectionTitle.tsx';
import { useResult } from '../../../ui/use-percent.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import type { FinalResult } from './use-reviews.ts';

const bounds = [80, 60, 40, 20];
const [height, top, bottom, left, right] = [176, 26, 34, 44, 20];

/** The final results over time as a line, with the change in words; the table of reviews has the same numbers. */
export function ScoreTrend({ results }: { results: readonly FinalResult[] }) {
  const t = useTranslations('personReviews');
  const phone = usePhone();
  const shown = results.slice(phone ? -4 : -8);
  if (shown.length < 2) return null;
  return (
    <Box component="section" px="gutter" aria-label={t('trend')}>
      <SectionTitle>{t('trend')}</SectionTitle>
      <p className="muted">
        <Change results={results} /> {shown.some(({ isFormer }) => isFormer) && t('trendFormer')}
      </p>
      <Line results={shown} width={phone ? 360 : 760} />
    </Box>
  );
}

/** The latest result beside the one before, in words. */
function Change({ results }: { results: readonly FinalResult[] }) {
  const t = useTranslations('personReviews.change');
  const percent = useResult();
  const [before, latest] = results.slice(-2);
  if (!before || !latest) return null;
  const change = Math.round((latest.percentage - before.percentage) * 100) / 100;
  const texts = { latest: percent(latest.percentage), cycle: latest.cycle, before: before.cycle };
  return change === 0 ? t('same', texts) : t(change > 0 ? 'up' : 'down', { ...texts, points: Math.abs(change) });
}

function Line({ results, width }: { results: readonly FinalResult[]; width: number }) {
  const percent = useResult();
  const low = Math.max(0, Math.min(50, Math.floor((Math.min(...results.map((one) => one.percentage)) - 5) / 10) * 10));
  const step = (width - left - right) / results.length;
  const x = (index: number) => left + step * (index + 0.5);
  const y = (value: number) => top + ((height - top - bottom) * (100 - value)) / (100 - low);
  const points = results.map(({ percentage }, index) => `${x(index)},${y(percentage)}`).join(' ');
  const letters = Math.max(6, Math.floor(step / 7));
  return (
    <Box maw={width} dir="ltr">
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" aria-hidden fontSize="12" fill="var(--ink-2)">
        {bounds
          .filter((bound) => bound > low)
          .map((bound) => (
            <g key={bound}>
              <line x1={left} x2={width} y1={y(bound)} y2={y(bound)} stroke="var(--line)" />
              <text x={left - 8} y={y(bound) + 4} textAnchor="end">
                {percent(bound)}
              </text>
            </g>
          ))}
        <polyline points={points} fill="none" stroke="var(--series-1)" strokeWidth="2.5" strokeLinejoin="round" />
        {results.map(({ key, cycle, percentage, isFormer }, index) => (
          <g key={key} textAnchor="middle">
            <circle
              cx={x(index)}
              cy={y(percentage)}
              r="4.5"
              fill={isFormer ? 'var(--sheet)' : 'var(--series-1)'}
              stroke="var(--series-1)"
              strokeWidth="2"
            />
            <text x={x(index)} y={y(percentage) - 11} fill="var(--ink)" fontWeight="600">
              {percent(percentage)}
            </text>
            <text x={x(index)} y={height - 8}>
              {cycle.length > letters ? `${cycle.slice(0, letters - 1)}…` : cycle}
            </text>
          </g>
        ))}
      </svg>
    </Box>
  );
}
