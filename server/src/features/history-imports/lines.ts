import type { HistoryImportField } from '@tenure/contract';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { meaningOf } from '../../imports/cells.ts';
import type { Meaning } from '../../imports/cells.ts';
import { layoutOf } from '../../imports/columns.ts';
import { cellsOf } from '../../imports/record.ts';
import type { ImportRecord, StagedCells } from '../../imports/record.ts';
import { valueReader } from '../../imports/values.ts';
import { choices } from './choices.ts';

/** A row of the file: one job of a person. */
export type Line = Omit<StagedCells, 'cells'> & { meanings: Partial<Record<HistoryImportField, Meaning>> };

/** The rows with one employee number, checked together; `number` is folded, and undefined for rows without one. */
export type Group = { number: string | undefined; lines: readonly Line[] };

export type Lines = {
  rows: readonly number[];
  groups: readonly Group[];
  groupOf: ReadonlyMap<number, Group>;
  /** Skipped rows. */
  left_out: readonly Line[];
  /** The texts that name managers. */
  managers: ReadonlySet<string>;
};

/** Fills in the values for all rows where a row has none. */
function meaningsOf(cells: readonly string[], record: ImportRecord): Line['meanings'] {
  const meanings: Line['meanings'] = {};
  for (const [field, index] of layoutOf<HistoryImportField>(record.columns)) {
    const meaning = meaningOf(cells[index]);
    if (meaning !== undefined) meanings[field] = meaning;
  }
  for (const [name, value] of Object.entries(record.defaults)) {
    const field = name as HistoryImportField;
    const other = field.replace(/_id$/, '') as HistoryImportField;
    const isSaid = field in meanings || other in meanings || `${field}_id` in meanings;
    if (value !== null && !isSaid) meanings[field] = String(value).trim() || undefined;
  }
  return meanings;
}

/** Reads all rows of an import, grouped by person. */
export async function readLines(db: Db, record: ImportRecord): Promise<Lines> {
  const { readRow } = valueReader({ choices }, record);
  const groups = new Map<string, { number: string | undefined; lines: Line[] }>();
  const [rows, left_out, managers]: [number[], Line[], Set<string>] = [[], [], new Set()];
  for await (const staged of cellsOf(db, record.id, { size: 5_000 }))
    for (const { cells, ...row } of staged.map(readRow)) {
      const line: Line = { ...row, meanings: meaningsOf(cells, record) };
      rows.push(line.row);
      if (line.flaws?.left_out) {
        left_out.push(line);
        continue;
      }
      const { employee_number, reporting_manager } = line.meanings;
      if (reporting_manager) managers.add(reporting_manager);
      const key = employee_number ? fold(employee_number) : undefined;
      const group = groups.get(key ?? `row ${line.row}`);
      if (group) group.lines.push(line);
      else groups.set(key ?? `row ${line.row}`, { number: key, lines: [line] });
    }
  const all = [...groups.values()];
  const groupOf = new Map(all.flatMap((group) => group.lines.map(({ row }) => [row, group] as const)));
  return { rows, groups: all, groupOf, left_out, managers };
}

/** The rows of the former and the current person of corrected rows. */
export function affectedRows(corrected: readonly number[], before: Lines, after: Lines): number[] {
  const numbers = new Set(
    [before, after].flatMap(({ groupOf }) => corrected.flatMap((row) => groupOf.get(row)?.number ?? [])),
  );
  const groups = after.groups.filter(({ number }) => number !== undefined && numbers.has(number));
  return [...new Set([...corrected, ...groups.flatMap(({ lines }) => lines.map(({ row }) => row))])];
}
