import type { Column, Statement } from '../../server/src/testing/rows/describe.ts';
import type { Seen } from '../../server/src/testing/rows/recorder.ts';
import type { Shape } from '../../server/src/testing/rows/shape.ts';
import type { Declared } from './declared.ts';

/** Compares declared rows with PostgreSQL's descriptions of their statements, and with the values that were seen. */

/** The JavaScript types that the driver returns for PostgreSQL types, with the parsers of db/connect.ts. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  number: ['int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'oid'],
  string: [
    'text',
    'varchar',
    'bpchar',
    'name',
    'char',
    'date',
    'timestamptz',
    'time',
    'xid8',
    'uuid',
    'unknown',
    'void',
  ],
  boolean: ['bool'],
  Buffer: ['bytea'],
  Date: ['timestamp'],
  anything: ['json', 'jsonb'],
};
const kindOfType = new Map(Object.entries(typesOf).flatMap(([kind, types]) => types.map((type) => [type, kind])));

const said = (declared: Declared) => (declared.open ? 'anything' : declared.kinds.join(' | '));
const isAllowed = (declared: Declared | undefined, kind: string) =>
  !declared || declared.open || kind === 'anything' || declared.kinds.includes(kind);

function typeProblems({ name, type }: Column, declared: Declared): string[] {
  const isList = type.startsWith('_');
  // the driver turns dates and instants in a list into Date objects
  const kind = type === '_date' || type === '_timestamptz' ? 'Date' : kindOfType.get(type.replace(/^_/, ''));
  if (!kind) return [`${name} is a ${type}, and scripts/rows/compare.ts does not know what the driver makes of it`];
  if (!isAllowed(declared, isList ? 'array' : kind))
    return [`${name} is declared as ${said(declared)} and is a ${type}`];
  if (isList && declared.of && !isAllowed(declared.of, kind))
    return [`${name} is declared as a list of ${said(declared.of)} and is a ${type}`];
  return [];
}

const notDeclared = 'is selected and not declared';

const declaredOf = (row: Declared, name: string): Declared | undefined => row.fields?.[name]?.type ?? row.others;

/** How the columns of a statement differ from the declared row. */
export function columnProblems(row: Declared, columns: readonly Column[]): string[] {
  if (row.open) return [];
  const names = new Set(columns.map(({ name }) => name));
  const missing = Object.entries(row.fields ?? {}).filter(([name, { optional }]) => !optional && !names.has(name));
  const found = columns.flatMap((column) => {
    const declared = declaredOf(row, column.name);
    return declared ? typeProblems(column, declared) : [`${column.name} ${notDeclared}`];
  });
  return [...missing.map(([name]) => `${name} is declared and not selected`), ...found];
}

/** How the values seen differ from what is declared. */
export function valueProblems(declared: Declared, shape: Shape, at: string): string[] {
  if (declared.open) return [];
  const kinds = shape.kinds.filter((kind) => !declared.kinds.includes(kind));
  const texts = declared.texts ? (shape.texts ?? []).filter((text) => !declared.texts?.includes(text)) : [];
  return [
    ...kinds.map((kind) => `${at} is declared as ${said(declared)} and was ${kind === 'null' ? 'null' : `a ${kind}`}`),
    ...texts.map((text) => `${at} was ${JSON.stringify(text)}, which is not declared`),
    ...(declared.of && shape.of ? valueProblems(declared.of, shape.of, `${at}[]`) : []),
    ...(declared.kinds.includes('object') && shape.fields ? fieldProblems(declared, shape, at) : []),
  ];
}

function fieldProblems(declared: Declared, { objects, fields = {} }: Shape, at: string): string[] {
  const missing = Object.entries(declared.fields ?? {}).filter(
    ([name, { optional }]) => !optional && (fields[name]?.seen ?? 0) < (objects ?? 0),
  );
  const found = Object.entries(fields).flatMap(([name, { shape }]) => {
    const field = declaredOf(declared, name);
    return field ? valueProblems(field, shape, `${at}.${name}`) : [`${at}.${name} is not declared`];
  });
  return [...missing.map(([name]) => `${at}.${name} was missing`), ...found];
}

const columnsOf = (statements: readonly Statement[] = []) =>
  statements.flatMap(({ columns }) => (columns ? [columns] : []));

/** True for a cast if PostgreSQL described its statement or one that contains it. */
export const isDescribed = (seen: Seen | undefined): boolean =>
  columnsOf([...(seen?.statements ?? []), ...(seen?.wholes ?? [])]).length > 0;

/** The differences that also matter for part of a statement, because the rest adds its own columns. */
const isOfPart = (problem: string) => !problem.endsWith(notDeclared);

/**
 * The columns to compare with a row. If other statements have the same texts, or larger ones contain it, some of those
 * seen belong to other rows: only matching ones count, or the closest.
 */
function compared(row: Declared, seen: Seen, isShared: boolean): { columns: Column[]; problems: string[] }[] {
  const own = columnsOf(seen.statements).map((columns) => ({ columns, problems: columnProblems(row, columns) }));
  if (own.length > 0 && !isShared) return own;
  const parts = columnsOf(seen.wholes).map((columns) => ({
    columns: columns.filter(({ name }) => declaredOf(row, name)),
    problems: columnProblems(row, columns).filter(isOfPart),
  }));
  const all = own.length > 0 ? own : parts;
  const least = Math.min(...all.map(({ problems }) => problems.length));
  return least === 0
    ? all.filter(({ problems }) => problems.length === 0)
    : all.filter((each) => each.problems.length === least).slice(0, 1);
}

/**
 * How a statement differs from its declared row, each difference once; undefined if no test ran it.
 * @param isShared other statements have the same texts
 */
export function problemsOf(row: Declared, seen: Seen | undefined, isShared: boolean): string[] | undefined {
  const all = seen ? compared(row, seen, isShared) : [];
  if (!seen || all.length === 0) return undefined;
  const values = all.flatMap(({ columns }) => {
    const names = columns.map(({ name }) => name);
    return Object.entries(seen.results).flatMap(([of, shapes]) => {
      const has = new Set(of.split(','));
      // a page adds its own columns to those of the statement that it is built from
      return names.every((name) => has.has(name)) ? names.flatMap((name) => valuesOf(row, name, shapes[name])) : [];
    });
  });
  return [...new Set([...all.flatMap(({ problems }) => problems), ...values])];
}

function valuesOf(row: Declared, name: string, shape: Shape | undefined): string[] {
  const declared = declaredOf(row, name);
  return declared && shape ? valueProblems(declared, shape, name) : [];
}
