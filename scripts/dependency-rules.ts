/** What a package that runs in production may be: its licence and its size. */

export type Locked = { license?: string; dev?: boolean; link?: boolean };

/** Licences that may be given on with Tenure. Those of the library that scales pictures are kept apart, as LGPL asks. */
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
/** Packages whose `package.json` names no licence; the one of their file. */
const written: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

export const mostMegabytes = 5;

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const words = (expression: string) => expression.replaceAll(/[()]/g, '').split(/ AND | OR /);

/** The packages of a lockfile, for production, whose licence is not allowed. */
export const forbiddenLicences = (locked: Readonly<Record<string, Locked>>): string[] =>
  Object.entries(locked)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { license }]) => ({ name: nameOf(path), licence: license ?? written[nameOf(path)] ?? 'none' }))
    .filter(({ name, licence }) => !apart(name) && !words(licence).every((word) => allowed.has(word)))
    .map(({ name, licence }) => `${name}: ${licence}`);

/** The packages above the limit for which the page of dependencies gives no reason. */
export const tooLarge = (sizes: Readonly<Record<string, number>>, reasons: string): string[] =>
  Object.entries(sizes)
    .filter(([name, bytes]) => bytes > mostMegabytes * 1e6 && !reasons.includes(`\`${name}\``))
    .map(([name, bytes]) => `${name}: ${(bytes / 1e6).toFixed(1)} MB`);
