import { Skeleton } from '@mantine/core';
import { kpiEvaluations } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { isLost, load } from '../../../api/query.ts';
import { NotFoundPage } from '../../../layout/ErrorPages.tsx';
import { isId } from '../../../paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Evaluation } from './Evaluation.tsx';
import classes from '../../../ui/RecordPage.module.css';

const route = getRouteApi('/shell/kpi/evaluations/$id');

/** The form of one evaluation. */
export function EvaluationPage() {
  const { id } = route.useParams();
  return isId(id) ? <OneEvaluation key={id} id={Number(id)} /> : <NotFoundPage />;
}

function OneEvaluation({ id }: { id: number }) {
  const query = useQuery(load(kpiEvaluations.get, { params: { id } }));
  if (query.isPending) return <EvaluationSkeleton />;
  if (isLost(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <Evaluation evaluation={query.data.data} />;
}

function EvaluationSkeleton() {
  const t = useTranslations('table');
  return (
    <div className={classes['skeleton']}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={26} width="18rem" />
      <Skeleton height={12} width="26rem" maw="100%" />
      <Skeleton height={24} />
      <div className={classes['body']}>
        <Skeleton height={180} />
        <Skeleton height={320} />
      </div>
    </div>
  );
}
