import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import type { ESTree } from 'vite';
import { keyOf } from './recorder.ts';

/** The casts of the service: the places that declare the rows of their statement with `sql<Row>`. */

const source = fileURLToPath(new URL('../../', import.meta.url));

export type Site = {
  /** Relative to `server/src`. */
  path: string;
  line: number;
  /** Where the row type starts in its file. */
  position: number;
  /** The texts of the statement between its parameters, which identify it when it runs. */
  key: string;
  /** Other statements have the same texts. */
  isShared: boolean;
};

/** other types are those of a value within a statement */
const rowTypes = new Set(['TSTypeReference', 'TSTypeLiteral', 'TSIntersectionType', 'TSIndexedAccessType']);

/** The row type of a tagged template such as sql<Row>`select …`; none for sql<SqlBool>, which is a condition. */
export function rowTypeOf({ tag, typeArguments }: ESTree.TaggedTemplateExpression): ESTree.TSType | undefined {
  const type = typeArguments?.params[0];
  if (tag.type !== 'Identifier' || tag.name !== 'sql' || !type || !rowTypes.has(type.type)) return undefined;
  if (type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'SqlBool')
    return undefined;
  return type;
}

type Statement = Omit<Site, 'isShared' | 'position'> & { position: number | undefined };

function statementsOf(path: string, text: string): Statement[] {
  const statements: Statement[] = [];
  const visitor = new Visitor({
    TaggedTemplateExpression(node) {
      if (node.tag.type !== 'Identifier' || node.tag.name !== 'sql') return;
      const line = text.slice(0, node.start).split('\n').length;
      const key = keyOf(node.quasi.quasis.map(({ value }) => value.cooked ?? ''));
      statements.push({ path, line, position: rowTypeOf(node)?.start, key });
    },
  });
  visitor.visit(parseSync(path, text).program);
  return statements;
}

/** The casts in these files. */
export function sitesOf(files: readonly { path: string; text: string }[]): Site[] {
  const statements = files.flatMap(({ path, text }) => statementsOf(path, text));
  const times = new Map<string, number>();
  for (const { key } of statements) times.set(key, (times.get(key) ?? 0) + 1);
  return statements.flatMap(({ position, ...statement }) =>
    position === undefined ? [] : [{ ...statement, position, isShared: (times.get(statement.key) ?? 0) > 1 }],
  );
}

const isProduct = (path: string) =>
  path.endsWith('.ts') && !path.endsWith('.test.ts') && !/^(testing|security|resilience)\//.test(path);

/** Every cast of the service, except those that only tests use. */
export const allSites = (): Site[] =>
  sitesOf(
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter(isProduct)
      .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') })),
  );

/** Starts a recording: stores the statements to look for, so that workers need not read the sources. */
export function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true });
  // including duplicates, because several statements may have the same texts
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(allSites().map(({ key }) => key)));
}
