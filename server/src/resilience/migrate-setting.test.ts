import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { listMigrations } from '../db/migration-files.ts';
import { cloneDatabase } from '../testing/databases.ts';
import { freePort } from '../testing/free-port.ts';
import { remote, signIn } from '../testing/remote.ts';
import { admin, spawnService, startProcess } from '../testing/service-process.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'tenure-migrate-'));
const { ownerUrl, appUrl } = await cloneDatabase();
const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
await owner.query('drop schema public cascade; drop schema graphile_worker cascade; create schema public');
const port = await freePort();
const names = await listMigrations();

afterAll(async () => {
  await owner.end();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (settings: Record<string, string>) =>
  spawnService({ dataDir, port, settings: { DATABASE_URL: appUrl, APP_KEY: generateKey(), ...settings } });
const migrateOnly = { MIGRATE: 'only', DATABASE_MIGRATION_URL: ownerUrl };
const texts = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('{'));

describe('MIGRATE', () => {
  test('off refuses a database without the migrations of this release, and leaves it as it is', async () => {
    const refused = start({ MIGRATE: 'off' });
    expect(await refused.ended).toBe(1);
    expect(texts(refused.lines)).toEqual([
      `MIGRATE: is off, but the database lacks migrations of this release (${names.slice(0, 3).join(', ')} and ` +
        `${names.length - 3} more). Run the command migrate`,
    ]);
    expect((await owner.query("select from pg_class where relnamespace = 'public'::regnamespace")).rows).toEqual([]);
  }, 60_000);

  test('only applies them and ends, without an account or a listener', async () => {
    const once = start(migrateOnly);
    expect(await once.ended).toBe(0);
    expect(texts(once.lines)).toEqual(names.map((name) => `Applied ${name}`));
    expect((await owner.query('select from users')).rows).toEqual([]);
    const again = start(migrateOnly);
    expect(await again.ended).toBe(0);
    expect(texts(again.lines)).toEqual(['The database is up to date']);
  }, 60_000);

  test('a name that is no setting is a warning, also where the start is refused, without its value', async () => {
    const names = { DATABSE_URL: 'postgres://x:Xylophone-77@db/tenure', SMTP_HOTS: 'mail.acme.example', API_KEY: 'x' };
    const warned = [
      { level: 40, event: 'unknown_setting', name: 'DATABSE_URL', nearest: 'DATABASE_URL' },
      { level: 40, event: 'unknown_setting', name: 'SMTP_HOTS', nearest: 'SMTP_URL' },
    ];
    for (const [settings, code] of [
      [{ ...migrateOnly, ...names }, 0],
      [{ ...migrateOnly, ...names, DATABASE_POOL_SIZE: 'many' }, 1],
    ] as const) {
      const once = start({ LOG_LEVEL: 'info', ...settings });
      expect(await once.ended).toBe(code);
      const entries = once
        .events('unknown_setting')
        .toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
      expect(entries).toMatchObject(warned);
      expect(once.lines.join('\n')).not.toMatch(/Xylophone|mail\.acme/);
    }
  }, 60_000);

  test('off serves with the address of the application alone, and says that it is there', async () => {
    const settings = { DATABASE_URL: appUrl, APP_KEY: generateKey(), MIGRATE: 'off' };
    const service = await startProcess({ dataDir, port, settings });
    expect((await remote(service.address).get('/readyz')).status).toBe(200);
    expect((await (await signIn(service.address, admin)).get('/api/me')).status).toBe(200);
    const processes = async () => (await owner.query<{ role: string }>('select role from processes')).rows;
    expect(await processes()).toEqual([{ role: 'all' }]);
    expect(await service.stop()).toBe(0);
    expect(await processes()).toEqual([]);
  }, 60_000);

  test('only makes the embedded database and stops it again', async () => {
    const folder = join(dataDir, 'embedded');
    const once = spawnService({ dataDir: folder, port, settings: { MIGRATE: 'only' } });
    expect(await once.ended).toBe(0);
    expect(texts(once.lines)).toHaveLength(names.length);
    expect(await once.databasePid()).toBe(0);
  }, 60_000);
});
