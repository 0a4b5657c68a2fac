import { employeeImports } from '@tenure/contract';
import { call } from '../../api/call.ts';

/** Everybody an import added. */
export async function createdIds(id: number, signal: AbortSignal): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { action: 'create', per_page: 100, page } as const;
    // oxlint-disable-next-line no-await-in-loop -- one page at a time
    const { data, meta } = await call(employeeImports.rows, { params: { id }, query }, { signal });
    ids.push(...data.flatMap(({ subject_id }) => subject_id ?? []));
    pages = meta.last_page;
  }
  return ids;
}
