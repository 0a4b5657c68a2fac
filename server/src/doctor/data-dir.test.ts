import { chmod, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { hasCluster, lockDataDir } from '../db/data-dir.ts';
import { logTo } from '../logging.ts';
import { examine } from './doctor.ts';
import { lineOf } from './finding.ts';

const root = await mkdtemp(join(tmpdir(), 'tenure-doctor-'));
afterAll(() => rm(root, { recursive: true, force: true }));
let count = 0;

/** A DATA_DIR with these files. */
async function dataDirWith(files: Record<string, string>): Promise<string> {
  count += 1;
  const dataDir = join(root, String(count));
  await mkdir(dataDir, { mode: 0o700 });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(dataDir, name, '..'), { recursive: true });
    await writeFile(join(dataDir, name), content, { mode: 0o600 });
  }
  return dataDir;
}

const look = (dataDir: string, env: Record<string, string> = {}) =>
  examine({
    env: { DATA_DIR: dataDir, DISK_RESERVE_MB: '1', ...env },
    machine: { node: '26.0.0', uid: process.geteuid?.(), now: () => Date.now() },
    log: () => logTo('silent'),
    isOffline: true,
  });

const bad = async (dataDir: string, env?: Record<string, string>): Promise<string[]> =>
  (await look(dataDir, env)).filter(({ status }) => status !== 'ok').map(lineOf);

test('a folder before the first start is well, and stays empty', async () => {
  const dataDir = join(root, 'none');
  expect(await bad(dataDir)).toEqual([]);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test('a file in place of the folder', async () => {
  const path = join(root, 'file');
  await writeFile(path, '');
  expect(await bad(path)).toEqual([expect.stringMatching(/^fail {2}data-dir +.* is not a folder {2}→ Set DATA_DIR/)]);
  // neither that keys are safe nor that files are to come
  expect((await look(path)).map(({ name }) => name)).toEqual(['node', 'settings', 'data-dir']);
});

test('a database of another major version', async () => {
  const dataDir = await dataDirWith({ 'postgres/PG_VERSION': '14\n', 'app.key': generateKey() });
  expect(await bad(dataDir)).toEqual([
    expect.stringMatching(
      /^fail {2}database +.* was made by PostgreSQL 14, .* {2}→ .*The command upgrade-database copies its/,
    ),
  ]);
});

test('a damaged key, and damaged passwords of the database', async () => {
  const key = generateKey();
  const dataDir = await dataDirWith({
    'postgres/PG_VERSION': '18\n',
    'app.key': key.slice(0, 20),
    'database.json': '{"owner":"long-passwor',
  });
  const found = await bad(dataDir);
  expect(found).toEqual([
    `fail  keys          The key in ${dataDir}/app.key must be 32 random bytes in base64 (44 characters)  → Restore the file, or remove it to end all sessions.`,
    `fail  database      ${dataDir}/database.json is damaged  → Restore the file, or remove it: the next start then sets new passwords.`,
  ]);
  expect(await bad(dataDir, { APP_KEY: key })).toEqual([expect.stringMatching(/^fail {2}database /)]);
});

test('a folder that another service holds', async () => {
  const dataDir = await dataDirWith({ 'postgres/PG_VERSION': '18\n', 'app.key': generateKey() });
  const lock = await lockDataDir(dataDir);
  expect(await bad(dataDir)).toEqual([
    expect.stringMatching(/^fail {2}database +.* is in use by another Tenure service.* {2}→ Stop it or choose another/),
  ]);
  lock.release();
});

test('a database is not started in a folder with a fault, which a start would hide', async () => {
  const dataDir = await dataDirWith({ 'postgres/PG_VERSION': '14\n', 'app.key': generateKey() });
  await chmod(dataDir, 0o755);
  expect(await bad(dataDir)).toEqual([expect.stringMatching(/^warn {2}data-dir /)]);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o755);
});

test('keys that others may read', async () => {
  const dataDir = await dataDirWith({ 'app.key': generateKey(), 'database.json': '{}' });
  await chmod(join(dataDir, 'app.key'), 0o644);
  expect(await bad(dataDir)).toEqual([
    expect.stringMatching(/^warn {2}keys +Other users can read app\.key in DATA_DIR {2}→ Run chmod 600 app\.key/),
  ]);
});

test('a key that is lost', async () => {
  const dataDir = await dataDirWith({ 'postgres/PG_VERSION': '14\n' });
  expect(await hasCluster(dataDir)).toBe(true);
  expect(await bad(dataDir)).toContainEqual(
    expect.stringMatching(/^warn {2}keys +app\.key is missing.* {2}→ Put a copy of it back/),
  );
});

test('a first password that was not used in time', async () => {
  const dataDir = await dataDirWith({ 'first-admin': 'x' });
  expect(await bad(dataDir)).toEqual([]);
  const before = new Date(Date.now() - 73 * 3_600_000);
  await utimes(join(dataDir, 'first-admin'), before, before);
  expect(await bad(dataDir)).toEqual([expect.stringMatching(/^warn {2}first-admin +.* {2}→ If there is no other/)]);
});

test('production without https', async () => {
  const env = { NODE_ENV: 'production', APP_URL: 'http://hr.acme.example', ALLOW_INSECURE_HTTP: 'on' };
  expect(await bad(join(root, 'none'), env)).toEqual([
    expect.stringMatching(/^warn {2}settings +APP_URL is not https.* {2}→ Put a TLS proxy in front of/),
  ]);
});
