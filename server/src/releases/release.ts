import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '../crypto/crypto.ts';
import { isContract, listMigrations } from '../db/migration-files.ts';

const read = async (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The version in package.json. */
export const version = (JSON.parse(await read('package.json')) as { version: string }).version;

/** The built browser application. */
export const webBuild = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

export type Release = {
  /** The version, and a suffix that identifies the build. */
  name: string;
  /** The number of its migrations; a later release has at least as many. */
  migrations: number;
  /** Its contract migrations: it does not use what they remove. */
  contracts: string[];
  /** The page of its browser application; null if none is built. */
  page: string | null;
};

/** Describes this release; migrations and script names distinguish builds of the same version. */
export async function ownRelease(): Promise<Release> {
  const [names, page] = await Promise.all([listMigrations(), read('web/dist/index.html').catch(() => null)]);
  const build = sha256Hex([...names, page ?? ''].join('\n')).slice(0, 8);
  return { name: `${version}+${build}`, migrations: names.length, contracts: names.filter(isContract), page };
}
