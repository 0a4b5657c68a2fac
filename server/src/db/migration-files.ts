import { readdir, readFile } from 'node:fs/promises';
import { sha256Hex } from '../crypto/crypto.ts';

/** The migrations of this release. */
export const ownMigrations = new URL('../../migrations/', import.meta.url);

/**
 * `expand` only adds, so that the previous release keeps running; `online` changes large tables while they are in use;
 * `contract` removes what only earlier releases use.
 */
export type MigrationClass = 'expand' | 'online' | 'contract';

const classes: readonly MigrationClass[] = ['expand', 'online', 'contract'];
const parts = (name: string) => /^(?<stem>.*?)(?:\.(?<kind>online|contract))?\.sql$/.exec(name)?.groups;

/** The class of a migration, from its name: `X.sql`, `X.online.sql` or `X.contract.sql`. */
export const classOf = (name: string): MigrationClass =>
  (parts(name)?.['kind'] as MigrationClass | undefined) ?? 'expand';

export const isContract = (name: string) => classOf(name) === 'contract';

const orderOf = (name: string) => `${parts(name)?.['stem'] ?? name} ${classes.indexOf(classOf(name))}`;

/** Names in the order of their application: by time, and for the same time expand, online, contract. */
export const inOrder = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

export async function listMigrations(folder: URL = ownMigrations): Promise<string[]> {
  return inOrder((await readdir(folder)).filter((name) => name.endsWith('.sql')));
}

export const readMigration = (name: string, folder: URL = ownMigrations) => readFile(new URL(name, folder), 'utf8');

/** All migrations of this release with the SHA-256 of their content. */
export async function migrationHashes(): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const name of await listMigrations()) hashes[name] = sha256Hex(await readMigration(name));
  return hashes;
}

const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|(\$\w*\$)[^]*?\1|;|[^;'"$/-]+|[^]/g;

/** The statements of a text without their semicolons; comments before a statement belong to it. */
export function statementsOf(text: string): string[] {
  const statements = [''];
  for (const [piece] of text.matchAll(token)) {
    if (piece === ';') statements.push('');
    else statements.push(`${statements.pop()}${piece}`);
  }
  const isEmpty = (statement: string) => statement.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, '').trim() === '';
  return statements.filter((statement) => !isEmpty(statement)).map((statement) => statement.trim());
}
