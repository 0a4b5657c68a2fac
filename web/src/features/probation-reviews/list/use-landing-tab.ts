import { probationEndings, probationReviews } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { load } from '../../../api/query.ts';
import type { ProbationTab } from '../search.ts';
import { endingQuery, reviewQuery } from './queries.ts';

/** In this order: open reviews, own reviews, ending probations, all reviews. */
const order = ['mine', 'todo', 'ending', 'all'] as const satisfies readonly ProbationTab[];

type TabQuery = { data: { meta: { total: number } } | undefined; isError: boolean; isPending: boolean };
const hasNothing = ({ data, isError }: TabQuery) => isError || data?.meta.total === 0;

/**
 * The initial tab: the first one that has rows for the user. It stays while the page is open, and is undefined until
 * it is known. The requests are those of the tabs, so they are cached.
 */
export function useLandingTab(tabs: readonly ProbationTab[], isAsked: boolean): ProbationTab | undefined {
  const [landed, setLanded] = useState<ProbationTab>();
  const candidates = order.filter((tab) => tabs.includes(tab));
  const asks = isAsked && landed === undefined && candidates.length > 1;
  const has = (tab: ProbationTab) => asks && candidates.includes(tab);
  const todo = useQuery({
    ...load(probationReviews.list, { query: reviewQuery('todo', {}) }),
    enabled: has('todo'),
  });
  const isDone = !candidates.includes('todo') || hasNothing(todo);
  const ending = useQuery({
    ...load(probationEndings.upcoming, { query: endingQuery({}) }),
    enabled: has('ending') && isDone,
  });
  const asked: Partial<Record<ProbationTab, TabQuery>> = { todo, ending };
  const first = candidates.find((tab) => !asked[tab] || !hasNothing(asked[tab])) ?? candidates.at(-1);
  const isKnown = first !== undefined && (candidates.length === 1 || asked[first]?.isPending !== true);
  const tab = isKnown ? first : undefined;
  if (asks && tab !== undefined) setLanded(tab);
  return landed ?? tab;
}
