import type { Import } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { load } from '../../api/query.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { useImportKind } from './kinds.ts';

const ProblemList = lazyPart(() => import('./ProblemList.tsx'), 'ProblemList', 'import-problems', 'person');

/**
 * The common problems of failed rows, each with one correction for all of them, above the rows. The rows wait until the
 * problems are loaded, which would otherwise push them down.
 */
export function WithProblems({ found, children }: { found: Import; children: ReactNode }) {
  const api = useImportKind().corrections;
  const isEditable = found.allowed_actions.includes('update');
  const query = useQuery({
    ...load(api.problems, { params: { id: found.id } }),
    enabled: isEditable,
    staleTime: 0,
  });
  // a retry after an error leaves the rows on the screen
  if (isEditable && query.isPending && query.errorUpdateCount === 0) return <LoadingLines lines={6} />;
  return (
    <Suspense fallback={<LoadingLines lines={6} />}>
      {query.data && <ProblemList found={found} problems={query.data.data} />}
      {children}
    </Suspense>
  );
}
