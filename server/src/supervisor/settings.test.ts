import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { cloneDatabase } from '../testing/databases.ts';
import { cookieHeader } from '../testing/client.ts';
import { freePort } from '../testing/free-port.ts';
import { asOwner } from '../testing/moves-of-databases.ts';
import { signIn } from '../testing/remote.ts';
import { admin, pidsOf, startProcess } from '../testing/service-process.ts';

const scratch = await mkdtemp(join(tmpdir(), 'tenure-settings-'));
const file = (name: string) => join(scratch, name);
const dataDir = file('data');
const database = await cloneDatabase();
await writeFile(file('key'), generateKey());
await writeFile(file('database'), database.appUrl);
await writeFile(file('owner'), database.ownerUrl);

const port = await freePort();
const wait = { timeout: 60_000, interval: 50 };
const service = await startProcess({
  dataDir,
  port,
  settings: {
    WEB_CONCURRENCY: '2',
    APP_KEY_FILE: file('key'),
    DATABASE_URL_FILE: file('database'),
    DATABASE_MIGRATION_URL_FILE: file('owner'),
    CONNECTIONS_PER_ADDRESS: '0',
  },
});
afterAll(async () => {
  await service.kill();
  await rm(scratch, { recursive: true, force: true });
});

const long = 120_000;

/** Kills web processes and waits for their replacements. */
async function replace(...names: string[]) {
  for (const name of names) {
    const before = service.events('process_replaced').length;
    process.kill(Number(pidsOf(service)[name]), 'SIGKILL');
    await vi.waitFor(() => expect(service.events('process_replaced')).toHaveLength(before + 1), wait);
  }
}

async function reload(): Promise<[number, string]> {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['scripts/reload.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close') as Promise<[number]>;
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  return [(await closed)[0], said.join('')];
}

const signedIn = async () => cookieHeader((await signIn(service.address, admin)).cookies);

/** The responses of both web processes to a session: either one may accept a connection. */
async function answers(cookie: string): Promise<{ statuses: number[]; processes: unknown[] }> {
  const from = service.events('request').length;
  const statuses = new Set<number>();
  const headers = { accept: 'application/json', referer: `${service.address}/`, cookie, connection: 'close' };
  const seen = () => [
    ...new Set(
      service
        .events('request')
        .slice(from)
        .map((line) => line.process),
    ),
  ];
  await vi.waitFor(async () => {
    const asked = Array.from({ length: 20 }, () => fetch(`${service.address}/api/me`, { headers }));
    for (const { status } of await Promise.all(asked)) statuses.add(status);
    expect(seen()).toHaveLength(2);
  }, wait);
  return { statuses: [...statuses], processes: seen() };
}

/** The same address, in a form whose connections can be distinguished. */
const later = new URL(database.appUrl);
later.searchParams.set('application_name', 'later');

/** The names of the service's connections. */
const names = async () => {
  const { rows } = await asOwner(database, (client) =>
    client.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    ),
  );
  return rows.map(({ name }) => name);
};

test(
  'a process that is replaced has the settings of its siblings, whatever files say by now',
  { timeout: long },
  async () => {
    const cookie = await signedIn();
    await writeFile(file('key'), generateKey());
    await writeFile(file('database'), later.href);
    await replace('web-1');
    expect((await answers(cookie)).statuses).toEqual([200]);
    expect(await names()).not.toContain('later');
  },
);

test('a reload gives all of them those of now', { timeout: long }, async () => {
  const before = await signedIn();
  expect(await reload()).toEqual([0, 'Reloaded\n']);
  expect((await answers(before)).statuses).toEqual([401]);
  const cookie = await signedIn();
  expect((await answers(cookie)).statuses).toEqual([200]);
  expect(await names()).toContain('later');
  await replace('web-1', 'web-2');
  expect((await answers(cookie)).statuses).toEqual([200]);
});

test.each([
  ['key', 'no key', /^Not reloaded: APP_KEY: /],
  ['database', '', /^Not reloaded: DATABASE_URL_FILE: .* is empty: write the value into the file/],
])('a file of a wrong %s leaves the processes as they are', { timeout: long }, async (name, content, reason) => {
  const cookie = await signedIn();
  const before = pidsOf(service);
  await writeFile(file('key'), generateKey());
  await writeFile(file(name), content);
  expect(await reload()).toEqual([1, expect.stringMatching(reason)]);
  expect(pidsOf(service)).toEqual(before);
  await replace('web-2');
  expect((await answers(cookie)).statuses).toEqual([200]);
});
