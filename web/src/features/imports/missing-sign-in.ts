import { employees } from '@tenure/contract';
import { allPages } from '../../api/all-pages.ts';
import { call } from '../../api/call.ts';

/** The filter for people of an import who have no password or never signed in. */
export const missingSignIn = (id: number) => ({ import_id: [id], missing: ['sign_in' as const] });

/** Reads the ids of all of them, page by page. */
export async function idsMissingSignIn(id: number, signal: AbortSignal): Promise<readonly number[]> {
  const query = { ...missingSignIn(id), per_page: 100 };
  const people = await allPages((page) => call(employees.list, { query: { ...query, page } }, { signal }));
  return people.map((person) => person.id);
}
