import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeLicence } from './node.ts';
import type { Package } from './packages.ts';
import { root } from './repository.ts';

/** The licences of everything in a release, with a text for each component. */

const isLicence = (name: string) => /^(licen[cs]e|copying|notice|ofl|unlicense)\b/i.test(name);
const flat = (name: string) => name.replace('/', '__');

/** Texts that packages do not include, from the distributions of their parts. */
const kept = join(root, 'scripts/licences');
const keptText = (name: string) => readFileSync(join(kept, `${name}.txt`), 'utf8').trim();

/** The licence file of a package in the release. */
export const packageText = (name: string, version: string) => `LICENSES/${flat(name)}-${version}.txt`;

const isVips = (owner: string) => owner.startsWith('@img/sharp-libvips');

/**
 * The licence file of a library inside a package, which npm does not know. Those of libvips share one file, because
 * their package has a table of their licences but no texts.
 */
export const insideText = (owner: string, version: string, library: string) =>
  isVips(owner) ? packageText(owner, version) : `LICENSES/${flat(owner)}/${library}.txt`;

/** The licence files in a folder; a package without one has the name of its licence in its package.json. */
function textOf({ path, name, version, license }: Package): string {
  const folder = join(root, path);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && isLicence(entry.name));
  const texts = files.map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
  if (isVips(name))
    texts.push(
      readFileSync(join(folder, 'README.md'), 'utf8').trim(),
      ...['LGPL-3.0', 'GPL-3.0', 'MPL-1.1'].map(keptText),
    );
  const named = license ? [`Licence: ${license}`] : [];
  if (texts.length + named.length === 0) throw new Error(`${path} says nothing about its licence`);
  return `${[`${name} ${version}`, ...named, ...texts].join('\n\n')}\n`;
}

function write(tree: string, path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

/** A library inside a package, with its own licence text. */
export type Inside = { owner: string; version: string; name: string };

export type Licensed = { packages: readonly Package[]; inside: readonly Inside[] };

/**
 * Writes `LICENSES/`.
 * @throws {Error} for a component without a text
 */
export function writeLicences(tree: string, { packages, inside }: Licensed): void {
  const node = nodeLicence();
  if (!node) throw new Error('This Node has no file with its licences: run npm ci.');
  write(tree, 'LICENSES/node.txt', readFileSync(node, 'utf8'));
  for (const one of packages) write(tree, packageText(one.name, one.version), textOf(one));
  for (const { owner, version, name } of inside) {
    if (isVips(owner)) continue;
    if (!existsSync(join(kept, `${name}.txt`))) throw new Error(`scripts/licences has no text of ${name}.`);
    write(tree, insideText(owner, version, name), `${keptText(name)}\n`);
  }
}
