import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The source files of the repository, for the checks and measurements. */

const root = fileURLToPath(new URL('..', import.meta.url));

export type Source = { path: string; text: string };

const generated = /(^|\/)(schema\.ts|.*\.gen\.ts|routeTree.*)$/;
export const isGenerated = (path: string) => generated.test(path);
export const isTest = (path: string) => /\.test\.tsx?$/.test(path) || /(^|\/)(e2e|testing)\//.test(path);

export function allSources(): Source[] {
  const folders = ['contract/src', 'server/src', 'web/src', 'web/plugins', 'scripts', 'bench', 'e2e'];
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** The pages in the root, in docs and in its decisions. */
export const allDocuments = (): Source[] =>
  globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md'], { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));
