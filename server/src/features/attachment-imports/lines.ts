import type { AttachmentImportField, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { meaningOf } from '../../imports/cells.ts';
import type { Meaning } from '../../imports/cells.ts';
import { layoutOf } from '../../imports/columns.ts';
import type { Flaws, ImportRecord } from '../../imports/record.ts';

/** A staged file; `checksum` is null for a refused file and for one that is already written. */
export type StagedFile = { file_name: string; size: number; checksum: string | null; refusal: Text | null };

/** A row of the import: one file of a person. */
export type Line = {
  row: number;
  status: string;
  digest: string;
  flaws: Flaws | null;
  file: StagedFile | null;
  meanings: Partial<Record<AttachmentImportField, Meaning>>;
};

/** The rows with one employee number, checked together; `number` is folded, and undefined for rows without one. */
export type Group = { number: string | undefined; lines: readonly Line[] };

export type Lines = {
  rows: readonly number[];
  groups: readonly Group[];
  groupOf: ReadonlyMap<number, Group>;
  /** Skipped rows. */
  left_out: readonly Line[];
};

/** The texts of a row, completed with the values that apply to all rows. */
function meaningsOf(cells: readonly string[], record: ImportRecord): Line['meanings'] {
  const meanings: Line['meanings'] = {};
  for (const [field, index] of layoutOf<AttachmentImportField>(record.columns)) {
    const meaning = meaningOf(cells[index]);
    if (meaning !== undefined) meanings[field] = meaning;
  }
  for (const [name, value] of Object.entries(record.defaults)) {
    const field = name as AttachmentImportField;
    if (value !== null && !(field in meanings)) meanings[field] = String(value).trim() || undefined;
  }
  return meanings;
}

type Stored = Omit<Line, 'meanings'> & { cells: string[] };

/** Reads all rows of an import with their files, grouped by person, with one statement. */
export async function readLines(db: Db, record: ImportRecord): Promise<Lines> {
  const { rows: stored } = await sql<Stored>`
    select r."row", r.status, r.digest, r.flaws, coalesce(r.cells, '[]') as cells,
           case when f.import_id is not null then json_build_object(
             'file_name', f.file_name, 'size', f.size, 'checksum', f.checksum, 'refusal', f.refusal) end as file
    from import_rows r left join import_files f on f.import_id = r.import_id and f."row" = r."row"
    where r.import_id = ${record.id} order by r."row"`.execute(db);
  const groups = new Map<string, { number: string | undefined; lines: Line[] }>();
  const left_out: Line[] = [];
  for (const { cells, ...row } of stored) {
    const line: Line = { ...row, meanings: meaningsOf(cells, record) };
    if (line.flaws?.left_out) {
      left_out.push(line);
      continue;
    }
    const { employee_number } = line.meanings;
    const number = employee_number ? fold(employee_number) : undefined;
    const group = groups.get(number ?? '');
    if (group) group.lines.push(line);
    else groups.set(number ?? '', { number, lines: [line] });
  }
  const all = [...groups.values()];
  const groupOf = new Map(all.flatMap((group) => group.lines.map(({ row }) => [row, group] as const)));
  return { rows: stored.map(({ row }) => row), groups: all, groupOf, left_out };
}

/** The rows of the former and the current person of corrected rows: they count towards the limits of these people. */
export function affectedRows(corrected: readonly number[], before: Lines, after: Lines): number[] {
  const found = new Set(corrected);
  const numbers = new Set(
    [before, after].flatMap(({ groupOf }) => corrected.flatMap((row) => groupOf.get(row)?.number ?? [])),
  );
  for (const { number, lines } of after.groups)
    if (number !== undefined && numbers.has(number)) for (const { row } of lines) found.add(row);
  return [...found];
}
