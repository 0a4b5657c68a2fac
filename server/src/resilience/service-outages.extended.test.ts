import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect as openSocket } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cookieHeader, multipart } from '../testing/client.ts';
import { freePort } from '../testing/free-port.ts';
import { signIn } from '../testing/remote.ts';
import type { Remote } from '../testing/remote.ts';
import { admin, ownerUrlOf, startProcess } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';
import { findErrors } from './checked.ts';
import { openLedger } from './ledger.ts';
import { makeWriter } from './load.ts';
import { seeded } from './requests.ts';

// the pause before the next start of the database doubles with each restart
const kills = Number(process.env.FAULT_KILLS ?? 3);

// one installation with several failures in a row
const scratch = await mkdtemp(join(tmpdir(), 'tenure-hurt-'));
const dataDir = join(scratch, 'data');
const port = await freePort();
const installation = { dataDir, port, settings: { TRUST_PROXY: '127.0.0.0/8,::1/128' } };
let service: ServiceProcess;
let client: Remote;

beforeAll(async () => {
  service = await startProcess(installation);
  client = await signIn(service.address, admin);
}, 120_000);
afterAll(async () => {
  await service.kill();
  await rm(scratch, { recursive: true, force: true });
});

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const owner = new pg.Client({ connectionString: await ownerUrlOf(dataDir) });
  await owner.connect();
  try {
    return (await owner.query<T>(text)).rows;
  } finally {
    await owner.end();
  }
}
const count = async (table: string) => Number((await query<{ n: string }>(`select count(*) as n from ${table}`))[0]?.n);
const filesIn = async (folder: string) => (await readdir(join(dataDir, 'files', folder))).length;

/** Polls until another database process answers normally; returns the answers before that. */
async function untilBack(killed: number): Promise<{ status: number; retry: unknown }[]> {
  const seen: { status: number; retry: unknown }[] = [];
  await vi.waitUntil(
    async () => {
      // a connection may outlive the killed process for a moment and still get a response
      const isAnother = (await service.databasePid()) !== killed;
      const { status, headers } = await client.get('/api/entities');
      if (status !== 200) seen.push({ status, retry: headers['retry-after'] });
      return status === 200 && seen.length > 0 && isAnother;
    },
    { timeout: 60_000, interval: 10 },
  );
  return seen;
}

test('a database killed repeatedly under load costs 503s and nothing else, in the same process', async () => {
  const ledger = openLedger(join(scratch, 'ledger.jsonl'));
  const random = seeded(7);
  const writers = ['X', 'Y'].map((prefix) => makeWriter(prefix, ledger, random));
  const pids = new Set<number>();
  for (let round = 0; round < kills; round += 1) {
    const writing = writers.map((writer) => writer.write(client, () => false));
    await sleep(100 + random() * 200);
    const pid = await service.databasePid();
    pids.add(pid);
    process.kill(pid, 'SIGKILL');
    for (const answer of await untilBack(pid)) expect(answer).toEqual({ status: 503, retry: '5' });
    await Promise.all(writing);
    for (const writer of writers) await writer.repeatUnanswered(client);
  }
  ledger.close();
  expect(await findErrors(dataDir, ledger.path)).toEqual([]);
  expect(pids.size).toBe(kills);
  expect([service.child.exitCode, service.events('crash')]).toEqual([null, []]);
}, 120_000);

const made = (answer: Awaited<ReturnType<Remote['send']>>) => {
  expect(answer.status).toBe(201);
  return (answer.body as { data: { id: number } }).data.id;
};
let serial = 0;
async function hire(): Promise<number> {
  const name = `F-${(serial += 1)}`;
  const entity_id = made(await client.post('/api/entities', { name }));
  const department_id = made(await client.post('/api/departments', { name, entity_id }));
  const person = { employee_number: name, email: `${name}@acme.example`, first_name: 'Ada', last_name: 'Moss' };
  return made(await client.post('/api/employees', { ...person, entity_id, department_id }));
}

const pdf = { name: 'a.pdf', content: Buffer.from(`%PDF-1.7\n${'x'.repeat(200_000)}\n%%EOF\n`) };

