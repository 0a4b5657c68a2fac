import type { TemplateImportField } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { meaningOf } from '../../imports/cells.ts';
import type { Meaning } from '../../imports/cells.ts';
import { layoutOf } from '../../imports/columns.ts';
import { cellsOf } from '../../imports/record.ts';
import type { ImportRecord, StagedCells } from '../../imports/record.ts';

/** A row of the file: an item and its template. */
export type Line = StagedCells & { meanings: Partial<Record<TemplateImportField, Meaning>> };

/** The rows with the same name in the same company, which form a template. */
export type Group = {
  key: string;
  /** Undefined for an unknown company. */
  entity_id: number | null | undefined;
  lines: readonly Line[];
};

export type Lines = {
  rows: readonly number[];
  groups: ReadonlyMap<string, Group>;
  groupOf: ReadonlyMap<number, Group>;
  /** Skipped rows. */
  left_out: readonly Line[];
};

type FindEntity = (text: string) => number | undefined;

/** Companies by id, name or code; names take precedence over codes. */
async function entityFinder(db: Db): Promise<FindEntity> {
  const { rows } = await sql<{ id: number; name: string; code: string }>`
    select id, name_sort as name, fold(code) as code from entities`.execute(db);
  const ids = new Set(rows.map(({ id }) => id));
  const names = new Map([
    ...rows.map(({ id, code }): [string, number] => [code, id]),
    ...rows.map(({ id, name }): [string, number] => [name, id]),
  ]);
  return (text) => {
    const id = /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined;
    return id !== undefined && ids.has(id) ? id : names.get(fold(text));
  };
}

/** The company of a row: from its cells, else the default for all rows, else none. */
function entityOf({ meanings }: Line, { defaults }: ImportRecord, find: FindEntity): number | null | undefined {
  const said = [meanings.entity_id, meanings.entity].filter((meaning) => meaning !== undefined);
  const texts =
    said.length > 0 ? said : [defaults.entity_id, defaults.entity].filter((value) => (value ?? null) !== null);
  const found = new Set(texts.map((text) => (text === null ? null : find(String(text)))));
  return found.size > 1 ? undefined : found.size === 0 ? null : [...found][0];
}

/** Groups rows into templates; a row without a name is a separate group. */
function groupsOf(
  lines: readonly Line[],
  record: ImportRecord,
  find: FindEntity,
): Map<string, Group & { lines: Line[] }> {
  const groups = new Map<string, Group & { lines: Line[] }>();
  for (const line of lines) {
    const entity_id = entityOf(line, record, find);
    const name = line.meanings.template_name;
    const key = name ? `${entity_id ?? (entity_id === null ? 'all' : '?')}|${fold(name)}` : `row ${line.row}`;
    const group = groups.get(key);
    if (group) group.lines.push(line);
    else groups.set(key, { key, entity_id, lines: [line] });
  }
  return groups;
}

/** Reads all rows of an import, grouped by template; they are few enough to keep in memory. */
export async function readLines(db: Db, record: ImportRecord): Promise<Lines> {
  const layout = layoutOf<TemplateImportField>(record.columns);
  const lines: Line[] = [];
  for await (const rows of cellsOf(db, record.id, { size: 1_000 }))
    for (const row of rows) {
      const meanings = Object.fromEntries([...layout].map(([field, index]) => [field, meaningOf(row.cells[index])]));
      lines.push({ ...row, meanings });
    }
  const [left_out, kept] = [true, false].map((wanted) =>
    lines.filter(({ flaws }) => (flaws?.left_out ?? false) === wanted),
  ) as [Line[], Line[]];
  const groups = groupsOf(kept, record, await entityFinder(db));
  const groupOf = new Map([...groups.values()].flatMap((group) => group.lines.map(({ row }) => [row, group] as const)));
  return { rows: lines.map(({ row }) => row), groups, groupOf, left_out };
}

/** The rows of the former and the current template of corrected rows. */
export function affectedRows(corrected: readonly number[], before: Lines, after: Lines): number[] {
  const keys = [before, after].flatMap(({ groupOf }) => corrected.flatMap((row) => groupOf.get(row)?.key ?? []));
  const rows = [...new Set(keys)].flatMap((key) => after.groups.get(key)?.lines.map((line) => line.row) ?? []);
  return [...new Set([...corrected, ...rows])];
}
