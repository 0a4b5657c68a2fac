import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { baseParts, partsOf } from '../../plugins/languages.ts';
import { lazyImportsOf, modulesOf, sourceOf } from '../testing/modules.ts';

const files = partsOf('en');
/** The part that holds the texts of a namespace. */
const partOf = new Map(
  [...files].flatMap(([part, file]) => {
    const texts = JSON.parse(readFileSync(file, 'utf8')) as object;
    return Object.keys(texts).map((space) => [space, part] as const);
  }),
);
const atOnce = new Set(baseParts);

/** The parts whose texts a module and its static imports read, without the base. */
function partsRead(file: string): Set<string> {
  const calls = [...modulesOf(file)].flatMap((one) => [...sourceOf(one).matchAll(/useTranslations\(([^)]*)\)/g)]);
  const spaces = calls.flatMap(([, names = '']) =>
    [...names.matchAll(/'(\w+)[\w.]*'/g)].map(([, space = '']) => space),
  );
  return new Set(spaces.flatMap((space) => partOf.get(space) ?? []).filter((part) => !atOnce.has(part)));
}

/** The errors in the parts that lazy imports of a module name, given the parts already loaded. */
function missingParts(
  file: string,
  named: readonly string[],
  here: ReadonlySet<string>,
  seen = new Set<string>(),
): string[] {
  const all = new Set([...here, ...named]);
  const key = [file, ...[...all].sort()].join(' ');
  if (seen.has(key)) return [];
  seen.add(key);
  const read = partsRead(file);
  return [
    ...[...read].filter((part) => !all.has(part)).map((part) => `${file} reads '${part}' and is loaded without it`),
    ...named.filter((part) => !read.has(part)).map((part) => `${file} is loaded with '${part}' and does not read it`),
    ...[...modulesOf(file)].flatMap(lazyImportsOf).flatMap((later) => missingParts(later.file, later.parts, all, seen)),
  ];
}

test('a lazy module is loaded with the parts of the texts it reads', () => {
  expect([...new Set(missingParts('main.tsx', [], new Set()))]).toEqual([]);
});

test('modules are loaded lazily only by lazyScreen and lazyPart, which load their texts', () => {
  const modules = [...modulesOf('main.tsx')];
  for (const one of modules)
    for (const { file } of lazyImportsOf(one)) if (!modules.includes(file)) modules.push(...modulesOf(file));
  const loads = (file: string) => [...sourceOf(file).matchAll(/import\('[^']+\.tsx'\)/g)].length;
  const others = modules.filter((file) => loads(file) !== lazyImportsOf(file).length);
  expect(others).toEqual([]);
});

test('each part of the base is a file of texts', () => {
  expect(baseParts.filter((part) => !files.has(part))).toEqual([]);
});