/** A whole upload as bytes, for a client that stops in the middle. */
function bytesOf(path: string, fields: Record<string, string>): Buffer {
  const { payload, headers } = multipart(pdf, fields);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    `Referer: http://localhost:${port}/`,
    `Cookie: ${cookieHeader(client.cookies)}`,
    `X-XSRF-TOKEN: ${client.cookies.get('XSRF-TOKEN') ?? ''}`,
    `Content-Type: ${headers['content-type']}`,
    `Content-Length: ${payload.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), payload]);
}

/** Sends this part of an upload and nothing after it. */
async function sendPart(path: string, share: number, fields: Record<string, string>): Promise<Socket> {
  const bytes = bytesOf(path, fields);
  const socket = openSocket(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise((sent) => void socket.write(bytes.subarray(0, Math.round(bytes.length * share)), sent));
  return socket;
}

/** Titles of a person's files, and the number of files stored since. */
async function filesOf(person: number, before: number) {
  const rows = await query<{ title: string }>(`select title from attachments where employee_id = ${person}`);
  return { titles: rows.map(({ title }) => title), kept: (await filesIn('kept')) - before };
}

test('an upload cut off at any point leaves no row and no file, and affects no other request', async () => {
  const [person, kept] = [await hire(), await filesIn('kept')];
  const path = `/api/employees/${person}/attachments`;
  const fields = { category: 'other', title: 'Cut' };
  for (const share of [0.005, 0.1, 0.5, 0.99]) {
    const socket = await sendPart(path, share, fields);
    await sleep(30);
    socket.destroy();
  }
  (await sendPart('/api/employees/import', 0.5, {})).destroy();
  const stalled = await sendPart(path, 0.5, fields);
  expect((await client.upload(path, pdf, { ...fields, title: 'Whole' })).status).toBe(201);
  expect((await client.get('/api/me')).status).toBe(200);
  stalled.destroy();
  await vi.waitFor(async () => expect(await filesIn('incoming')).toBe(0), 15_000);
  expect(await filesOf(person, kept)).toEqual({ titles: ['Whole'], kept: 1 });
  expect(await count('imports')).toBe(0);
});

test('an upload whose client disconnects after the last byte is stored in full or not at all', async () => {
  const [person, kept] = [await hire(), await filesIn('kept')];
  for (const wait of [0, 0, 5, 20]) {
    const socket = await sendPart(`/api/employees/${person}/attachments`, 1, { category: 'other', title: 'Unheard' });
    await sleep(wait);
    socket.destroy();
  }
  await vi.waitFor(async () => expect(await filesIn('incoming')).toBe(0), 15_000);
  const whole = async () => {
    const found = await filesOf(person, kept);
    expect(found.titles).toHaveLength(found.kept);
  };
  await vi.waitFor(whole, 15_000);
  expect(await findErrors(dataDir)).toEqual([]);
});

test('of two hundred parallel uploads every acknowledged one is stored, the others get a time to retry', async () => {
  const people = [await hire(), await hire(), await hire(), await hire()];
  const before = await count('attachments');
  const small = { name: 'a.pdf', content: '%PDF-1.7\n%%EOF\n' };
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      client.upload(`/api/employees/${people[n % 4]}/attachments`, small, { category: 'other', title: `At once ${n}` }),
    ),
  );
  const stored = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, headers } of refused)
    expect([status === 503 || status === 429, headers['retry-after']]).toEqual([true, expect.any(String)]);
  expect(stored.length).toBeGreaterThan(0);
  expect((await count('attachments')) - before).toBe(stored.length);
  expect((await client.get('/api/me')).status).toBe(200);
  expect(await findErrors(dataDir)).toEqual([]);
}, 120_000);

test('a burst of sign-ins is answered, affects no signed-in user, and leaves no load behind', async () => {
  const guest = await signIn(service.address, admin);
  const tries = Array.from({ length: 80 }, (_, n) =>
    guest.send('POST', '/login', {
      body: { email: `nobody${n}@acme.example`, password: 'Wr0ng!Passw0rd' },
      headers: { 'x-forwarded-for': `10.0.${n % 8}.${n}` },
    }),
  );
  expect((await client.get('/api/me')).status).toBe(200);
  const answers = await Promise.all(tries);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422, 429]));
  for (const { status, headers } of answers) if (status === 429) expect(headers['retry-after']).toMatch(/^[0-9]+$/);
  expect((await (await signIn(service.address, admin)).get('/api/me')).status).toBe(200);
}, 120_000);
