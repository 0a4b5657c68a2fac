import type { ImportField } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { Layout } from '../../imports/columns.ts';
import type { ImportRecord } from '../../imports/record.ts';

const cellOf = (layout: Layout<ImportField>, field: ImportField) => {
  const column = layout.get(field);
  return column === undefined ? sql`null::text` : sql`nullif(btrim(cells ->> ${column}::int), '')`;
};

/** Rows whose display name would equal that of another row of the file; none for a file without such a column. */
export async function rowsWithSharedNames(
  db: Db,
  { id }: ImportRecord,
  layout: Layout<ImportField>,
): Promise<ReadonlySet<number>> {
  if (!layout.has('display_name')) return new Set();
  const { rows } = await sql<{ row: number }>`
    with named as materialized (
      select "row", name_shape(${cellOf(layout, 'display_name')}) as shown,
             name_shape(coalesce(${cellOf(layout, 'first_name')}, '') || ' ' || coalesce(${cellOf(layout, 'last_name')}, '')) as own
      from import_rows where import_id = ${id} and not coalesce((flaws ->> 'left_out')::boolean, false)),
    used as (
      select own as shape, "row" from named where own <> ''
      union select shown, "row" from named where shown <> ''),
    counted as (select shape, count(*) as n from used group by shape having count(*) > 1)
    select n."row" from named n join counted c on c.shape = n.shown where n.shown <> n.own`.execute(db);
  return new Set(rows.map(({ row }) => row));
}
