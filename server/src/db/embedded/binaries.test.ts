import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barredFolder } from './account.ts';
import { findBinaries, ownHome } from './binaries.ts';

const run = promisify(execFile);
const account = { uid: 61_054, gid: 61_054 };

let scratch: string;
let installed: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'tenure-binaries-'));
  installed = join(scratch, 'package', 'native');
  await cp(join(ownHome(), '..', 'package.json'), join(scratch, 'package', 'package.json'));
  await cp(ownHome(), installed, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
});

afterAll(() => rm(scratch, { recursive: true }));

test('library links and permissions that an install without scripts leaves out are repaired', async () => {
  const lib = join(installed, 'lib');
  const names = await readdir(lib);
  const links: string[] = [];
  for (const name of names) if ((await lstat(join(lib, name))).isSymbolicLink()) links.push(name);
  expect(links.length).toBeGreaterThan(0);
  for (const name of links) await rm(join(lib, name));
  await chmod(join(installed, 'bin', 'postgres'), 0o644);

  const binaries = await findBinaries(undefined, { installed });

  expect(binaries).toMatchObject({ home: installed, major: 18 });
  for (const name of links) await expect(stat(join(lib, name))).resolves.toBeDefined();
});

test('the nearest folder that bars a user is found', async () => {
  expect(await barredFolder(installed, account)).toBe(scratch);
  expect(await barredFolder(tmpdir(), account)).toBeUndefined();
});

test.runIf(process.geteuid?.() === 0)(
  'programs below a private folder are copied once to where their user reaches them',
  async () => {
    const cache = await mkdtemp(join(tmpdir(), 'tenure-cache-'));
    await chmod(cache, 0o755);
    const binaries = await findBinaries(account, { installed, cache });
    const again = await findBinaries(account, { installed, cache });
    expect(again).toEqual(binaries);
    expect(await readdir(cache)).toHaveLength(1);
    const { stdout } = await run(binaries.postgres, ['--version'], account);
    expect(stdout).toContain('PostgreSQL) 18.');
    await rm(cache, { recursive: true });
  },
);
