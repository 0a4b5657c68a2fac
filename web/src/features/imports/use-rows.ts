import type { StagedRow } from '@tenure/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useImportKind } from './kinds.ts';
import type { RowView } from './search.ts';

type Shown = { view: RowView; page: number | undefined; search: string | undefined };

const conditions = {
  all: {},
  failed: { status: 'failed' },
  warnings: { has_warnings: true },
  created: { action: 'create' },
  updated: { action: 'update' },
  skipped: { action: 'skip' },
} as const satisfies Record<RowView, object>;

/** Rows that were mended stay where they were, although the question would no longer find them. */
function withFixed(rows: readonly StagedRow[], fixed: readonly StagedRow[]): StagedRow[] {
  const gone = fixed.filter(({ row }) => !rows.some((one) => one.row === row));
  return gone.length === 0 ? [...rows] : [...rows, ...gone].sort((a, b) => a.row - b.row);
}

/** A page of the rows of an import, and what became of the row that was mended last. */
export function useRows(id: number, { view, page, search }: Shown) {
  const t = useTranslations('imports');
  const key = [view, page, search].join('|');
  const [fixes, setFixes] = useState<{ key: string; rows: readonly StagedRow[]; said: string }>();
  const fixed = fixes?.key === key ? fixes.rows : [];
  const queries = useQueryClient();
  const { api, isGrouped } = useImportKind();
  const order = isGrouped ? ({ sort_by: 'key', sort_direction: 'asc' } as const) : {};
  const asked = load(api.rows, { params: { id }, query: { page, search, ...order, ...conditions[view] } });
  const query = useQuery({
    ...asked,
    placeholderData: keepPreviousData,
    // What was read while the service was still at work says nothing about the result.
    staleTime: 0,
    select: (found) => ({ ...found, data: withFixed(found.data, fixed) }),
  });
  const told = ({ row, status, left_out }: StagedRow) =>
    t(left_out ? 'rowLeftOut' : status === 'failed' ? 'rowStillFails' : 'rowMended', { row });
  const onFixed = (row: StagedRow) => {
    queries.setQueryData(
      asked.queryKey,
      (old) => old && { ...old, data: old.data.map((one) => (one.row === row.row ? row : one)) },
    );
    setFixes((old) => {
      const others = old?.key === key ? old.rows.filter((one) => one.row !== row.row) : [];
      return { key, rows: [...others, row], said: told(row) };
    });
  };
  return { query, said: fixes?.key === key ? fixes.said : '', onFixed };
}
