import { kpiEvaluations, maxBulkEvaluations, type KpiEvaluationRow } from '@tenure/contract';
import { useState } from 'react';
import { call } from '../../../api/call.ts';

type Query = Record<string, unknown>;

/** The ids of the evaluations that a list finds, page by page, up to the most that one request changes. */
async function idsOf(query: Query): Promise<number[]> {
  const ids: number[] = [];
  const asked = { ...query, per_page: 100, sort_by: 'created_at', sort_direction: 'asc' } as const;
  for (let page = 1, pages = 1; page <= pages && ids.length < maxBulkEvaluations; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one page at a time
    const { data, meta } = await call(kpiEvaluations.list, { query: { ...asked, page } });
    ids.push(...data.map(({ id }) => id));
    pages = meta.last_page;
  }
  return ids;
}

/** The selected evaluations; the selection survives a change of page. */
export function useSelected() {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [failed, setFailed] = useState(false);
  const toggle = (rows: readonly KpiEvaluationRow[], on: boolean) =>
    setIds((old) => {
      const next = new Set(old);
      for (const { id } of rows)
        if (on) next.add(id);
        else next.delete(id);
      return next;
    });
  const all = async (query: Query) => {
    setFailed(false);
    try {
      setIds(new Set(await idsOf(query)));
    } catch {
      setFailed(true);
    }
  };
  return {
    ids,
    count: ids.size,
    failed,
    isOn: ({ id }: KpiEvaluationRow) => ids.has(id),
    toggle,
    all,
    clear: () => setIds(new Set()),
  };
}
export type Selected = ReturnType<typeof useSelected>;
