import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { PageMeta } from './Pager.tsx';

type Shown = { data: { data: readonly unknown[]; meta: PageMeta } | undefined; isPlaceholderData: boolean };

/** Redirects from a page without rows to the last one; `onPage` is for pages that are not in the address. */
export function useLastPage({ data, isPlaceholderData }: Shown, onPage?: (page: number) => void): void {
  const { page }: { page?: number } = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = useEffectEvent((last: number) => {
    if (page === undefined) return onPage?.(last);
    // Replaces the history entry: going back must not return to the missing page.
    void navigate({
      to: '.',
      search: ((old: object) => ({ ...old, page: last })) as never,
      replace: true,
      state: true,
    });
  });
  const isGone = data?.data.length === 0 && data.meta.current_page > data.meta.last_page && !isPlaceholderData;
  const last = data?.meta.last_page ?? 1;
  useEffect(() => {
    if (isGone) go(last);
  }, [isGone, last]);
}
