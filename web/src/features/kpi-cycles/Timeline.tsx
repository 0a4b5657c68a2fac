import type { KpiCycle } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Days } from './CycleBits.tsx';
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

/** The period and its windows one below the other, to see at a glance how they lie. */
export function Timeline({ dates }: { dates: Dates }) {
  const t = useTranslations('kpiCycles');
  const lastOfManager = dates.manager_review_closes_on;
  const spans: Span[] = [
    { key: 'period', from: dates.start_date, to: dates.end_date },
    { key: 'selfWindow', from: dates.self_assessment_opens_on, to: dates.self_assessment_closes_on },
    { key: 'managerWindow', from: dates.manager_review_opens_on, to: dates.manager_review_closes_on },
    {
      key: 'acceptance',
      from: isDay(lastOfManager) ? dayOf(numberOf(lastOfManager) + 1) : null,
      to: isDay(lastOfManager) ? dayOf(numberOf(lastOfManager) + Math.max(1, dates.acceptance_days)) : null,
    },
  ];
  const known = spans
    .flatMap(({ from, to }) => [from, to])
    .filter(isDay)
    .map(numberOf);
  if (known.length < 2) return null;
  const first = Math.min(...known);
  const length = Math.max(...known) - first + 1;
  return (
    <figure className={classes['timeline']}>
      <figcaption className="visually-hidden">{t('timeline')}</figcaption>
      <ul>
        {spans.map(({ key, from, to }) => {
          const start = isDay(from) ? numberOf(from) : first;
          const end = isDay(to) ? numberOf(to) : first + length - 1;
          const isOpen = !isDay(from) || !isDay(to);
          return (
            <li key={key}>
              <span className={classes['label']}>
                {t(key)}
                <span className="muted">
                  <Days from={isDay(from) ? from : null} to={isDay(to) ? to : null} />
                </span>
              </span>
              <span className={classes['track']} aria-hidden>
                <span
                  data-span={key}
                  data-open={isOpen || undefined}
                  style={{
                    insetInlineStart: `${((start - first) / length) * 100}%`,
                    inlineSize: `${(Math.max(1, end - start + 1) / length) * 100}%`,
                  }}
                />
              </span>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
