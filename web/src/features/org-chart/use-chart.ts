import { orgChart } from '@tenure/contract';
import { keepPreviousData, useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { ApiError } from '../../api/api-error.ts';
import { failedWithoutData, load } from '../../api/query.ts';
import type { Mode, OrgChartSearch } from './search.ts';
import { growForest, keyOf, rowsOf, type Branch, type Family } from './tree.ts';

const fresh = 60_000;

type Answer = { data: Family & { path: number[] | null } };
type FamilyState = { data: Family | undefined; failed: boolean };

// A stable function, so that the results are combined again only when they change.
const combine = (results: UseQueryResult<Answer, ApiError>[]): FamilyState[] =>
  results.map((one) => ({ data: one.data?.data, failed: failedWithoutData(one) }));

const idOf = (key: string): number => Number(key.slice(key.indexOf('-') + 1));

/** Initially expanded: companies, and by manager the top-level managers unless there are many. */
function initiallyOpen({ nodes }: Family, by: Mode): Set<string> {
  if (by === 'department') return new Set(nodes.map(({ entity }) => keyOf('entity', entity?.id ?? 0)));
  const leaders = nodes.filter(({ children_count }) => children_count > 0);
  return new Set((leaders.length > 3 ? leaders.slice(0, 1) : leaders).map(({ id }) => keyOf('employee', id)));
}

/** The expanded nodes: those that the user expanded, the ancestors of the focused person, and the initial ones. */
function useOpen(top: Family | undefined, path: readonly number[] | null, by: Mode) {
  const [toggled, setToggled] = useState<Readonly<Record<string, boolean>>>({});
  const initial = useMemo(() => {
    const open = top ? initiallyOpen(top, by) : new Set<string>();
    for (const id of path ?? []) open.add(keyOf(by === 'manager' ? 'employee' : 'department', id));
    return open;
  }, [top, path, by]);
  const isOpen = useCallback((key: string) => toggled[key] ?? initial.has(key), [toggled, initial]);
  const keys = useMemo(() => {
    const all = new Set([...initial, ...Object.keys(toggled)]);
    return [...all].filter((key) => !key.startsWith('entity') && isOpen(key)).sort();
  }, [initial, toggled, isOpen]);
  return {
    isOpen,
    keys,
    toggle: useCallback(
      (key: string, open?: boolean) =>
        setToggled((old) => ({ ...old, [key]: open ?? !(old[key] ?? initial.has(key)) })),
      [initial],
    ),
    /** Resets to the initially expanded nodes and the ancestors of the focused person. */
    reset: useCallback(() => setToggled({}), []),
    closeAll: useCallback(
      () =>
        setToggled(Object.fromEntries([...initial].filter((key) => !key.startsWith('entity')).map((k) => [k, false]))),
      [initial],
    ),
  };
}

export type Chart = ReturnType<typeof useChart>;

/** The chart for the search parameters; children load when their node is expanded. */
export function useChart({ by = 'manager', entity_id, focus, as_of }: OrgChartSearch) {
  const asked = { by, ...(entity_id !== undefined && { entity_id }), ...(as_of && { as_of }) };
  const top = useQuery({
    ...load(orgChart.get, { query: { ...asked, depth: by === 'manager' ? 2 : 1 } }),
    staleTime: fresh,
  });
  const focused = useQuery({
    ...load(orgChart.get, { query: { ...asked, depth: 1, person_id: focus } }),
    enabled: focus !== undefined,
    staleTime: fresh,
    placeholderData: keepPreviousData,
  });
  const path = focus === undefined ? null : (focused.data?.data.path ?? null);
  const open = useOpen(top.data?.data, path, by);
  const embedded = useMemo(() => embeddedIn(top.data?.data), [top.data]);
  const wanted = open.keys.filter((key) => !embedded.has(key));
  const below = (key: string) => load(orgChart.get, { query: { ...asked, depth: 1, root_id: idOf(key) } });
  const states = useQueries({ queries: wanted.map((key) => ({ ...below(key), staleTime: fresh })), combine });
  const forest = useForest(top.data?.data, by, wanted, states, open.isOpen);
  const queries = useQueryClient();
  const retry = (key: string) => void queries.refetchQueries({ queryKey: below(key).queryKey });
  const isOutside = focus !== undefined && focused.isSuccess && !focused.isPlaceholderData && path === null;
  const isLoading = states.some(({ data, failed }) => !data && !failed);
  /** The focused person is being searched for, or the branches on the way are loading. */
  const isFinding = focus !== undefined && (focused.isPending || (path !== null && isLoading));
  return { top, by, forest, isFinding, rows: useMemo(() => rowsOf(forest), [forest]), open, retry, isOutside };
}

/** The nodes whose children came with the top level. */
const embeddedIn = (top: Family | undefined): Set<string> =>
  new Set(
    (top?.nodes ?? [])
      .filter(({ type, children }) => type === 'employee' && children.length > 0)
      .map(({ id }) => keyOf('employee', id)),
  );

function useForest(
  top: Family | undefined,
  by: Mode,
  wanted: readonly string[],
  states: readonly FamilyState[],
  isOpen: (key: string) => boolean,
): Branch[] {
  const keys = wanted.join();
  return useMemo(() => {
    if (!top) return [];
    const names = keys === '' ? [] : keys.split(',');
    const families = new Map<string, Family | null>();
    for (const [index, key] of names.entries()) {
      const state = states[index];
      if (state?.data) families.set(key, state.data);
      else if (state?.failed) families.set(key, null);
    }
    return growForest(top, by === 'department', { families, isOpen });
  }, [top, by, keys, states, isOpen]);
}
