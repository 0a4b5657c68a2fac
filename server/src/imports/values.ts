import type { importCorrections } from '@tenure/contract';
import { messages } from '@tenure/contract';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { fold } from '../db/fold.ts';
import { invalidFields, say } from '../http/errors.ts';
import { fieldOf } from './columns.ts';
import type { Column } from './columns.ts';
import type { ImportKind } from './kind.ts';
import { likeness } from './likeness.ts';
import { cellAt } from './problems.ts';
import type { ImportRecord, StagedCells, Values } from './record.ts';

type ColumnValues = z.input<typeof importCorrections.values>['data'][number];
type Choices = NonNullable<ImportKind['choices']>;

/** A text in comparable form: trimmed, without case and accents. */
const wordOf = (text: string) => fold(text.trim());

/** The position of the column with a heading in any case, or -1. */
const positionOf = (columns: readonly Column[], header: string) => {
  const exact = columns.findIndex((column) => column.header === header);
  return exact >= 0
    ? exact
    : columns.findIndex((column) => column.header.toLowerCase() === header.trim().toLowerCase());
};

/** What the texts of columns mean, by position and compared text. */
type Meanings = ReadonlyMap<number, ReadonlyMap<string, string | null>>;

function meaningsOf({ choices }: Pick<ImportKind, 'choices'>, { columns, values }: ImportRecord): Meanings {
  const found = new Map<number, Map<string, string | null>>();
  for (const [header, texts] of Object.entries(values)) {
    const index = positionOf(columns, header);
    const field = columns[index] && fieldOf(columns[index]);
    if (!field || !choices?.isMatched(field)) continue;
    const known = found.get(index) ?? new Map<string, string | null>();
    for (const [text, value] of Object.entries(texts)) known.set(wordOf(text), value);
    found.set(index, known);
  }
  return found;
}

/** Replaces the texts of cells by what they mean; null makes a cell empty. */
export function valueReader(kind: Pick<ImportKind, 'choices'>, record: ImportRecord) {
  const meanings = meaningsOf(kind, record);
  const read = (index: number, text: string): string => {
    const meaning = meanings.get(index)?.get(wordOf(text));
    return meaning === undefined ? text : (meaning ?? '');
  };
  const readRow = <Row extends StagedCells>(row: Row): Row => {
    if (meanings.size === 0) return row;
    const cells = [...row.cells];
    for (const index of meanings.keys()) if (cells[index]) cells[index] = read(index, cells[index]);
    return { ...row, cells };
  };
  return { read, readRow };
}

/** Refuses values for unknown columns, for fields without choices, and those that are not choices of the field. */
export function checkValues({ choices }: ImportKind, values: Values, columns: readonly Column[]): void {
  const isRight = ([header, texts]: [string, Values[string]]) => {
    const column = columns[positionOf(columns, header)];
    const field = column && fieldOf(column);
    if (!field || !choices?.isMatched(field)) return false;
    const possible = choices.of(field);
    return Object.values(texts).every((value) => value === null || !possible || possible.includes(value));
  };
  if (!Object.entries(values).every(isRight)) throw invalidFields({ values: [say('values', messages.selected)] });
}

type Proposal = Pick<ColumnValues['values'][number], 'value' | 'source'>;

const likeEnough = 0.6;
const plain = (text: string) => wordOf(text).replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The choice that a text is another word for, else the one that it resembles. */
function proposalFor(choices: Choices, field: string, text: string): Proposal {
  const word = plain(text);
  let best: { value: string; score: number } | undefined;
  for (const value of choices.of(field) ?? [])
    for (const other of [value, ...choices.otherWords(field, value)]) {
      const score = plain(other) === word ? 2 : likeness(word, plain(other));
      if (score >= likeEnough && score > (best?.score ?? 0)) best = { value, score };
    }
  return best ? { value: best.value, source: 'suggested' } : { value: null, source: 'unknown' };
}

