import { Box, Flex } from '@mantine/core';
import type { KpiCycle } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Days } from './CycleProgress.tsx';
import classes from './timeline.module.css';

type Dates = Pick<
  KpiCycle,
  | 'start_date'
  | 'end_date'
  | 'self_assessment_opens_on'
  | 'self_assessment_closes_on'
  | 'manager_review_opens_on'
  | 'manager_review_closes_on'
  | 'acceptance_days'
>;
type Span = { key: 'period' | 'selfWindow' | 'managerWindow' | 'acceptance'; from: string | null; to: string | null };

const dayLength = 86_400_000;
const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayLength;
const dayOf = (number: number) => new Date(number * dayLength).toISOString().slice(0, 10);
const isDay = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

const colours = {
  period: 'var(--line-strong)',
  selfWindow: 'var(--series-3)',
  managerWindow: 'var(--series-5)',
  acceptance: 'var(--series-2)',
};

function spansOf(dates: Dates): Span[] {
  const lastOfManager = dates.manager_review_closes_on;
  const after = (days: number) => (isDay(lastOfManager) ? dayOf(numberOf(lastOfManager) + days) : null);
  return [
    { key: 'period', from: dates.start_date, to: dates.end_date },
    { key: 'selfWindow', from: dates.self_assessment_opens_on, to: dates.self_assessment_closes_on },
    { key: 'managerWindow', from: dates.manager_review_opens_on, to: dates.manager_review_closes_on },
    { key: 'acceptance', from: after(1), to: after(Math.max(1, dates.acceptance_days)) },
  ];
}

/** The period and its windows as bars, one below the other. */
export function Timeline({ dates }: { dates: Dates }) {
  const t = useTranslations('kpiCycles');
  const spans = spansOf(dates);
  const known = spans
    .flatMap(({ from, to }) => [from, to])
    .filter(isDay)
    .map(numberOf);
  if (known.length < 2) return null;
  const first = Math.min(...known);
  const length = Math.max(...known) - first + 1;
  return (
    <Box component="figure" m={0} mt={18}>
      <figcaption className="visually-hidden">{t('timeline')}</figcaption>
      <Flex component="ul" direction="column" gap={8}>
        {spans.map((span) => (
          <SpanItem key={span.key} span={span} first={first} length={length} />
        ))}
      </Flex>
    </Box>
  );
}

function SpanItem({ span: { key, from, to }, first, length }: { span: Span; first: number; length: number }) {
  const t = useTranslations('kpiCycles');
  const start = isDay(from) ? numberOf(from) : first;
  const end = isDay(to) ? numberOf(to) : first + length - 1;
  const isOpen = !isDay(from) || !isDay(to);
  return (
    <li className={classes['span']}>
      <Flex component="span" wrap="wrap" justify="space-between" gap="0 10px">
        {t(key)}
        <span className="muted">
          <Days from={isDay(from) ? from : null} to={isDay(to) ? to : null} />
        </span>
      </Flex>
      <span className={classes['track']} aria-hidden>
        <span
          style={{
            background: colours[key],
            insetInlineStart: `${((start - first) / length) * 100}%`,
            inlineSize: `${(Math.max(1, end - start + 1) / length) * 100}%`,
            ...(isOpen && { opacity: 0.35 }),
          }}
        />
      </span>
    </li>
  );
}
