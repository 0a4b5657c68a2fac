import { permissionCatalogue } from '@tenure/contract';
import type { PermissionRow, QueryOut, roles } from '@tenure/contract';
import { fold } from '../../db/fold.ts';
import { wordsOf } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';
import { pageOffset, pageSize } from '../../http/paging.ts';

type ListQuery = QueryOut<typeof roles.permissions>;

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

/** A page of the permissions, which are part of the release and need no database. */
export function listPermissions(query: ListQuery): { rows: PermissionRow[]; total: number } {
  const words = wordsOf(query.search).map(fold);
  const sort = query.sort_by ?? 'id';
  const sign = query.sort_direction === 'desc' ? -1 : 1;
  const found = permissionCatalogue
    .filter(({ group }) => query.group?.includes(group) ?? true)
    .filter(({ name, label }) => words.every((word) => fold(`${label} ${name}`).includes(word)))
    .sort((a, b) => sign * compare(a[sort], b[sort]) || a.id - b.id);
  const offset = pageOffset(query);
  return { rows: found.slice(offset, offset + pageSize(query)), total: found.length };
}

/** Throws 404 for an unknown id. */
export function findPermission(id: number): PermissionRow {
  const found = permissionCatalogue.find((permission) => permission.id === id);
  if (!found) throw notFound();
  return found;
}
