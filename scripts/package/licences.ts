import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeLicence } from './node.ts';
import type { Package } from './packages.ts';
import { root } from './repository.ts';

/** The licences of everything in a release, a file for each package. */

const isLicence = (name: string) => /^(licen[cs]e|copying|notice|ofl|unlicense)\b/i.test(name);

/** The licence files of a folder; a package without one has the name of its licence in its package.json. */
function textOf({ path, name, version, license }: Package): string {
  const folder = join(root, path);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && isLicence(entry.name));
  const texts = files.map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
  const named = license ? [`Licence: ${license}`] : [];
  if (texts.length + named.length === 0) throw new Error(`${path} says nothing about its licence`);
  return `${[`${name} ${version}`, ...named, ...texts].join('\n\n')}\n`;
}

/** Writes `LICENSES/`. */
export function writeLicences(tree: string, packages: readonly Package[]): void {
  const folder = join(tree, 'LICENSES');
  mkdirSync(folder);
  const node = nodeLicence();
  if (node) writeFileSync(join(folder, 'node.txt'), readFileSync(node));
  for (const one of packages)
    writeFileSync(join(folder, `${one.name.replace('/', '__')}-${one.version}.txt`), textOf(one));
}