type Counted = { index: number; text: string; rows: number; texts: number };

const maxTexts = 200;

/** The texts in some columns with their row numbers, most frequent first. One statement. */
async function countTexts(db: Db, { id }: ImportRecord, indexes: readonly number[]): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select t.index, t.text, t.rows, t.texts
    from (select c.index, c.text, c.rows, count(*) over (partition by c.index)::int as texts,
                 row_number() over (partition by c.index order by c.rows desc, c.text) as place
          from (select i as index, ${cellAt(sql`i`)} as text, count(*)::int as rows
                from import_rows r cross join unnest(${indexes}::int[]) i
                where r.import_id = ${id} and not coalesce((r.flaws ->> 'left_out')::boolean, false)
                group by 1, 2) c
          where c.text not in ('', '-') and length(c.text) <= 5000) t
    where t.place <= ${maxTexts} order by t.index, t.place`.execute(db);
  return rows;
}

type Remembered = { field: string; word: string; value: string | null };

/** The columns with fixed choices that the actor sees, with their texts and the meaning of each. Two statements. */
export async function columnValues(
  kind: ImportKind,
  { db, actor }: { db: Db; actor: Actor },
  record: ImportRecord,
): Promise<ColumnValues[]> {
  const { choices } = kind;
  const hidden = kind.hiddenFrom(actor, record);
  const columns = record.columns.flatMap((column, index) => {
    const field = fieldOf(column);
    const possible = field && !hidden.has(field) ? choices?.of(field) : undefined;
    return field && possible ? [{ header: column.header, field, index, possible }] : [];
  });
  if (!choices || columns.length === 0 || !['needs_mapping', 'preview'].includes(record.status)) return [];
  const counted = await countTexts(
    db,
    record,
    columns.map(({ index }) => index),
  );
  const words = await db
    .selectFrom('import_words')
    .select(['field', 'word', 'value'])
    .where('field', 'in', [...new Set(columns.map(({ field }) => field))])
    .where('word', 'in', [...new Set(counted.map(({ text }) => wordOf(text))), ''])
    .execute();
  const meanings = meaningsOf(kind, record);
  const readAs = (field: string, index: number, text: string): Proposal => {
    const chosen = meanings.get(index)?.get(wordOf(text));
    if (chosen !== undefined) return { value: chosen, source: 'chosen' };
    const read = choices.read(field, text);
    if (choices.of(field)?.includes(read)) return { value: read, source: 'exact' };
    const known = words.find((one: Remembered) => one.field === field && one.word === wordOf(text));
    return known ? { value: known.value, source: 'remembered' } : proposalFor(choices, field, text);
  };
  return columns.map(({ header, field, index, possible }) => {
    const own = counted.filter((one) => one.index === index);
    const values = own.map(({ text, rows }) => ({ text, rows, ...readAs(field, index, text) }));
    return { header, field, choices: [...possible], values, more: (own[0]?.texts ?? 0) - own.length };
  });
}

/** Remembers how texts of fields with fixed choices were matched, for proposals in later files. */
export async function rememberWords(db: Db, { choices }: ImportKind, record: ImportRecord): Promise<void> {
  const words = new Map<string, Remembered>();
  for (const [header, texts] of Object.entries(record.values)) {
    const column = record.columns[positionOf(record.columns, header)];
    const field = column && fieldOf(column);
    if (!field || !choices?.of(field)) continue;
    for (const [text, value] of Object.entries(texts))
      if (text.length <= 100) words.set(`${field} ${wordOf(text)}`, { field, word: wordOf(text), value });
  }
  if (words.size === 0) return;
  await sql`
    insert into import_words (field, word, value)
    select t.field, t.word, t.value
    from jsonb_to_recordset(${JSON.stringify([...words.values()])}::jsonb) as t (field text, word text, value text)
    order by 1, 2
    on conflict (field, word) do update set value = excluded.value where import_words.value is distinct from excluded.value`.execute(
    db,
  );
}
