import { employees } from '@tenure/contract';
import { call } from '../../../api/call.ts';
import { listQueryOf } from '../search.ts';
import type { Selection } from './use-selection.ts';

/** The ids of all selected people; a selection by filter is read page by page. */
export async function chosenIds(selection: Selection, signal: AbortSignal): Promise<readonly number[]> {
  if (selection.kind === 'some') return selection.ids;
  const ids: number[] = [];
  const query = { ...listQueryOf(selection.query), per_page: 100, sort_by: 'employee_number' } as const;
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one page at a time
    const { data, meta } = await call(employees.list, { query: { ...query, page } }, { signal });
    ids.push(...data.map(({ id }) => id));
    pages = meta.last_page;
  }
  const out = new Set(selection.except);
  return ids.filter((id) => !out.has(id));
}
