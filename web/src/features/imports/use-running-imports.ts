import { employeeImports, type ImportRow } from '@tenure/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';

type Known = { rows: readonly ImportRow[]; closed: readonly number[]; seen: unknown; path: string };

/** Running imports with their latest state; one that is no longer running counts as completed until its state is read. */
function follow(known: readonly ImportRow[], running: readonly ImportRow[]): ImportRow[] {
  const ended = known
    .filter(({ id }) => !running.some((one) => one.id === id))
    .map((row) => (row.status === 'processing' ? { ...row, status: 'completed' as const } : row));
  return [...ended, ...running];
}

/**
 * The user's running imports and those that ended since the page was opened. The import whose page is open is
 * excluded, since its page shows the progress.
 */
export function useRunningImports() {
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
    // Opening the page of an import marks its end as seen.
    const rows = follow(known.rows, running).filter(
      ({ id, status }) => status === 'processing' || path !== `/imports/${id}`,
    );
    setKnown({ ...known, rows, seen: running, path });
  }
  const before = useRef(path);
  useEffect(() => {
    // An import started on the page just left may not be in the list yet.
    const left = path !== before.current && before.current.startsWith('/imports/');
    before.current = path;
    if (left) void queries.invalidateQueries({ queryKey: [employeeImports.list.path] });
  }, [path, queries]);
  const followed = known.rows.filter(({ id }) => path !== `/imports/${id}` && !known.closed.includes(id));
  const close = (id: number) => setKnown((old) => ({ ...old, closed: [...old.closed, id] }));
  return { followed, close };
}
