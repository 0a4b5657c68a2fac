import { employeeImports, type ImportRow } from '@tenure/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';

type Known = { rows: readonly ImportRow[]; closed: readonly number[]; seen: unknown; path: string };

/** Those at work as they are now; those that were, as they were last, with a state that says it has to be asked. */
function follow(known: readonly ImportRow[], running: readonly ImportRow[]): ImportRow[] {
  const ended = known
    .filter(({ id }) => !running.some((one) => one.id === id))
    .map((row) => (row.status === 'processing' ? { ...row, status: 'completed' as const } : row));
  return [...ended, ...running];
}

/**
 * The own imports that are at work, and those that ended since somebody came, except the one whose page is open: that
 * page says it itself.
 */
export function useFollowed() {
  const { user } = useSession();
  const queries = useQueryClient();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const filters = { status: 'processing', created_by: String(user?.id), per_page: 5 };
  const query = useQuery({
    ...load(employeeImports.list, { query: filters }),
    refetchInterval: ({ state }) => ((state.data?.data.length ?? 0) > 0 ? 2_000 : false),
  });
  const running = query.data?.data;
  const [known, setKnown] = useState<Known>({ rows: [], closed: [], seen: undefined, path });
  if (running && (running !== known.seen || path !== known.path)) {
    // Whoever opens the page of an import sees there how it ended.
    const rows = follow(known.rows, running).filter(
      ({ id, status }) => status === 'processing' || path !== `/imports/${id}`,
    );
    setKnown({ ...known, rows, seen: running, path });
  }
  const before = useRef(path);
  useEffect(() => {
    // What was begun on the page just left may still be on its way.
    const left = path !== before.current && before.current.startsWith('/imports/');
    before.current = path;
    if (left) void queries.invalidateQueries({ queryKey: [employeeImports.list.path] });
  }, [path, queries]);
  const followed = known.rows.filter(({ id }) => path !== `/imports/${id}` && !known.closed.includes(id));
  const close = (id: number) => setKnown((old) => ({ ...old, closed: [...old.closed, id] }));
  return { followed, close };
}
