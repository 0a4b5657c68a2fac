import { kpiEvidence, type Evidence, type KpiEvaluation } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../../api/query.ts';
import { ErrorState } from '../../../../ui/ErrorState.tsx';
import { LabelledText } from '../../../../ui/LabelledText.tsx';
import { PrintedBy } from '../../../../ui/paper.ts';
import { overallTexts } from '../values.ts';
import { EvidenceList } from './EvidenceList.tsx';
import { NextReview } from './NextReview.tsx';
import classes from './reading.module.css';
import { Result } from './Result.tsx';
import { Scores } from './Scores.tsx';

type Props = { evaluation: KpiEvaluation; onExplain: () => void };

/** A read-only evaluation on one page: result, all items with both sides, comments and evidence. */
export function ReadingPart({ evaluation, onExplain }: Props) {
  // an evaluation has at most fifty pieces
  const query = useQuery(
    load(kpiEvidence.list, { params: { id: evaluation.id }, query: { per_page: 50, sort_direction: 'asc' } }),
  );
  const evidence = query.data?.data ?? [];
  return (
    <div className={classes['reading']}>
      <NextReview evaluation={evaluation} />
      <Result evaluation={evaluation} onExplain={onExplain} />
      <Scores evaluation={evaluation} evidence={evidence} />
      <Comments evaluation={evaluation} evidence={evidence.filter(({ item_id }) => item_id === null)} />
      <Suspense>
        <PrintedBy />
      </Suspense>
      {failedWithoutData(query) && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
    </div>
  );
}

/** The overall comments of each visible side. */
function Comments({ evaluation, evidence }: { evaluation: KpiEvaluation; evidence: readonly Evidence[] }) {
  const r = useTranslations('kpiEvaluationReading');
  const w = useTranslations('kpiEvaluationWhole');
  const names = [overallTexts.self[0], ...overallTexts.manager, overallTexts.hr[0]];
  const written = names.filter((name) => typeof evaluation[name] === 'string' && evaluation[name] !== '');
  return (
    <section className={classes['part']} id="item-0">
      <h2>{r('comments')}</h2>
      {written.length === 0 && <p className="muted">{r('noComments')}</p>}
      {written.map((name) => (
        <LabelledText key={name} level="h3" label={w(`field.${name}`)} text={evaluation[name]} />
      ))}
      {evaluation.flag_reason && (
        <LabelledText level="h3" label={w('field.flag_reason')} text={evaluation.flag_reason} />
      )}
      <EvidenceList evidence={evidence} />
    </section>
  );
}
