import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { clusterFolder } from '../db/data-dir.ts';
import { serversOf } from '../db/embedded/processes.ts';
import { freePort } from '../testing/free-port.ts';
import { asOwner } from '../testing/moves-of-databases.ts';
import { signIn } from '../testing/remote.ts';
import { admin, ownerUrlOf, pidsOf, spawnService, startProcess, untilReady } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

const scratch = await mkdtemp(join(tmpdir(), 'tenure-killed-'));
const port = await freePort();
const wait = { timeout: 60_000, interval: 50 };
const running: ServiceProcess[] = [];

afterAll(async () => {
  for (const service of running) await service.kill();
  await rm(scratch, { recursive: true, force: true });
});

const isGone = (pid: number) =>
  readFile(`/proc/${pid}/stat`).then(
    () => false,
    () => true,
  );
const areGone = (pids: readonly number[]) => Promise.all(pids.map(isGone));
const killed = ({ child }: ServiceProcess) => process.kill(Number(child.pid), 'SIGKILL');

test('of a killed supervisor neither processes nor database are left, and the next start is clean', async () => {
  const dataDir = join(scratch, 'embedded');
  const installation = { dataDir, port, settings: { WEB_CONCURRENCY: '2' } };
  const first = await startProcess(installation);
  running.push(first);
  const pids = Object.values(pidsOf(first));
  expect(pids).toHaveLength(3);
  killed(first);
  await vi.waitFor(async () => expect(await serversOf(clusterFolder(dataDir))).toEqual([]), {
    ...wait,
    timeout: 10_000,
  });
  await vi.waitFor(async () => expect(await areGone(pids)).toEqual([true, true, true]), wait);
  const stopped = first.events('supervisor_lost').map((line) => String(line.process));
  expect(stopped.toSorted()).toEqual(['jobs', 'web-1', 'web-2']);
  const second = await startProcess(installation);
  running.push(second);
  expect((await signIn(`http://localhost:${port}`, admin)).cookies.size).toBeGreaterThan(0);
  expect(await second.stop()).toBe(0);
}, 240_000);

/** A mail server that never responds: a mail to it takes half a minute. */
async function silentMailServer() {
  const open = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    open.add(socket);
    most = Math.max(most, open.size);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, open, most: () => most };
}

const mailAndJob = `
  with told as (
    insert into notifications (user_id, event, severity, subject_type, url, dedupe_key)
    select id, 'backup_failed', 'info', 'user', '/profile', 'once' from users limit 1 returning id)
  insert into notification_deliveries (notification_id, channel, is_urgent) select id, 'email', true from told;
  select graphile_worker.add_job('deliver_mail')`;

test('its processes end at once, before the next one frees their jobs, so that none runs twice', async () => {
  const mail = await silentMailServer();
  const dataDir = join(scratch, 'jobs');
  const installation = { dataDir, port, settings: { WEB_CONCURRENCY: '2', SMTP_URL: mail.url } };
  const first = await startProcess(installation);
  running.push(first);
  await asOwner({ ownerUrl: await ownerUrlOf(dataDir) }, (client) => client.query(mailAndJob));
  await vi.waitFor(() => expect(mail.open.size).toBe(1), wait);
  killed(first);
  const second = spawnService(installation);
  running.push(second);
  await vi.waitFor(async () => expect(await areGone(Object.values(pidsOf(first)))).not.toContain(false), {
    ...wait,
    timeout: 3_000,
  });
  // the interrupted job
  expect(mail.open.size).toBe(0);
  await untilReady(second);
  expect(mail.most()).toBe(1);
  expect(await second.stop()).toBe(0);
}, 240_000);
