/** Limits for packages that run in production: their licence and their size. */

export type Locked = { license?: string; dev?: boolean; link?: boolean };

/** Licences that permit distribution with Tenure. The picture library's are kept separate, as the LGPL requires. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
]);
const apart = (name: string) => name.startsWith('@img/sharp-');
/** Packages whose `package.json` names no licence, with the licence in their file. */
const written: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

export const maxMegabytes = 5;

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const words = (expression: string) => expression.replaceAll(/[()]/g, '').split(/ AND | OR /);

/** The production packages in a lockfile whose licence is not allowed. */
export const forbiddenLicences = (locked: Readonly<Record<string, Locked>>): string[] =>
  Object.entries(locked)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { license }]) => ({ name: nameOf(path), licence: license ?? written[nameOf(path)] ?? 'none' }))
    .filter(({ name, licence }) => !apart(name) && !words(licence).every((word) => allowed.has(word)))
    .map(({ name, licence }) => `${name}: ${licence}`);

/** The packages above the limit without a reason in the page on dependencies. */
export const tooLarge = (sizes: Readonly<Record<string, number>>, reasons: string): string[] =>
  Object.entries(sizes)
    .filter(([name, bytes]) => bytes > maxMegabytes * 1e6 && !reasons.includes(`\`${name}\``))
    .map(([name, bytes]) => `${name}: ${(bytes / 1e6).toFixed(1)} MB`);
