import type { importCorrections, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { fieldOf, isField } from './columns.ts';
import type { ImportKind } from './kind.ts';
import type { ImportRecord } from './record.ts';
import { visibleRows } from './policy.ts';
import { formName, plainField } from './remarks.ts';

type Problems = z.input<typeof importCorrections.problems>['data'];

/** A cell in comparable form: trimmed, like texts in requests. */
export const cellAt = (index: number | ReturnType<typeof sql>) =>
  sql<string>`btrim(coalesce(r.cells ->> ${index}::int, ''), E' \t\n\r\u00a0')`;

/** A column whose values can be replaced in several rows; `key` names it in errors. */
export type Replaceable = { key: string; field: string; index: number };

/** The columns of a file whose values the actor sees and that several rows may share. */
export function replaceableColumns(kind: ImportKind, actor: Actor, record: ImportRecord): Replaceable[] {
  const hidden = kind.hiddenFrom(actor, record);
  return record.columns.flatMap((column, index) => {
    const field = fieldOf(column);
    return field && kind.isShared(field) && !hidden.has(field) ? [{ key: formName(field), field, index }] : [];
  });
}

type Group = { key: string; field: string | null; value: string; rows: number; message: Text };

/** Errors that the same value causes in at least two rows. Reads the errors once. */
async function repeatedErrors(
  db: Db,
  { kind, actor, record }: { kind: ImportKind; actor: Actor; record: ImportRecord },
): Promise<Group[]> {
  const columns = replaceableColumns(kind, actor, record);
  const pairs = columns.map((one) => ({ ...one, twice: columns.filter(({ key }) => key === one.key).length > 1 }));
  const value = cellAt(sql`p.index`);
  const { rows } = await sql<Group>`
    select e.key, p.field, ${value} as value, count(*)::int as rows,
           (array_agg(e.value -> 0 order by r."row"))[1] as message
    from import_rows r cross join lateral jsonb_each(r.errors) e
    left join jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb)
           as p (key text, field text, index int, twice boolean) on p.key = e.key
    where r.import_id = ${record.id} and ${visibleRows(kind, actor, record)} and r.status = 'failed' and length(${value}) <= 5000
      and (p.twice is not true or ${value} <> '')
    group by e.key, p.field, ${value} having count(*) > 1
    order by count(*) desc, e.key, ${value} limit 60`.execute(db);
  return rows;
}

/** The first rows, from which the date format is guessed. */
const guessedFrom = 5_000;

/** The formats that read more dates of the file than the import's current format; null if there are none. */
async function dateFormats(db: Db, { kind, record }: { kind: ImportKind; record: ImportRecord }) {
  const { days } = kind;
  const indexes = record.columns.flatMap((column, index) => (days?.fields.has(fieldOf(column) ?? '') ? [index] : []));
  if (!days || indexes.length === 0) return null;
  const { rows } = await sql<{ text: string; count: number }>`
    select d.text, count(*)::int as count
    from (select r.cells from import_rows r where r.import_id = ${record.id} order by r."row" limit ${guessedFrom}) r
    cross join lateral (select ${cellAt(sql`i`)} as text from unnest(${indexes}::int[]) i) d
    where d.text ~ '^([0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{2,4}|[0-9]{8})$'
    group by d.text order by count(*) desc, d.text limit 2000`.execute(db);
  const read = (format: ImportRecord['date_format']) =>
    rows.reduce((sum, { text, count }) => sum + (days.reads(text, format) ? count : 0), 0);
  const scored = days.formats.map((format) => ({ format, count: read(format) }));
  const most = Math.max(...scored.map(({ count }) => count));
  if (most <= read(record.date_format)) return null;
  const formats = scored.filter(({ count }) => count === most).map(({ format }) => format);
  const sample = rows.find(
    ({ text }) => !days.reads(text, record.date_format) && formats.some((one) => days.reads(text, one)),
  );
  return sample ? { formats, sample: sample.text } : null;
}

const none: Problems = { repeated: [], dates: null };

/** What the failed rows of a checked import have in common. At most two statements. */
export async function problemsOf(
  kind: ImportKind,
  ctx: { db: Db; actor: Actor },
  record: ImportRecord,
): Promise<Problems> {
  if (record.status !== 'preview' || record.counts.failed === 0) return none;
  const dates = await dateFormats(ctx.db, { kind, record });
  const hidden = kind.hiddenFrom(ctx.actor, record);
  const groups = await repeatedErrors(ctx.db, { kind, actor: ctx.actor, record });
  const repeated = groups.flatMap(({ key, field: column, value, rows, message }) => {
    // without a column the cells are empty; a correction adds the column
    const field = column ?? plainField(key);
    const isOffered = isField(kind.vocabulary, field) && kind.isShared(field) && !hidden.has(field);
    if (!isOffered || (dates && kind.days?.fields.has(field))) return [];
    const like = message.parameters?.like;
    return { field, value, rows, message, suggestion: typeof like === 'string' ? like : null };
  });
  return { repeated: repeated.slice(0, 20), dates };
}
