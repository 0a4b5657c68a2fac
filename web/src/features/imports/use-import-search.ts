import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ImportSearch } from './search.ts';

export type ImportChange = { [K in keyof ImportSearch]?: ImportSearch[K] | undefined };

/** The search parameters of an import page of either kind, and navigation within it. */
export function useImportSearch() {
  const search: ImportSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    search,
    go: (next: (old: ImportSearch) => ImportChange) =>
      void navigate({ to: '.', search: ((old: ImportSearch) => next(old)) as never }),
  };
}
