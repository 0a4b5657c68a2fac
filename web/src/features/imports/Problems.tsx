import type { Import } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { load } from '../../api/query.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useCorrectionsApi } from './corrections-api.ts';

const ProblemList = lazyPart(() => import('./ProblemList.tsx'), 'ProblemList', 'import-problems');

/** What failed rows have in common, with one correction for all of them. */
export function Problems({ found }: { found: Import }) {
  const api = useCorrectionsApi();
  const query = useQuery({
    ...load(api.problems, { params: { id: found.id } }),
    enabled: found.counts.failed > 0,
    staleTime: 0,
  });
  if (!query.data || found.counts.failed === 0 || !found.allowed_actions.includes('update')) return null;
  return (
    <Suspense fallback={null}>
      <ProblemList found={found} problems={query.data.data} />
    </Suspense>
  );
}
