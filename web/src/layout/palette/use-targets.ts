import { useDebouncedValue } from '@mantine/hooks';
import { directory, search } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { colleagueTargets, foundTargets, matching, ownTargets, type Target } from './entries.ts';
import { recentTargets } from './recent.ts';

const leastLetters = 2;

/** The targets for the typed text: pages and actions at once, results of the service after a moment. */
export function useTargets(typed: string): { targets: Target[]; isSearching: boolean; isError: boolean } {
  const nav = useTranslations('nav');
  const t = useTranslations('palette');
  const viewer = useSession();
  const { user, hasDirectory } = viewer;
  const [asked] = useDebouncedValue(typed.trim(), 150);
  const isAsked = asked.length >= leastLetters;
  const found = useQuery({
    ...load(search.find, { query: { q: asked, limit: 6 } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const cards = useQuery({
    ...load(directory.list, { query: { search: asked, per_page: 6 } }),
    enabled: isAsked && hasDirectory,
    placeholderData: keepPreviousData,
  });
  const own = ownTargets(viewer, { page: (key) => nav(key), action: (key) => t(`action.${key}`) });
  const recent = typed.trim() === '' && user ? recentTargets(user.id) : [];
  const hits = isAsked && found.data ? foundTargets(found.data.data) : [];
  const colleagues = isAsked && found.data && cards.data ? colleagueTargets(cards.data.data, found.data.data) : [];
  return {
    targets: [...recent, ...hits, ...colleagues, ...matching(own, typed)],
    isSearching: isAsked && (found.isFetching || cards.isFetching),
    isError: isAsked && found.isError,
  };
}
