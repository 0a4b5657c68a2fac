import type { EvaluationPart } from '@tenure/contract';
import { useTranslations } from 'use-intl';

/** The part of the cycle that an evaluation covers; renders nothing if it covers the whole cycle. */
export function PartOf({ part }: { part: EvaluationPart | null }) {
  const t = useTranslations('evaluationStatus');
  return part && <span className="muted small">{t('part', { number: part.number })}</span>;
}
