import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performancePage } from './page.ts';
import type { Result } from './page.ts';

const folder = 'bench/results';
const fileOf = (name: 'latest' | 'million') => join(folder, `${name}.json`);

/** The last result of the usual size, and that of a million people. */
export const readResults = (): Result[] =>
  (['latest', 'million'] as const)
    .map(fileOf)
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Result);

/** Keeps the result of a whole run and writes `docs/performance.md` anew. */
export function keepResult(result: Result, name: 'latest' | 'million'): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync('docs/performance.md', performancePage(readResults()));
}
