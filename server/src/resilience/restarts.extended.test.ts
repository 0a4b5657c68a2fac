import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect as openSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { cloneDatabase } from '../testing/databases.ts';
import { freePort } from '../testing/free-port.ts';
import { remote, signIn } from '../testing/remote.ts';
import { admin, ownerUrlOf, spawnService, startProcess } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';
import { findErrors } from './checked.ts';

const scratch = await mkdtemp(join(tmpdir(), 'tenure-restarts-'));
const dataDir = join(scratch, 'data');
const installation = { dataDir, port: await freePort() };
let service: ServiceProcess;

afterAll(async () => {
  await service.kill();
  await rm(scratch, { recursive: true, force: true });
});

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}
const query = async <T extends pg.QueryResultRow>(text: string) => ask<T>(await ownerUrlOf(dataDir), text);
const admins = `select count(*)::int as n from users where is_admin`;
const isReady = ({ lines }: ServiceProcess) => lines.some((line) => line.includes('Tenure is ready'));

test('of two simultaneous first starts one serves, and the other gives the reason why it does not', async () => {
  const both = [spawnService(installation), spawnService({ ...installation, port: await freePort() })];
  const refused = await Promise.race(both.map(async (one) => (await one.ended, one)));
  service = both.find((one) => one !== refused) as ServiceProcess;
  await vi.waitUntil(() => isReady(service), { timeout: 60_000 });
  expect([await refused.ended, isReady(refused)]).toEqual([1, false]);
  expect(refused.events('start_refused')).toEqual([
    expect.objectContaining({
      level: 60,
      reason: `DATA_DIR ${dataDir} is in use by another Tenure service (process ${service.child.pid}). Stop it or choose another folder.`,
    }),
  ]);
  expect(await query(admins)).toEqual([{ n: 1 }]);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('app.key'))).toEqual(['app.key']);
  expect((await remote(service.address).get('/readyz')).status).toBe(200);
}, 120_000);

const header = 'employee_number,first_name,last_name,email,entity,department';
const people = (prefix: string, count: number) =>
  [
    header,
    ...Array.from({ length: count }, (_, n) => `${prefix}${n},Ann,Lee${n},${prefix}${n}@acme.example,${prefix},Crew`),
  ].join('\n');
const imported = async (id: number) =>
  (
    await query<{ n: number }>(
      `select count(*)::int as n from import_rows where import_id = ${id} and status = 'created'`,
    )
  )[0]?.n ?? 0;

/** Uploads an import of this many people and waits until the first rows are written. */
async function startImport(prefix: string, count: number): Promise<number> {
  const client = await signIn(service.address, admin);
  await client.post('/api/entities', { name: prefix });
  const file = { name: `${prefix}.csv`, content: people(prefix, count) };
  const { status, body } = await client.upload('/api/employees/import', file, { create_departments: '1' });
  expect(status).toBe(201);
  const { id } = (body as { data: { id: number } }).data;
  await vi.waitUntil(async () => (await imported(id)) > 0, { timeout: 60_000, interval: 5 });
  return id;
}

/** The final state of an import and inconsistencies of the data. */
async function outcomeOf(id: number) {
  const counted = `select status, (counts ->> 'created')::int as created, (counts ->> 'failed')::int as failed`;
  const read = async () => (await query<{ status: string }>(`${counted} from imports where id = ${id}`))[0];
  await vi.waitUntil(async () => (await read())?.status !== 'processing', { timeout: 60_000, interval: 50 });
  return { ...(await read()), faults: await findErrors(dataDir) };
}
const done = (created: number) => ({ status: 'completed', created, failed: 0, faults: [] });

test('an import of a killed service continues after the next start, which ends the old database', async () => {
  const id = await startImport('Killed', 2_500);
  const old = await service.databasePid();
  await service.kill('service and guard');
  expect(() => process.kill(old, 0)).not.toThrow();
  service = await startProcess(installation);
  expect(await service.databasePid()).not.toBe(old);
  expect(await outcomeOf(id)).toEqual(done(2_500));
}, 120_000);

test('an import of a killed database continues after its lease expires', async () => {
  const id = await startImport('Away', 2_500);
  const old = await service.databasePid();
  process.kill(old, 'SIGKILL');
  // skips the killed process that the supervisor has not noticed yet
  const hasAnother = async () => ![0, old].includes(await service.databasePid());
  await vi.waitUntil(hasAnother, { timeout: 60_000 });
  await vi.waitUntil(async () => (await remote(service.address).get('/readyz')).status === 200, { timeout: 60_000 });
  // makes the scheduled resumption due, which comes within two minutes
  await query(`update imports set leased_until = now() where status = 'processing'`);
  await query(`select graphile_worker.add_job('resume_imports', job_key => 'resume_imports')`);
  expect(await outcomeOf(id)).toEqual(done(2_500));
}, 120_000);

