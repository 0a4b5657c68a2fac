import { kpiEvaluations } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { load } from '../../../api/query.ts';
import { NotFoundPage } from '../../../layout/ErrorPages.tsx';
import { isId } from '../../../paths.ts';
import { RecordQuery } from '../../../workflow/RecordQuery.tsx';
import { Evaluation } from './Evaluation.tsx';

const route = getRouteApi('/shell/kpi/evaluations/$id');

/** The page of an evaluation. */
export function EvaluationPage() {
  const { id } = route.useParams();
  return isId(id) ? <OneEvaluation key={id} id={Number(id)} /> : <NotFoundPage />;
}

function OneEvaluation({ id }: { id: number }) {
  const query = useQuery(load(kpiEvaluations.get, { params: { id } }));
  return <RecordQuery query={query}>{(evaluation) => <Evaluation evaluation={evaluation} />}</RecordQuery>;
}
