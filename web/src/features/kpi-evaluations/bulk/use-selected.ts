import type { KpiEvaluationRow } from '@tenure/contract';
import { useState } from 'react';
import { isSameQuery } from '../../../ui/same-query.ts';

export type Query = Record<string, unknown>;
/** Evaluations selected one by one, or all that a list finds except some. */
export type Selection =
  | { kind: 'some'; ids: readonly number[] }
  | { kind: 'all'; query: Query; total: number; except: readonly number[] };

const none: Selection = { kind: 'some', ids: [] };

function toggled(ids: readonly number[], more: readonly number[], on: boolean): number[] {
  const next = new Set(ids);
  for (const id of more)
    if (on) next.add(id);
    else next.delete(id);
  return [...next];
}

/** The selected evaluations, kept across pages. A selection of a whole list lasts as long as the list is shown. */
export function useSelected(query: Query) {
  const [chosen, setSelection] = useState<Selection>(none);
  const shown = (one: Selection) => (one.kind === 'some' || isSameQuery(one.query, query) ? one : none);
  const selection = shown(chosen);
  const toggle = (rows: readonly KpiEvaluationRow[], on: boolean) => {
    const ids = rows.map(({ id }) => id);
    setSelection((before) => {
      const old = shown(before);
      return old.kind === 'some'
        ? { ...old, ids: toggled(old.ids, ids, on) }
        : { ...old, except: toggled(old.except, ids, !on) };
    });
  };
  return {
    selection,
    count: selection.kind === 'some' ? selection.ids.length : selection.total - selection.except.length,
    isOn: ({ id }: KpiEvaluationRow) =>
      selection.kind === 'some' ? selection.ids.includes(id) : !selection.except.includes(id),
    toggle,
    all: (total: number) => setSelection({ kind: 'all', query, total, except: [] }),
    clear: () => setSelection(none),
  };
}
export type Selected = ReturnType<typeof useSelected>;