test('a second Ctrl-C ends the service at once with a short message, and the next start recovers', async () => {
  // an endless request and a running job: the first signal waits for both
  const stalled = openSocket(installation.port, '127.0.0.1');
  stalled.on('error', () => undefined);
  stalled.write(`POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n`);
  const id = await startImport('Ended', 1_500);
  const said = service.lines.length;
  process.kill(service.child.pid as number, 'SIGINT');
  await sleep(200);
  process.kill(service.child.pid as number, 'SIGINT');
  expect(await service.ended).toBe(1);
  expect(service.events('stopped_at_once')).toHaveLength(1);
  expect(service.lines.slice(said).filter((line) => !line.startsWith('{') || /crash|job_queue/.test(line))).toEqual([]);
  stalled.destroy();
  service = await startProcess(installation);
  expect(await outcomeOf(id)).toEqual(done(1_500));
}, 120_000);

test('without its key file the service starts and logs it, and users sign in again', async () => {
  const client = await signIn(service.address, admin);
  const before = await query('select id from employees');
  expect(await service.stop()).toBe(0);
  await rm(join(dataDir, 'app.key'));
  service = await startProcess(installation);
  expect(await service.logged('key_replaced')).toHaveLength(1);
  expect((await client.get('/api/me')).status).toBe(401);
  expect((await (await signIn(service.address, admin)).get('/api/me')).status).toBe(200);
  expect(await query('select id from employees')).toHaveLength(before.length);
}, 120_000);

/** Returns the log of a start that must fail. */
async function refusal(settings: Record<string, string>): Promise<unknown> {
  const refused = spawnService({ ...installation, settings });
  expect([await refused.ended, isReady(refused)]).toEqual([1, false]);
  const reasons = refused.events('start_refused').map(({ reason }) => reason);
  // also in words for the operator
  expect(refused.lines).toContain(reasons[0]);
  return reasons;
}

test('a refused start logs its reason: wrong setting, a database that a newer release reduced', async () => {
  await query(`insert into schema_migrations (name) values ('29990101_0000_later.contract.sql')`);
  expect(await service.stop()).toBe(0);
  expect(await refusal({ PORT: '70000' })).toEqual([expect.stringMatching(/^PORT: /)]);
  expect(await refusal({})).toEqual([
    'A newer release removed what this one uses (29990101_0000_later.contract.sql). Start the newer release, ' +
      'or restore a backup that this release made',
  ]);
  expect(await refusal({ DATABASE_URL: 'postgres://tenure@127.0.0.1:1/tenure', APP_KEY: generateKey() })).toEqual([
    'The database cannot be reached (connect ECONNREFUSED 127.0.0.1:1). Nothing listens there: start the server, or correct host and port',
  ]);
}, 120_000);

test('a first start killed at any moment leaves a clean next one', async () => {
  const folder = join(scratch, 'cut');
  for (const wait of [400, 1_100]) {
    const first = spawnService({ dataDir: folder, port: installation.port });
    await sleep(wait);
    await first.kill('everything');
  }
  const next = await startProcess({ dataDir: folder, port: installation.port });
  expect(await ask(await ownerUrlOf(folder), admins)).toEqual([{ n: 1 }]);
  expect((await (await signIn(next.address, admin)).get('/api/me')).status).toBe(200);
  expect(await findErrors(folder)).toEqual([]);
  await next.kill();
}, 120_000);

test('two nodes started together on an empty database migrate it once and create one administrator', async () => {
  const { ownerUrl, appUrl } = await cloneDatabase();
  await ask(ownerUrl, 'drop schema public cascade; drop schema graphile_worker cascade; create schema public');
  const files = { STORAGE_URL: `file://${join(scratch, 'shared')}` };
  const settings = { DATABASE_URL: appUrl, DATABASE_MIGRATION_URL: ownerUrl, APP_KEY: generateKey(), ...files };
  const start = async (name: string) =>
    startProcess({ dataDir: join(scratch, name), port: await freePort(), settings });
  const nodes = await Promise.all([start('one'), start('two')]);
  expect(await ask(ownerUrl, admins)).toEqual([{ n: 1 }]);
  for (const node of nodes) expect((await (await signIn(node.address, admin)).get('/api/me')).status).toBe(200);
  expect(await Promise.all(nodes.map((node) => node.stop()))).toEqual([0, 0]);
}, 120_000);
