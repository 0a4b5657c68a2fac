import type { Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { WriteCtx } from '../http/context.ts';
import { FileReply } from '../http/context.ts';
import { render } from '../languages/languages.ts';
import { writeCsv } from '../spreadsheets/csv-write.ts';
import { toCsvCell } from '../spreadsheets/escape.ts';
import { errorsHeading, fieldOf } from './columns.ts';
import type { ImportKind } from './kind.ts';
import { withoutHidden } from './present.ts';
import { visibleRows } from './policy.ts';
import type { ImportRecord } from './record.ts';

const batch = 1_000;

type Failed = { row: number; cells: string[]; errors: Record<string, Text[]> };

async function* failedRows(
  { db, request }: Pick<WriteCtx, 'db' | 'request'>,
  importId: number,
  {
    indexes,
    shown,
    isVisible,
  }: {
    indexes: readonly number[];
    shown: (errors: Failed['errors']) => Failed['errors'];
    isVisible: ReturnType<typeof visibleRows>;
  },
) {
  const messagesOf = (errors: Failed['errors']) =>
    Object.values(shown(errors))
      .flat()
      .map((text) => render(request.language, text));
  for (let after = 0; ;) {
    const { rows } = await sql<Failed>`
      select r."row", coalesce(r.cells, '[]') as cells, r.errors from import_rows r
      where r.import_id = ${importId} and r.status = 'failed' and r."row" > ${after} and ${isVisible}
      order by r."row" limit ${batch}`.execute(db);
    for (const { cells, errors } of rows)
      yield [...indexes.map((index) => cells[index] ?? ''), messagesOf(errors).join(' ')];
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.row;
  }
}

/** The failed rows with their cells and errors; a corrected file can be uploaded again. */
export function errorsFile(kind: ImportKind, ctx: WriteCtx, record: ImportRecord): FileReply {
  const hidden = kind.hiddenFrom(ctx.actor, record);
  const shown = record.columns.flatMap((column, index) => {
    return hidden.has(fieldOf(column) ?? '') || column.header.toLowerCase() === errorsHeading
      ? []
      : [{ header: column.header, index }];
  });
  const columns = [...shown.map(({ header }) => ({ header })), { header: errorsHeading }];
  const rows = failedRows(ctx, record.id, {
    indexes: shown.map(({ index }) => index),
    shown: withoutHidden(hidden),
    isVisible: visibleRows(kind, ctx.actor, record),
  });
  const stream = writeCsv(columns, rows, { escape: toCsvCell });
  return new FileReply({ stream, mime_type: 'text/csv; charset=utf-8', name: `import-${record.id}-errors.csv` });
}
