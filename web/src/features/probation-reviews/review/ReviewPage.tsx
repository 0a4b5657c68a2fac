import { Skeleton } from '@mantine/core';
import { probationReviews } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { isLost, load } from '../../../api/query.ts';
import { NotFoundPage } from '../../../layout/ErrorPages.tsx';
import { isId } from '../../../paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { Review } from './Review.tsx';

const route = getRouteApi('/shell/probation/$id');

/** One probation review. */
export function ReviewPage() {
  const { id } = route.useParams();
  return isId(id) ? <OneReview key={id} id={Number(id)} /> : <NotFoundPage />;
}

function OneReview({ id }: { id: number }) {
  const query = useQuery(load(probationReviews.get, { params: { id } }));
  if (query.isPending) return <ReviewSkeleton />;
  if (isLost(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <Review review={query.data.data} />;
}

function ReviewSkeleton() {
  const t = useTranslations('table');
  return (
    <div className={classes['skeleton']}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={26} width="18rem" />
      <Skeleton height={12} width="26rem" maw="100%" />
      <Skeleton height={24} />
      <Skeleton height={320} />
    </div>
  );
}
