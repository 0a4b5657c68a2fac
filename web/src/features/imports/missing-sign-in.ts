import { employees } from '@tenure/contract';
import { call } from '../../api/call.ts';

/** The filter for people of an import who have no password or never signed in. */
export const missingSignIn = (id: number) => ({ import_id: [id], missing: ['sign_in' as const] });

/** Reads the ids of all of them, page by page. */
export async function idsMissingSignIn(id: number, signal: AbortSignal): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { ...missingSignIn(id), per_page: 100, page };
    // oxlint-disable-next-line no-await-in-loop -- one page at a time
    const { data, meta } = await call(employees.list, { query }, { signal });
    ids.push(...data.map((person) => person.id));
    pages = meta.last_page;
  }
  return ids;
}
