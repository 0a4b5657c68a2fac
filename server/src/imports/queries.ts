import type { employeeImports, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { allColumns } from '../db/all-columns.ts';
import type { Db } from '../db/connect.ts';
import { every, holdsWords, oneOfIds, oneOfTexts, orderedBy, selectPage } from '../db/lists.ts';
import type { Ctx } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { layoutOf } from './columns.ts';
import type { ImportKind } from './kind.ts';
import { visibleImports, visibleRows } from './policy.ts';
import { presentRow, presentStaged } from './present.ts';
import type { ImportRow, StagedRow, StoredRow } from './present.ts';
import type { Flaws, ImportRecord } from './record.ts';

type ListQuery = QueryOut<typeof employeeImports.list>;
type RowsQuery = QueryOut<typeof employeeImports.rows>;

const sorts: Record<NonNullable<ListQuery['sort_by']>, RawBuilder<unknown>> = {
  created_at: sql`i.created_at`,
  status: sql`i.status`,
  file_name: sql`fold(i.file_name)`,
};

/** A page of the imports that the actor sees, latest first. */
export async function listImports(
  kind: ImportKind,
  { db, actor }: { db: Db; actor: Actor },
  query: ListQuery,
): Promise<{ rows: ImportRow[]; total: number }> {
  const condition = every([
    visibleImports(kind, actor),
    ...oneOfTexts(sql`i.status`, query.status),
    ...oneOfIds(sql`i.created_by`, query.created_by),
    ...holdsWords([sql`i.file_name`], query.search),
  ]);
  const sort = query.sort_by ?? 'created_at';
  const direction = query.sort_direction ?? (sort === 'created_at' ? 'desc' : 'asc');
  const { rows, total } = await selectPage(db, query, {
    rows: sql<ImportRecord>`select ${allColumns('imports', 'i')} from imports i where ${condition} ${orderedBy(sorts[sort], direction, sql`i.id`)}`,
    total: sql`select count(*) from imports i where ${condition}`,
  });
  return { rows: rows.map((row) => presentRow(kind, actor, row)), total };
}

const rowSorts: Record<NonNullable<RowsQuery['sort_by']>, RawBuilder<unknown>> = {
  row: sql`r."row"`,
  status: sql`r.status`,
  key: sql`fold(r.key)`,
};

const rowColumns = sql`r."row", r.status, r.action, r.key, r.subject_id, r.cells, r.errors, r.warnings, r.changes, r.edited,
  coalesce((r.flaws ->> 'left_out')::boolean, false) as left_out`;

/** The searchable texts of a row; none that are hidden from the actor. */
function searched(kind: ImportKind, actor: Actor, record: ImportRecord): RawBuilder<unknown>[] {
  const layout = layoutOf(record.columns);
  const hidden = kind.hiddenFrom(actor, record);
  return [
    sql`r.key`,
    ...kind.searched
      .flatMap((field) => (hidden.has(field) ? [] : (layout.get(field) ?? [])))
      .map((index) => sql`r.cells ->> ${index}::int`),
  ];
}

/** A page of an import's rows. */
export async function listRows(
  kind: ImportKind,
  { db, actor }: { db: Db; actor: Actor },
  record: ImportRecord,
  query: RowsQuery,
): Promise<{ rows: StagedRow[]; total: number }> {
  const condition = every([
    sql`r.import_id = ${record.id}`,
    visibleRows(kind, actor, record),
    ...oneOfTexts(sql`r.status`, query.status),
    ...oneOfTexts(sql`r.action`, query.action),
    ...(query.has_warnings === undefined ? [] : [sql<boolean>`(r.warnings <> '{}') = ${query.has_warnings}`]),
    ...holdsWords(searched(kind, actor, record), query.search),
  ]);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<StoredRow>`select ${rowColumns} from import_rows r where ${condition}
              ${orderedBy(rowSorts[query.sort_by ?? 'row'], query.sort_direction, sql`r."row"`)}`,
    total: sql`select count(*) from import_rows r where ${condition}`,
  });
  return { rows: rows.map(presentStaged(kind, actor, record)), total };
}

export type WholeRow = StoredRow & { flaws: Flaws | null };

/** Finds the stored row in a path. Throws 404. */
export async function findRow({ db }: Pick<Ctx, 'db'>, importId: number, row: number): Promise<WholeRow> {
  const { rows } = await sql<WholeRow>`
    select ${rowColumns}, r.flaws from import_rows r where r.import_id = ${importId} and r."row" = ${row}`.execute(db);
  const found = rows[0];
  if (!found) throw notFound();
  return found;
}
