import type { EvaluationPart, KpiEvaluation, WholeResult } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { useDayText } from '../../../ui/use-day-text.ts';
import { usePercent } from '../../../ui/use-percent.ts';
import classes from '../../../ui/RecordPage.module.css';

type Props = { evaluation: KpiEvaluation };

/** The part of the cycle that the evaluation covers, the other part, and the result of both. */
export function WholePart({ evaluation: { id, part, whole } }: Props) {
  const t = useTranslations('kpiEvaluationParts');
  const percent = usePercent(2);
  const period = usePeriod();
  if (!part || !whole) return null;
  const { overall_percentage: result, band_name: band, parts } = whole;
  const others = parts.filter((one) => one.id !== id);
  return (
    <Notice>
      <div className={classes['told']}>
        <p>{t('covers', { number: part.number, ...period(part), days: part.days })}</p>
        {others.map((other) => (
          <OtherPart key={other.id} part={other} />
        ))}
        {result !== null && (
          <p>
            <strong>{t('result', { percent: percent(result), band: band ?? '' })}</strong>{' '}
            <span className="muted">
              {t('weighted', { parts: parts.map((one) => weightOf(one, t, percent)).join(', ') })}
            </span>
          </p>
        )}
      </div>
    </Notice>
  );
}

type Translate = ReturnType<typeof useTranslations<'kpiEvaluationParts'>>;
type Shown = WholeResult['parts'][number];

const weightOf = ({ overall_percentage: value, days }: Shown, t: Translate, percent: ReturnType<typeof usePercent>) =>
  t('weight', { percent: value === null ? '–' : percent(value), days });

function OtherPart({ part }: { part: Shown }) {
  const t = useTranslations('kpiEvaluationParts');
  const period = usePeriod();
  const { id, number, department, is_completed: isCompleted } = part;
  return (
    <p>
      <Link to={paths.kpiEvaluation} params={{ id: String(id) }}>
        {t('other', { number, department: department.name })}
      </Link>{' '}
      <span className="muted">{t(isCompleted ? 'otherDone' : 'otherOpen', { ...period(part), days: part.days })}</span>
    </p>
  );
}

function usePeriod() {
  const dayText = useDayText();
  return ({ from, until }: EvaluationPart) => ({ from: dayText(from), until: dayText(until) });
}
