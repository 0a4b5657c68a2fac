import { useDebouncedValue } from '@mantine/hooks';
import { search } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { foundTargets, matching, ownTargets, type Target } from './entries.ts';
import { recentTargets } from './recent.ts';

const leastLetters = 2;

/** The targets for the typed text: pages and actions at once, results of the service after a moment. */
export function useTargets(typed: string): { targets: Target[]; isSearching: boolean; isError: boolean } {
  const nav = useTranslations('nav');
  const t = useTranslations('palette');
  const { user, can } = useSession();
  const [asked] = useDebouncedValue(typed.trim(), 150);
  const isAsked = asked.length >= leastLetters;
  const found = useQuery({
    ...load(search.find, { query: { q: asked, limit: 6 } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const own = ownTargets(can, { page: (key) => nav(key), action: (key) => t(`action.${key}`) });
  const recent = typed.trim() === '' && user ? recentTargets(user.id) : [];
  const hits = isAsked && found.data ? foundTargets(found.data.data) : [];
  return {
    targets: [...recent, ...hits, ...matching(own, typed)],
    isSearching: isAsked && found.isFetching,
    isError: isAsked && found.isError,
  };
}
