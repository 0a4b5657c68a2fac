import type { FormerResultImportField } from '@tenure/contract';
import type { Db } from '../../db/connect.ts';
import { layoutOf } from '../../imports/columns.ts';
import { cellsOf } from '../../imports/record.ts';
import type { ImportRecord } from '../../imports/record.ts';
import { valueReader } from '../../imports/values.ts';
import { choices } from './choices.ts';
import { periodKey, readRow } from './read-row.ts';
import type { Reading } from './read-row.ts';

/** The rows of a file, and those that share person, period and source with another row. */
export type Keys = {
  rows: readonly number[];
  /** Rows by person, period and source. */
  byKey: ReadonlyMap<string, readonly number[]>;
};

const batch = 5_000;

/** How to read the rows of an import. */
export const readingOf = (record: ImportRecord): Reading => ({
  layout: layoutOf<FormerResultImportField>(record.columns),
  defaults: record.defaults,
  format: record.date_format,
});

/** Reads the keys of all rows; a row without a person or period has none. */
export async function readKeys(db: Db, record: ImportRecord): Promise<Keys> {
  const reading = readingOf(record);
  const reader = valueReader({ choices }, record);
  const rows: number[] = [];
  const byKey = new Map<string, number[]>();
  for await (const some of cellsOf(db, record.id, { size: batch }))
    for (const staged of some) {
      rows.push(staged.row);
      if (staged.flaws?.left_out) continue;
      const { number, values } = readRow(reader.readRow(staged).cells, reading);
      if (number === undefined || values.period_to === '') continue;
      const key = `${number}|${periodKey(values)}`;
      const known = byKey.get(key);
      if (known) known.push(staged.row);
      else byKey.set(key, [staged.row]);
    }
  return { rows, byKey };
}

/** Corrected rows, and rows that share or shared a key with them. */
export function affectedRows(corrected: readonly number[], before: Keys, after: Keys): number[] {
  const wanted = new Set(corrected);
  const found = new Set(corrected);
  for (const { byKey } of [before, after])
    for (const rows of byKey.values())
      if (rows.length > 1 && rows.some((row) => wanted.has(row))) for (const row of rows) found.add(row);
  return [...found];
}
