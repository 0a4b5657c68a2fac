import type { KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import classes from './Total.module.css';
import type { DraftState } from './draft.ts';
import { mainExplanation, useFigures, useSideName } from './figures.ts';

type Props = { evaluation: KpiEvaluation; state: DraftState; isPhone: boolean; onExplain: () => void };

/** The weighted score of the current side, and how complete it is. */
export function Total({ evaluation, state: { base, phase }, isPhone, onExplain }: Props) {
  const t = useTranslations('kpiEvaluation');
  const figures = useFigures();
  const sideName = useSideName();
  const shown = mainExplanation(evaluation, base.side);
  if (!shown || (shown.score === null && !shown.complete)) return <p className="muted">{t('noFigure')}</p>;
  const { performance_flag: flag } = evaluation;
  const isBlend = shown.side === 'manager' && typeof shown.blend?.self_score === 'number';
  const isFresh = phase !== 'unsaved' && phase !== 'saving';
  return (
    <div className={classes['total']} data-stale={!isFresh || undefined}>
      <span className={classes['figureName']}>{isBlend ? t('figureCombined') : sideName(shown)}</span>
      <span className={classes['figures']}>
        <bdi className="numbers">{shown.score === null ? '–' : figures.score(shown.score)}</bdi>
        {shown.percentage !== null && <bdi className="numbers">{figures.percent(shown.percentage)}</bdi>}
        {shown.band_is && <span>{t('band', { band: shown.band_is.name })}</span>}
        {flag && <span>{t(`flag.${flag}`)}</span>}
        {!flag && shown.suggested_flag && <span>{t('suggested', { flag: t(`flag.${shown.suggested_flag}`) })}</span>}
      </span>
      {!shown.complete && (
        <span className={classes['soFar']}>
          {t(isPhone ? 'soFarShort' : 'soFar', { weight: figures.weight(shown.weight_counted) })}
        </span>
      )}
      <button type="button" className={classes['explain']} onClick={onExplain}>
        {t('howItComes')}
      </button>
    </div>
  );
}
