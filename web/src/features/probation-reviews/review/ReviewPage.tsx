import { probationReviews } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { load } from '../../../api/query.ts';
import { NotFoundPage } from '../../../layout/ErrorPages.tsx';
import { isId } from '../../../paths.ts';
import { RecordQuery } from '../../../workflow/RecordQuery.tsx';
import { Review } from './Review.tsx';

const route = getRouteApi('/shell/probation/$id');

/** The page of a probation review. */
export function ReviewPage() {
  const { id } = route.useParams();
  return isId(id) ? <OneReview key={id} id={Number(id)} /> : <NotFoundPage />;
}

function OneReview({ id }: { id: number }) {
  const query = useQuery(load(probationReviews.get, { params: { id } }));
  return <RecordQuery query={query}>{(review) => <Review review={review} />}</RecordQuery>;
}
