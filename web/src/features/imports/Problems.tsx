import type { Import } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { load } from '../../api/query.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { useImportKind } from './kinds.ts';

const ProblemList = lazyPart(() => import('./ProblemList.tsx'), 'ProblemList', 'import-problems', 'person');

/**
 * What failed rows have in common, with one correction for all of them, above the rows. The rows are shown once the
 * problems are known, which would push them down later.
 */
export function WithProblems({ found, children }: { found: Import; children: ReactNode }) {
  const api = useImportKind().corrections;
  const isEditable = found.allowed_actions.includes('update');
  const query = useQuery({
    ...load(api.problems, { params: { id: found.id } }),
    enabled: isEditable,
    staleTime: 0,
  });
  // a later try, after an error, leaves the rows where they are
  if (isEditable && query.isPending && query.errorUpdateCount === 0) return <LoadingLines lines={6} />;
  return (
    <Suspense fallback={<LoadingLines lines={6} />}>
      {query.data && <ProblemList found={found} problems={query.data.data} />}
      {children}
    </Suspense>
  );
}
