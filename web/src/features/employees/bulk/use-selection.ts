import type { EmployeeRow } from '@tenure/contract';
import { useState } from 'react';
import { isSameQuery } from '../../../ui/same-query.ts';
import type { EmployeesSearch } from '../search.ts';

type Query = Omit<EmployeesSearch, 'page' | 'per_page' | 'view' | 'sort_by' | 'sort_direction'>;

/** People selected one by one, or all that a list finds except some. */
export type Selection =
  | { kind: 'some'; ids: readonly number[] }
  | { kind: 'all'; query: Query; total: number; except: readonly number[] };

const emptySelection: Selection = { kind: 'some', ids: [] };

export const countOf = (selection: Selection): number =>
  selection.kind === 'some' ? selection.ids.length : selection.total - selection.except.length;

const without = (ids: readonly number[], gone: readonly number[]) => ids.filter((id) => !gone.includes(id));
const withAlso = (ids: readonly number[], more: readonly number[]) => [...new Set([...ids, ...more])];

/** Adds people to a selection or removes them. */
export function toggled(selection: Selection, ids: readonly number[], on: boolean): Selection {
  if (selection.kind === 'some')
    return { ...selection, ids: on ? withAlso(selection.ids, ids) : without(selection.ids, ids) };
  return { ...selection, except: on ? without(selection.except, ids) : withAlso(selection.except, ids) };
}

/** The selected people, kept across pages. A selection of a whole list lasts as long as the list is shown. */
export function useSelection(query: Query) {
  const [chosen, setSelection] = useState<Selection>(emptySelection);
  const shown = (one: Selection) => (one.kind === 'some' || isSameQuery(one.query, query) ? one : emptySelection);
  const selection = shown(chosen);
  const includes = (id: number) =>
    selection.kind === 'some' ? selection.ids.includes(id) : !selection.except.includes(id);
  return {
    selection,
    count: countOf(selection),
    includes: ({ id }: EmployeeRow) => includes(id),
    toggle: (rows: readonly EmployeeRow[], on: boolean) =>
      setSelection((old) =>
        toggled(
          shown(old),
          rows.map(({ id }) => id),
          on,
        ),
      ),
    all: (total: number) => setSelection({ kind: 'all', query, total, except: [] }),
    clear: () => setSelection(emptySelection),
  };
}
