import { probationEndings, probationReviews } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { load } from '../../../api/query.ts';
import type { ProbationTab } from '../search.ts';
import { endingQuery, reviewQuery } from './queries.ts';

/** Of those the reader has: what is to do, else whose probation ends, else everything. */
const order = ['mine', 'todo', 'ending', 'all'] as const satisfies readonly ProbationTab[];

type Asked = { data: { meta: { total: number } } | undefined; isError: boolean; isPending: boolean };
const hasNothing = ({ data, isError }: Asked) => isError || data?.meta.total === 0;

/**
 * The tab the page opens with: the first that has something for the reader. It stays while they are here, whatever
 * becomes of it; undefined until it is known. What is asked is what the tab then shows.
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
  const asked: Partial<Record<ProbationTab, Asked>> = { todo, ending };
  const first = candidates.find((tab) => !asked[tab] || !hasNothing(asked[tab])) ?? candidates.at(-1);
  const isKnown = first !== undefined && (candidates.length === 1 || asked[first]?.isPending !== true);
  const tab = isKnown ? first : undefined;
  if (asks && tab !== undefined) setLanded(tab);
  return landed ?? tab;
}
