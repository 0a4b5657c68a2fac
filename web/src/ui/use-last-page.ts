import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { PageMeta } from './Pager.tsx';

type Shown = { data: { data: readonly unknown[]; meta: PageMeta } | undefined; isPlaceholderData: boolean };

/** Leads from a page whose last row went away to the last one there is; `onPage` for a page that no address has. */
export function useLastPage({ data, isPlaceholderData }: Shown, onPage?: (page: number) => void): void {
  const { page }: { page?: number } = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = useEffectEvent((last: number) => {
    if (page === undefined) return onPage?.(last);
    // In place of the address that leads nowhere: going back must not come here again.
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
