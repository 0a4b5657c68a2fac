import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const source = join(import.meta.dirname, '..');

export const sourceOf = (file: string): string => readFileSync(join(source, file), 'utf8');

const resolveFrom = (file: string, path: string) => relative(source, join(source, dirname(file), path));

/** The paths of a module and its static imports, relative to `src`. */
export function modulesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ''] of sourceOf(file).matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+\.tsx?)'/gm))
    modulesOf(resolveFrom(file, path), found);
  return found;
}

const lazily = /lazy(?:Screen|Part)\(\s*\(\) => import\('([^']+)'\),\s*'\w+'((?:,\s*'[\w-]+')*),?\s*\)/g;

/** The lazy imports of a module, with the text parts that it names for them. */
export const lazyImportsOf = (file: string): { file: string; parts: string[] }[] =>
  [...sourceOf(file).matchAll(lazily)].map(([, path = '', parts = '']) => ({
    file: resolveFrom(file, path),
    parts: [...parts.matchAll(/'([\w-]+)'/g)].map(([, part = '']) => part),
  }));
