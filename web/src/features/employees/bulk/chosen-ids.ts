import { employees } from '@tenure/contract';
import { allPages } from '../../../api/all-pages.ts';
import { call } from '../../../api/call.ts';
import { listQueryOf } from '../search.ts';
import type { Selection } from './use-selection.ts';

/** The ids of all selected people; a selection by filter is read page by page. */
export async function chosenIds(selection: Selection, signal: AbortSignal): Promise<readonly number[]> {
  if (selection.kind === 'some') return selection.ids;
  const query = { ...listQueryOf(selection.query), per_page: 100, sort_by: 'employee_number' } as const;
  const people = await allPages((page) => call(employees.list, { query: { ...query, page } }, { signal }));
  const out = new Set(selection.except);
  return people.map(({ id }) => id).filter((id) => !out.has(id));
}
