import type { Import } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { load } from '../../api/query.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useImportKind } from './kinds.ts';

const DateQuestion = lazyPart(() => import('./DateQuestion.tsx'), 'DateQuestion', 'import-problems');
const RepeatedErrors = lazyPart(() => import('./RepeatedErrors.tsx'), 'RepeatedErrors', 'import-problems');

/** What failed rows have in common, with one correction for all of them. */
export function Problems({ found }: { found: Import }) {
  const { api } = useImportKind();
  const query = useQuery({
    ...load(api.problems, { params: { id: found.id } }),
    enabled: found.counts.failed > 0,
    staleTime: 0,
  });
  if (!query.data || !found.allowed_actions.includes('update')) return null;
  const { dates, repeated } = query.data.data;
  return (
    <Suspense fallback={null}>
      {dates && <DateQuestion found={found} dates={dates} />}
      <RepeatedErrors found={found} repeated={found.counts.failed > 0 ? repeated : []} />
    </Suspense>
  );
}
