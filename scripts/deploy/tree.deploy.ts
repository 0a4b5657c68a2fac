import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { sha256Of } from '../package/archive.ts';
import { checkSize, limits, megabytesOf } from '../package/limits.ts';
import type { Release } from '../package/tree.ts';
import { run } from './tools.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const archive = `${tree}.tar.zst`;
const root = join(import.meta.dirname, '../..');
const readJson = <T>(name: string) => JSON.parse(readFileSync(join(tree, name), 'utf8')) as T;

type Sbom = { components: { name: string; properties: { name: string; value: string }[] }[] };

test('a second build, in another folder, time zone and umask, is equal byte by byte', async () => {
  const { commit } = readJson<Release>('release.json');
  expect(commit, 'commit your changes before: a clone has none of them').toMatch(/^[0-9a-f]{40}$/);
  const clone = join(scratch, 'another/folder/tenure');
  execFileSync('git', ['clone', '--quiet', '--local', root, clone]);
  execFileSync('git', ['checkout', '--quiet', commit], { cwd: clone });
  execFileSync('cp', ['-a', join(root, 'node_modules'), clone]);
  const node = join(clone, 'node_modules/.bin/node');
  const built = run('sh', ['-c', `umask 077 && exec "$0" scripts/package.ts --out ../out`, node], {
    cwd: clone,
    env: { ...process.env, TZ: 'Asia/Kathmandu', LC_ALL: 'C.UTF-8' },
  });
  expect(built, built.output).toMatchObject({ status: 0 });
  expect(await sha256Of(join(dirname(clone), 'out', basename(archive)))).toBe(await sha256Of(archive));
});

test('the release says what it is made of', () => {
  const release = readJson<Release>('release.json');
  const names = globSync('*.sql', { cwd: join(tree, 'server/migrations') }).sort();
  expect(release.migrations.map(({ name }) => name)).toEqual(names);
  const listed = readJson<Sbom>('sbom.cdx.json').components.map(({ name }) => name);
  expect(listed).toEqual(expect.arrayContaining(['node', 'fastify', 'sharp', 'openssl', 'postgresql', 'vips']));
  expect(listed).not.toContain('react');
  for (const path of globSync('node_modules/{*,@*/*}/package.json', { cwd: tree })) {
    const { name } = readJson<{ name: string }>(path);
    if (name !== '@tenure/contract') expect(listed, path).toContain(name);
  }
});

test('each component has the text of its licence', () => {
  const fileOf = ({ properties }: Sbom['components'][number]) =>
    properties.find(({ name }) => name === 'tenure:licence')?.value ?? '';
  const { components } = readJson<Sbom>('sbom.cdx.json');
  const textOf = (name: string) =>
    readFileSync(join(tree, fileOf(components.find((one) => one.name === name) ?? { name, properties: [] })), 'utf8');
  for (const component of components)
    expect(readFileSync(join(tree, fileOf(component)), 'utf8').length, component.name).toBeGreaterThan(20);
  for (const [name, words] of [
    ['node', 'Copyright Node.js contributors'],
    ['libatomic.so.1', 'GCC RUNTIME LIBRARY EXCEPTION'],
    ['libatomic.so.1', 'GNU GENERAL PUBLIC LICENSE'],
    ['postgresql', 'PostgreSQL Global Development Group'],
    ['openssl', 'Original SSLeay License'],
    ['icu', 'Unicode, Inc.'],
    ['libxml2', 'Daniel Veillard'],
    ['libxslt', 'Daniel Veillard'],
    ['zlib', 'Jean-loup Gailly'],
    ['xz', 'Lasse Collin'],
    ['ossp-uuid', 'Ralf S. Engelschall'],
    ['vips', 'GNU LESSER GENERAL PUBLIC LICENSE'],
    ['cairo', 'MOZILLA PUBLIC LICENSE'],
    ['fastify', 'Fastify'],
  ] as const)
    expect(textOf(name), name).toContain(words);
});

test('the release holds nothing for developers', () => {
  const patterns = [
    '**/*.test.ts',
    '**/*.map',
    '**/*.d.ts',
    '**/*.md',
    '**/*.a',
    'node_modules/typescript',
    '**/.stamp',
  ];
  expect(patterns.flatMap((pattern) => globSync(pattern, { cwd: tree }))).toEqual([]);
});

test('sizes stay below their limits, and a file that is too large fails', () => {
  checkSize(tree, limits.withDatabase.tree);
  checkSize(archive, limits.withDatabase.archive);
  const planted = join(scratch, 'planted');
  mkdirSync(planted);
  copyFileSync(join(tree, 'release.json'), join(planted, 'release.json'));
  checkSize(planted, limits.withDatabase.tree);
  writeFileSync(join(planted, 'large'), '');
  truncateSync(join(planted, 'large'), (limits.withDatabase.tree + 1) * 1_024 * 1_024);
  expect(() => checkSize(planted, limits.withDatabase.tree)).toThrow(`the limit is ${limits.withDatabase.tree} MB`);
});

test('without the database the release is smaller and starts no cluster', () => {
  const built = run(process.execPath, ['scripts/package.ts', '--without-database', '--out', scratch], { cwd: root });
  expect(built, built.output).toMatchObject({ status: 0 });
  const small = `${tree}-without-database`;
  checkSize(small, limits.withoutDatabase.tree);
  expect(megabytesOf(small)).toBeLessThan(megabytesOf(tree) - 30);
  const started = run(join(small, 'bin/tenure'), ['start'], {
    env: { APP_URL: 'http://localhost:1', DATA_DIR: join(scratch, 'no-data'), PORT: '0' },
  });
  expect(started.status).toBe(1);
  expect(started.output).toContain('Set DATABASE_URL to a PostgreSQL server of your own');
});

test('the sum beside the archive finds a changed byte', () => {
  const check = (folder: string) =>
    run('sha256sum', ['--check', `${basename(archive)}.sha256`], { cwd: folder }).status;
  expect(check(dirname(tree))).toBe(0);
  const changed = join(scratch, 'changed');
  mkdirSync(changed);
  const bytes = readFileSync(archive);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  writeFileSync(join(changed, basename(archive)), bytes);
  copyFileSync(`${archive}.sha256`, join(changed, `${basename(archive)}.sha256`));
  expect(check(changed)).toBe(1);
});
