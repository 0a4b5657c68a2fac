import type { StagedRow } from '@tenure/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useImportKind } from './kinds.ts';
import type { PageMeta } from '../../ui/Pager.tsx';
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

type Fixes = { key: string; order: readonly number[]; rows: readonly StagedRow[]; result: CorrectionResult };
export type CorrectionResult = { text: string; fails: boolean };

/** Corrected rows stay in place, even if the filter would no longer find them. */
function withFixed(rows: readonly StagedRow[], { order, rows: fixed }: Fixes): StagedRow[] {
  const known = new Map([...fixed, ...rows].map((row) => [row.row, row]));
  const kept = order.flatMap((row) => known.get(row) ?? []);
  return [...kept, ...rows.filter(({ row }) => !order.includes(row))];
}

type Page = { data: StagedRow[]; meta: PageMeta };

/** A page with the corrected rows. The counts include those that the filter no longer finds. */
function withCorrections<P extends Page>(found: P, current: Fixes): P {
  const data = withFixed(found.data, current);
  const kept = data.length - found.data.length;
  const { meta } = found;
  const from = data.length > 0 ? Math.max(meta.from, 1) : meta.from;
  return { ...found, data, meta: { ...meta, from, to: meta.to + kept, total: meta.total + kept } };
}

/** A page of an import's rows, and the result of the last correction. */
export function useRows(id: number, { view, page, search }: Shown) {
  const t = useTranslations('imports');
  const key = [view, page, search].join('|');
  const [fixes, setFixes] = useState<Fixes>();
  const current = fixes?.key === key ? fixes : undefined;
  const queries = useQueryClient();
  const { api, isGrouped } = useImportKind();
  const order = isGrouped ? ({ sort_by: 'key', sort_direction: 'asc' } as const) : {};
  const asked = load(api.rows, { params: { id }, query: { page, search, ...order, ...conditions[view] } });
  const query = useQuery({
    ...asked,
    placeholderData: keepPreviousData,
    // A result cached while the import was running is outdated.
    staleTime: 0,
    select: (found) => (current ? withCorrections(found, current) : found),
  });
  const resultText = ({ row, status, left_out }: StagedRow) =>
    t(left_out ? 'rowLeftOut' : status === 'failed' ? 'rowStillFails' : 'rowMended', { row });
  const onFixed = (row: StagedRow) => {
    const order = current?.order ?? query.data?.data.map((one) => one.row) ?? [];
    queries.setQueryData(
      asked.queryKey,
      (old) => old && { ...old, data: old.data.map((one) => (one.row === row.row ? row : one)) },
    );
    setFixes((old) => {
      const others = old?.key === key ? old.rows.filter((one) => one.row !== row.row) : [];
      const result = { text: resultText(row), fails: row.status === 'failed' };
      return { key, order, rows: [...others, row], result };
    });
  };
  return { query, result: current?.result, onFixed };
}
