import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresQueryCompiler } from 'kysely';
import type { KyselyPlugin, OperationNode, QueryId, RawNode, UnknownRow } from 'kysely';
import type pg from 'pg';
import { describe } from './describe.ts';
import type { Statement } from './describe.ts';
import { addTo, emptyShape, merge } from './shape.ts';
import type { Shape } from './shape.ts';

/** Records the results of statements with a declared row during a test run, for `scripts/check-rows.ts`. */

export type Seen = {
  /** The variants of the statement, with their columns. */
  statements: Statement[];
  /** Statements that contain it, such as one that uses the columns of a list. */
  wholes: Statement[];
  /** The values of its rows, by column name. */
  results: Record<string, Record<string, Shape>>;
};

// a statement with many variants has the same columns in most of them
const maxStatements = 8;
const maxReads = 400;
const maxRows = 20;

/** The selected columns, which distinguish statements with the same texts. */
const selected = (text: string) => text.split(/\bfrom\b/, 1)[0];

export const keyOf = (fragments: readonly string[]): string => fragments.join('\0');

type Part = { isRoot: boolean; found: Seen };

const isRaw = (node: OperationNode): node is RawNode => node.kind === 'RawNode';

/** The recorder of one worker: a plugin for its connections, and a function that writes what it saw. */
export function openRecorder(folder: string) {
  const keys = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as string[];
  const known = new Map<string, { isShared: boolean }>();
  for (const key of keys) known.set(key, { isShared: known.has(key) });
  const file = join(folder, `seen-${randomUUID()}.json`);
  const seen = new Map<string, Seen & { looks: number }>();
  const running = new WeakMap<QueryId, Part[]>();
  const compiler = new PostgresQueryCompiler();

  const add = (to: Statement[], node: RawNode, queryId: QueryId) => {
    if (to.length >= maxStatements) return;
    const { sql: text } = compiler.compileQuery(node, queryId);
    if (!to.some((statement) => statement.text === text)) to.push({ text });
  };
  // many variants of one statement must not crowd out another one with the same texts
  const addShared = (to: Statement[], node: RawNode, queryId: QueryId) => {
    const { sql: text } = compiler.compileQuery(node, queryId);
    if (!to.some((statement) => selected(statement.text) === selected(text))) to.push({ text });
  };
  const note = (node: RawNode, key: string, { root, queryId }: { root: RawNode; queryId: QueryId }): Seen => {
    const found = seen.get(key) ?? { statements: [], wholes: [], results: {}, looks: 0 };
    seen.set(key, found);
    if (known.get(key)?.isShared) addShared(found.statements, node, queryId);
    if (found.looks++ < maxReads) {
      add(found.statements, node, queryId);
      if (node !== root) add(found.wholes, root, queryId);
    }
    return found;
  };

  const plugin: KyselyPlugin = {
    transformQuery({ node: root, queryId }) {
      if (!isRaw(root)) return root;
      const parts: Part[] = [];
      const visit = (node: OperationNode) => {
        if (!isRaw(node)) return;
        const key = keyOf(node.sqlFragments);
        if (known.has(key)) parts.push({ isRoot: node === root, found: note(node, key, { root, queryId }) });
        node.parameters.forEach(visit);
      };
      visit(root);
      if (parts.length > 0) running.set(queryId, parts);
      return root;
    },
    transformResult({ result, queryId }) {
      const rows = result.rows.slice(0, maxRows);
      for (const { isRoot, found } of running.get(queryId) ?? [])
        // an empty page of a list is one row without an ordinal
        addRows(found, isRoot ? rows : rows.filter(({ ordinal }) => ordinal !== null));
      return Promise.resolve(result);
    },
  };

  const write = async (database: pg.Pool) => {
    const all = [...seen.values()].flatMap(({ statements, wholes }) => [...statements, ...wholes]);
    await describe(
      database,
      all.filter(({ columns, failure }) => !columns && failure === undefined),
    );
    writeFileSync(file, JSON.stringify(Object.fromEntries(seen)));
  };
  return { plugin, write };
}

function addRows({ results }: Seen, rows: readonly UnknownRow[]): void {
  for (const row of rows) {
    const values = (results[Object.keys(row).toSorted().join()] ??= {});
    for (const [name, value] of Object.entries(row)) addTo((values[name] ??= emptyShape()), value);
  }
}

function mergeSeen(one: Seen, other: Seen): Seen {
  const results = { ...one.results };
  for (const [names, values] of Object.entries(other.results)) {
    const known = (results[names] ??= {});
    for (const [name, shape] of Object.entries(values)) known[name] = known[name] ? merge(known[name], shape) : shape;
  }
  return {
    statements: [...one.statements, ...other.statements],
    wholes: [...one.wholes, ...other.wholes],
    results,
  };
}

/** What all workers of a run saw, by the key of the statement. */
export function readSeen(folder: string): Map<string, Seen> {
  const all = new Map<string, Seen>();
  for (const name of readdirSync(folder).filter((each) => each.startsWith('seen-'))) {
    const ofWorker = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, Seen>;
    for (const [key, seen] of Object.entries(ofWorker)) {
      const before = all.get(key);
      all.set(key, before ? mergeSeen(before, seen) : seen);
    }
  }
  return all;
}
