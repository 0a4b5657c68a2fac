import type { KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../../api/session.tsx';
import { limitsOf, placeOf } from '../bands.ts';
import { useFigures } from '../figures.ts';
import classes from './reading.module.css';

type Props = { evaluation: KpiEvaluation; onExplain: () => void };

/** The result and what it means; for its subject in the second person. */
export function Result({ evaluation, onExplain }: Props) {
  const t = useTranslations('kpiEvaluation');
  const r = useTranslations('kpiEvaluationReading');
  const { user } = useSession();
  const { score, percent, given } = useFigures();
  const whose = evaluation.employee_id === user?.employee_id ? 'own' : 'other';
  const { explain, overall_score: reached, scale_max: highest } = evaluation;
  const isReached = reached !== undefined && reached !== null;
  const { band_is: band = null, percentage = null } = (isReached && explain.result) || {};
  return (
    <section className={classes['result']} aria-label={r(`result.${whose}`)}>
      <h2>{r(`result.${whose}`)}</h2>
      {isReached ? (
        <p className={classes['figures']}>
          <strong className="numbers">{score(reached)}</strong>
          <span className="muted numbers">{r('ofHighest', { highest: given(highest) })}</span>
          {percentage !== null && <span className="numbers">{percent(percentage)}</span>}
          {band !== null && <span>{t('band', { band: band.name })}</span>}
        </p>
      ) : (
        <p className="muted">{r(`none.${whose}`)}</p>
      )}
      {band !== null && <p>{r(`meaning.${placeOf(band)}`, limitsOf(band, percent))}</p>}
      <Flag evaluation={evaluation} whose={whose} />
      <SelfFigure evaluation={evaluation} />
      {(explain.result ?? explain.self) && (
        <button type="button" className={classes['explain']} onClick={onExplain}>
          {t('howItComes')}
        </button>
      )}
    </section>
  );
}

function Flag({
  evaluation: { performance_flag: flag },
  whose,
}: {
  evaluation: KpiEvaluation;
  whose: 'own' | 'other';
}) {
  const r = useTranslations('kpiEvaluationReading');
  return flag === 'pip' || flag === 'hipo' ? <p>{r(`flag.${whose}.${flag}`)}</p> : null;
}

function SelfFigure({ evaluation: { explain } }: { evaluation: KpiEvaluation }) {
  const r = useTranslations('kpiEvaluationReading');
  const { score, percent } = useFigures();
  const { self } = explain;
  if (!self || self.score === null || self.percentage === null) return null;
  return <p className="muted">{r('selfFigure', { score: score(self.score), percentage: percent(self.percentage) })}</p>;
}
