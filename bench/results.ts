import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performancePage } from './page.ts';
import type { Result } from './page.ts';

const folder = 'bench/results';
const fileOf = (name: 'latest' | 'million') => join(folder, `${name}.json`);

/** The last results for the usual size and for a million people. */
export const readResults = (): Result[] =>
  (['latest', 'million'] as const)
    .map(fileOf)
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Result);

/** Stores the result of a whole run and rewrites `docs/performance.md`. */
export function keepResult(result: Result, name: 'latest' | 'million'): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync('docs/performance.md', performancePage(readResults()));
}
