import { parseSync, Visitor } from 'vite';
import { tableColumns } from '../server/src/db/columns.gen.ts';

/**
 * Finds statements whose result has all columns of a table through `*`. Such a prepared statement is refused once a
 * migration adds a column; `allColumns` in `server/src/db/all-columns.ts` names them instead.
 */

const tables = new Set(Object.keys(tableColumns));
/** Stands for an interpolation. */
const gap = '§';

const bindings = /\b(?:from|join|into|using|update(?!\s+(?:of|set)\b))\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?(\w+))?/gi;
const derived = /\)\s*(?:as\s+)?(\w+)\b|\b(\w+)\s+(?:\([^)]*\)\s+)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi;
const qualified = /\b(\w+)\.\*/g;
const bare = /\b(?:select(?:\s+distinct(?:\s+on\s*\([^)]*\))?)?|returning)\s+\*|,\s*\*(?=\s*(?:,|from\b|$))/gi;

type Star = { at: number; isOfTable: boolean };

/** How many parentheses are open at a position. */
const depthAt = (text: string, at: number) => text.slice(0, at).split('(').length - text.slice(0, at).split(')').length;

/** Names in this statement that stand for tables, and those that stand for queries inside it. */
function namesIn(text: string) {
  const queries = new Set([...text.matchAll(derived)].map(([, alias, common]) => alias ?? common ?? ''));
  const ofTables = new Set<string>();
  for (const [, source = '', alias = source] of text.matchAll(bindings)) {
    if (!tables.has(source) || queries.has(source)) queries.add(alias);
    else ofTables.add(alias).add(source);
  }
  return { queries, ofTables };
}

/** A bare star, and whether its first source is a table or an interpolation that may be one. */
function bareStar(text: string, at: number, queries: ReadonlySet<string>): Star {
  const [, source = gap] = /\bfrom\s+(?:only\s+)?(\w+\(?|\(|§)/i.exec(text.slice(at)) ?? [];
  return { at, isOfTable: source === gap || (tables.has(source) && !queries.has(source)) };
}

function starsOf(text: string): Star[] {
  const { queries, ofTables } = namesIn(text);
  const named = [...text.matchAll(qualified)].map(({ index, 1: name = '' }) => ({
    at: index,
    isOfTable: ofTables.has(name) || !queries.has(name),
  }));
  return [...named, ...[...text.matchAll(bare)].map(({ index }) => bareStar(text, index, queries))];
}

/** True if columns of a table reach the result unnamed, even through a nested query. */
function hasTableStar(text: string): boolean {
  const stars = starsOf(text);
  const isAnyOfTable = stars.some(({ isOfTable }) => isOfTable);
  return isAnyOfTable && stars.some(({ at }) => depthAt(text, at) === 0);
}

/** The lines of a source file on which such a statement starts. */
export function tableStars(path: string, text: string): number[] {
  const lines: number[] = [];
  const note = (start: number) => lines.push(text.slice(0, start).split('\n').length);
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi, start }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return;
      if (hasTableStar(quasi.quasis.map(({ value }) => value.cooked ?? '').join(gap))) note(start);
    },
    CallExpression({ callee, start }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (/^(selectAll|returningAll)$/.test(callee.property.name)) note(start);
    },
  });
  visitor.visit(parseSync(path, text).program);
  return lines;
}
