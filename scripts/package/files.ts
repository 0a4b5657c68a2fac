import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { commands } from '../commands.ts';
import { root } from './repository.ts';

/** The files of the repository that are part of a release. */

/** Scripts besides those of the commands. */
const scripts = [
  'tenure.ts',
  'commands.ts',
  'command-line.ts',
  'compile-cache.mjs',
  'web-build.ts',
  'audit-verify.mjs',
];
const shippedScripts = new Set(
  [...scripts, ...Object.values(commands).map(({ file }) => file)].map((name) => `scripts/${name}`),
);

const forDevelopers = /\.(test|d)\.ts$|\.test\.yaml$|^server\/src\/(testing|year|security|resilience)\//;
const shippedFolders = /^(server\/src|server\/migrations|contract\/src|contract\/locales|deploy)\//;
const shippedFiles = new Set(['LICENSE', 'server/package.json', 'contract/package.json', '.env.example']);

/** Secrets of the installation in this checkout. */
const isSecret = (path: string) => /(^|\/)(secrets\/|\.env$)/.test(path);

/** Whether this file of the repository is part of a release. */
export function isReleased(path: string): boolean {
  if (isSecret(path)) return false;
  if (shippedScripts.has(path) || shippedFiles.has(path)) return true;
  return shippedFolders.test(path) && !forDevelopers.test(path) && !path.endsWith('.md');
}

const importsOf = (text: string) =>
  [
    ...text.matchAll(
      /^(?:import|export)\b(?! type\b)[^;'"=]*?(?:from )?'(\.[^']+)';|\bimport\('(\.[^']+)'\)|new URL\('(\.[^']+\.ts)', import\.meta\.url\)/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');

/** Imports in the files that lead to none of them, as `file: import`. Ignores types, which do not exist at run time. */
export function missingImports(paths: readonly string[]): string[] {
  const known = new Set(paths);
  return paths
    .filter((path) => /\.m?[jt]s$/.test(path))
    .flatMap((path) =>
      importsOf(readFileSync(join(root, path), 'utf8'))
        .filter((specifier) => !known.has(normalize(join(dirname(path), specifier))))
        .map((specifier) => `${path}: ${specifier}`),
    );
}
