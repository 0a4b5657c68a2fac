import type { employeeImportCorrections } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { record as recordAudit } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { HandlerCtx } from '../http/context.ts';
import { invalid, notFound } from '../http/errors.ts';
import { checkRevision } from '../workflow/transition.ts';
import { canHaveColumn, columnFor, recheck, requireStaged, setImport } from './edit.ts';
import { fieldOf, isField } from './columns.ts';
import type { Column } from './columns.ts';
import type { ImportKind } from './kind.ts';
import { cellAt } from './problems.ts';
import { maxRowsInRequest } from './record.ts';
import type { ImportRecord } from './record.ts';
import { formName } from './remarks.ts';
import { previewState } from './run.ts';

type ReplaceCtx = HandlerCtx<typeof employeeImportCorrections.replace>;
type UndoCtx = HandlerCtx<typeof employeeImportCorrections.undoReplacement>;

/** The columns with that of a field, and its index. Refuses fields whose values rows cannot share. */
function columnOf(kind: ImportKind, { actor, body }: ReplaceCtx, record: ImportRecord) {
  const { field } = body;
  const columns: Column[] = record.columns.map((column) => ({ ...column }));
  const isKnown = isField(kind.vocabulary, field) && kind.isShared(field) && !kind.hiddenFrom(actor, record).has(field);
  if (!isKnown || !canHaveColumn(columns, field)) throw invalid('field', text('validation.selected'));
  return { columns, index: columnFor(columns, field) };
}

type Change = { id: number; key: string; index: number; from: string; to: string };

/** Replaces a cell in all rows where it is an error, and notes the previous one for an undo. One statement. */
async function replaceCells(db: Db, importId: number, { id, key, index, from, to }: Change): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    update import_rows r set
      cells = (select jsonb_agg(case when i = ${index} then to_jsonb(${to}::text) else coalesce(r.cells -> i, '""') end
                                order by i)
               from generate_series(0, greatest(jsonb_array_length(coalesce(r.cells, '[]')) - 1, ${index}::int)) i),
      flaws = jsonb_strip_nulls(coalesce(r.flaws, '{}') || jsonb_build_object(
        'formulas', (select jsonb_agg(f) from jsonb_array_elements(r.flaws -> 'formulas') f
                     where f <> to_jsonb(${index}::int)),
        'replaced', coalesce(r.flaws -> 'replaced', '{}') || jsonb_build_object(${String(index)}::text,
          jsonb_build_object('by', ${id}::int, 'text', coalesce(r.cells ->> ${index}::int, ''), 'edited', r.edited,
                             'formula', coalesce(r.flaws -> 'formulas' @> to_jsonb(${index}::int), false))))),
      edited = true
    where r.import_id = ${importId} and r.status = 'failed' and r.errors ? ${key} and ${cellAt(index)} = ${from}
    returning r."row"`.execute(db);
  return rows.map(({ row }) => row);
}

/** Rechecks the changed rows, very many of them in a job. */
async function checkAgain(
  kind: ImportKind,
  ctx: ReplaceCtx | UndoCtx,
  {
    record,
    rows,
    before,
  }: { record: ImportRecord; rows: readonly number[]; before: Awaited<ReturnType<ImportKind['readKeys']>> },
): Promise<void> {
  const { db, actor } = ctx;
  const columns = JSON.stringify(record.columns);
  if (rows.length > maxRowsInRequest) {
    await setImport(db, record.id, { columns });
    return recheck(kind, ctx, record);
  }
  const after = await kind.readKeys(db, record);
  await kind.check({ db, actor, record }, after, kind.affected(rows, before, after));
  await setImport(db, record.id, { ...(await previewState(db, record)).state, columns });
}

/** Replaces a wrong value of a column in all rows that have it, and rechecks them. */
export async function replaceValue(kind: ImportKind, ctx: ReplaceCtx, record: ImportRecord) {
  const { db, body } = ctx;
  requireStaged(record, ['preview']);
  checkRevision(record, body, record.status);
  const { columns, index } = columnOf(kind, ctx, record);
  const { field, from, to } = { ...body, from: body.from ?? '', to: body.to ?? '' };
  const before = await kind.readKeys(db, record);
  const rows = await replaceCells(db, record.id, { id: record.revision, key: formName(field), index, from, to });
  if (rows.length === 0) throw invalid('from', text('imports.nothing_to_replace'));
  await checkAgain(kind, ctx, { record: { ...record, columns }, rows, before });
  await recordAudit(ctx, {
    action: 'import.rows_corrected',
    subject_id: record.id,
    subject_label: record.file_name,
    changes: { rows: { from: null, to: rows.length }, fields: { from: null, to: [field] } },
  });
  return { id: record.revision, field, rows: rows.length };
}

/** Restores the cells of a replacement; a cell corrected since has no note of it, and stays. One statement. */
async function restoreCells(db: Db, importId: number, id: number): Promise<{ row: number; index: number }[]> {
  const { rows } = await sql<{ row: number; index: number }>`
    update import_rows r set
      cells = jsonb_set(r.cells, array[c.index], c.note -> 'text'),
      edited = (c.note ->> 'edited')::boolean,
      flaws = nullif(jsonb_strip_nulls(r.flaws || jsonb_build_object(
        'formulas', case when (c.note ->> 'formula')::boolean
                         then coalesce(r.flaws -> 'formulas', '[]') || to_jsonb(c.index::int)
                         else r.flaws -> 'formulas' end,
        'replaced', nullif((r.flaws -> 'replaced') - c.index, '{}'))), '{}')
    from (select f."row", n.key as index, n.value as note
          from import_rows f cross join lateral jsonb_each(f.flaws -> 'replaced') n
          where f.import_id = ${importId} and n.value ->> 'by' = ${String(id)}) c
    where r.import_id = ${importId} and r."row" = c."row"
    returning r."row", c.index::int as index`.execute(db);
  return rows;
}

/** Undoes a replacement and rechecks its rows. Throws 404 if no row is left that it changed. */
export async function undoReplacement(kind: ImportKind, ctx: UndoCtx, record: ImportRecord): Promise<void> {
  requireStaged(record, ['preview']);
  const before = await kind.readKeys(ctx.db, record);
  const restored = await restoreCells(ctx.db, record.id, ctx.params.replacement);
  const [first] = restored;
  if (!first) throw notFound();
  await checkAgain(kind, ctx, { record, rows: restored.map(({ row }) => row), before });
  const column = record.columns[first.index];
  await recordAudit(ctx, {
    action: 'import.correction_undone',
    subject_id: record.id,
    subject_label: record.file_name,
    changes: {
      rows: { from: null, to: restored.length },
      fields: { from: null, to: column ? [fieldOf(column) ?? column.header] : [] },
    },
  });
}
