import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forbiddenLicences, tooLarge } from './dependency-rules.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
type Manifest = {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
};

const manifests = ['', 'contract/', 'server/', 'web/'].map(
  (folder) => JSON.parse(read(`${folder}package.json`)) as Manifest,
);
const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages;
const versionsOf = (name: string) =>
  Object.entries(locked)
    .filter(([path]) => path.endsWith(`node_modules/${name}`))
    .map(([, entry]) => entry.version ?? '');

const parts = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number);
function atLeast(version: string, floor: string) {
  const [a, b] = [parts(version), parts(floor)];
  const place = a.findIndex((part, index) => part !== b[index]);
  return place < 0 || (a[place] ?? 0) > (b[place] ?? 0);
}

test.each([
  ['fastify', '5.12.1'],
  ['@fastify/static', '9.1.1'],
  ['yauzl', '3.2.1'],
  ['kysely', '0.28.17'],
])('%s is at least %s', (name, floor) => {
  const versions = versionsOf(name);
  expect(versions).not.toEqual([]);
  for (const version of versions) expect(atLeast(version, floor), version).toBe(true);
});

test.each(['@fastify/middie', '@fastify/express', '@fastify/secure-session', 'xlsx', 'exceljs', 'adm-zip', 'knex'])(
  '%s is not used, not even by another package',
  (name) => {
    expect(versionsOf(name)).toEqual([]);
  },
);

test('the lockfile pins every package by its hash and names no address', () => {
  for (const [path, entry] of Object.entries(locked)) {
    if (!path.includes('node_modules/') || entry.link) continue;
    expect(entry.integrity, path).toMatch(/^sha512-/);
    expect(entry.resolved, path).toBeUndefined();
  }
});

test('every direct dependency has exact version and a line that says why', () => {
  const reasons = read('docs/dependencies.md');
  for (const { dependencies, devDependencies, optionalDependencies } of manifests)
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
      if (!name.startsWith('@tenure/')) expect(reasons, name).toContain(name);
    }
});

test('the budgets of runtime dependencies hold', () => {
  // typefaces are data, and the contract is ours
  const isCode = (name: string) => !name.startsWith('@fontsource') && !name.startsWith('@tenure/');
  const count = (index: number) => Object.keys(manifests[index]?.dependencies ?? {}).filter(isCode).length;
  expect(count(2)).toBeLessThanOrEqual(38);
  expect(count(3)).toBeLessThanOrEqual(25);
});

test('every package for production has a licence that may be given on', () => {
  expect(forbiddenLicences(locked)).toEqual([]);
  const planted = { 'node_modules/planted': { license: 'AGPL-3.0-only' }, 'node_modules/unknown': {} };
  expect(forbiddenLicences(planted)).toEqual(['planted: AGPL-3.0-only', 'unknown: none']);
  expect(forbiddenLicences({ 'node_modules/choice': { license: '(MIT OR GPL-3.0)' } })).not.toEqual([]);
  expect(forbiddenLicences({ 'node_modules/tool': { license: 'GPL-3.0', dev: true } })).toEqual([]);
});

/** The bytes of a package without the packages inside it. */
const bytesOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesOf(path) : statSync(path).size);
  }, 0);

test('a dependency above five megabytes has its reason', () => {
  const [, large = ''] = read('docs/dependencies.md').split('## Larger than 5 MB');
  const sizes = Object.fromEntries(
    ['contract', 'server', 'web'].flatMap((workspace, index) =>
      Object.keys(manifests[index + 1]?.dependencies ?? {}).flatMap((name) => {
        const folder = [join(workspace, 'node_modules', name), join('node_modules', name)].find(existsSync);
        return folder === undefined || name.startsWith('@tenure/') ? [] : [[name, bytesOf(folder)] as const];
      }),
    ),
  );
  expect(Object.keys(sizes).length).toBeGreaterThan(40);
  expect(tooLarge(sizes, large)).toEqual([]);
  expect(tooLarge({ planted: 6e6 }, large)).toEqual(['planted: 6.0 MB']);
});

test('install scripts are run by name: each package named is there and has one', () => {
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  for (const name of Object.keys(allowScripts))
    expect(locked[`node_modules/${name}`]?.hasInstallScript, name).toBe(true);
});

test('the workflow asks for known weaknesses, and how updates are kept is written down', () => {
  expect(read('.github/workflows/ci.yml')).toMatch(/^ +run: npm audit --package-lock-only --omit=dev/m);
  expect(read('.github/workflows/nightly.yml')).toMatch(
    /^ +- run: npm audit --package-lock-only --omit=dev --audit-level=high$/m,
  );
  expect(read('.github/workflows/nightly.yml')).toMatch(/^ +- run: npm audit signatures$/m);
  for (const page of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']) expect(read(page)).toContain('docs/updates.md');
  expect(read('docs/updates.md')).toMatch(/critical \| 7 days/);
});

/** What a step uses that is not pinned, or otherwise in two places. */
function loose(workflows: readonly string[]): string[] {
  const used = workflows.flatMap((text) =>
    [...text.matchAll(/^ +(?:- )?uses: (\S+?)@(.+)$/gm)].map(([, action = '', version = '']) => [action, version]),
  );
  const pins = new Map(used as [string, string][]);
  return used
    .filter(
      ([action = '', version = '']) => !/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(version) || pins.get(action) !== version,
    )
    .map((pair) => pair.join('@'));
}

test('every action of the workflows is pinned by its commit, the same everywhere, and takes new ones after a week', () => {
  const workflows = globSync('.github/workflows/*.yml').map((path) => readFileSync(path, 'utf8'));
  expect(workflows.length).toBeGreaterThanOrEqual(3);
  expect(loose(workflows)).toEqual([]);
  expect(loose(['      - uses: actions/checkout@v4'])).toEqual(['actions/checkout@v4']);
  const updates = read('.github/dependabot.yml');
  expect(updates.match(/^ +default-days: 7$/gm)).toHaveLength(updates.match(/package-ecosystem/g)?.length ?? 0);
});

test('no page leaves out optional packages: the compiled part of sharp is one of them', () => {
  const { optionalDependencies = {} } = locked['node_modules/sharp'] as Manifest;
  expect(optionalDependencies).toHaveProperty('@img/sharp-linux-x64');
  for (const page of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')])
    expect(read(page), page).not.toMatch(/--omit[= ]optional|--no-optional/);
});
