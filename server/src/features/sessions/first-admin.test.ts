import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { cloneDatabase } from '../../testing/databases.ts';
import { freePort } from '../../testing/free-port.ts';
import { remote, signIn } from '../../testing/remote.ts';
import { startProcess } from '../../testing/service-process.ts';
import { createFirstAdmin } from './first-admin.ts';
import { firstPasswordFile, deleteUsedFirstPassword } from './first-password.ts';

const scratch = await mkdtemp(join(tmpdir(), 'tenure-first-admin-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const email = 'first@acme.example';
const contentOf = (dataDir: string) => readFile(firstPasswordFile(dataDir), 'utf8').catch(() => undefined);
const installation = async (name: string) => {
  const { appUrl, ownerUrl } = await cloneDatabase();
  const settings = { DATABASE_URL: appUrl, DATABASE_MIGRATION_URL: ownerUrl, ADMIN_EMAIL: email, ADMIN_PASSWORD: '' };
  return { dataDir: join(scratch, name), port: await freePort(), settings };
};

test('without a terminal the first password is in a file of its own until the first sign-in, and never in the output', async () => {
  const place = await installation('served');
  const service = await startProcess(place);
  const path = join(place.dataDir, 'first-admin');
  const [address, password = ''] = (await readFile(path, 'utf8')).split('\n');
  expect([address, (await stat(path)).mode & 0o777]).toEqual([email, 0o600]);
  expect(password.length).toBeGreaterThanOrEqual(12);
  expect(service.lines.join('\n')).not.toContain(password);
  expect(await service.logged('first_admin')).toEqual([expect.objectContaining({ file: path })]);
  expect(service.lines).toContain(`  with         the one-time password in ${path}`);

  const guest = remote(service.address);
  await guest.get('/sanctum/csrf-cookie');
  expect((await guest.post('/login', { email, password: 'Wr0ng!Passw0rd' })).status).toBe(422);
  expect(await contentOf(place.dataDir)).toContain(password);

  const browser = await signIn(service.address, { email, password });
  expect((await browser.get('/api/me')).status).toBe(200);
  expect(await contentOf(place.dataDir)).toBeUndefined();
  expect(service.lines.join('\n')).not.toContain(password);
  expect(await service.stop()).toBe(0);
}, 120_000);

describe('the file of the first password', async () => {
  const { deps, owner, make, as } = await startApp({ ADMIN_EMAIL: email });
  const dataDir = deps.config.DATA_DIR;

  test('of two processes that start at once one writes it, and its password is that of the account', async () => {
    await writeFile(firstPasswordFile(dataDir), `${email}\nof-an-account-that-was-never-made\n`);
    const made = await Promise.all([createFirstAdmin(deps, true), createFirstAdmin(deps, true)]);
    expect(made.filter(Boolean)).toEqual([{ email, warnings: [], file: firstPasswordFile(dataDir) }]);
    const [, password = ''] = (await contentOf(dataDir))?.split('\n') ?? [];
    expect((await readdir(dataDir)).filter((name) => name.startsWith('first-admin'))).toEqual(['first-admin']);
    await deleteUsedFirstPassword(deps.db, dataDir);
    expect(await contentOf(dataDir)).toContain(password);

    const other = await make.employee({ password: 'Str0ng!Passw0rd' });
    expect((await (await as()).post('/login', { email: other.email, password: 'Str0ng!Passw0rd' })).status).toBe(200);
    expect(await contentOf(dataDir)).toContain(password);
    expect((await (await as()).post('/login', { email: email.toUpperCase(), password })).status).toBe(200);
    expect(await contentOf(dataDir)).toBeUndefined();
  });

  test.each([
    ['used on another machine', 'one_time_password = false'],
    ['expired', "password_expires_at = now() - interval '1 second'"],
  ])('is removed at the next start once its password is %s', async (_what, state) => {
    await owner.query(
      "update users set one_time_password = true, password_expires_at = now() + interval '1 hour' where email = $1",
      [email],
    );
    await writeFile(firstPasswordFile(dataDir), `${email}\nsecret\n`);
    await deleteUsedFirstPassword(deps.db, dataDir);
    expect(await contentOf(dataDir)).toBeDefined();
    await owner.query(`update users set ${state} where email = $1`, [email]);
    await deleteUsedFirstPassword(deps.db, dataDir);
    expect(await contentOf(dataDir)).toBeUndefined();
  });
});

describe('without a file', async () => {
  const { deps } = await startApp({ ADMIN_EMAIL: email });

  test('a terminal shows the password, and nothing is written', async () => {
    const made = await createFirstAdmin(deps, false);
    expect(made).toEqual({ email, warnings: [], password: expect.any(String) });
    expect(await contentOf(deps.config.DATA_DIR)).toBeUndefined();
  });
});

describe('when the file cannot be written', async () => {
  const { deps, owner } = await startApp({ ADMIN_EMAIL: email, DATA_DIR: join(scratch, 'not-there') });

  test('no account is made, so that the next start makes one', async () => {
    await expect(createFirstAdmin(deps, true)).rejects.toThrow('ENOENT');
    expect((await owner.query('select 1 from users')).rowCount).toBe(0);
  });
});
