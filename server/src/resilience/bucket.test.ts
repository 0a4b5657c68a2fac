import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sweepFiles } from '../jobs/files.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { freePort } from '../testing/free-port.ts';
import { describeMachines } from '../testing/machines-suite.ts';
import { download, hireOn, openMachines, pdf, upload } from '../testing/machines.ts';
import type { Remote } from '../testing/remote.ts';
import { remote, signIn } from '../testing/remote.ts';
import { startS3 } from '../testing/s3-server.ts';
import type { Fault } from '../testing/s3-server.ts';
import { admin } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

const s3 = await startS3();
afterAll(() => s3.close());

describeMachines('a bucket', (prefix) => s3.address(prefix));

describe('a service with a bucket', () => {
  const prefix = 'one';
  let machines: Awaited<ReturnType<typeof openMachines>>;
  let service: ServiceProcess;
  let client: Remote;
  let path = '';
  let metricsPort = 0;
  let app: TestApp;
  const start = () => machines.start('one', { METRICS_PORT: String(metricsPort) });

  let end: () => Promise<void> = () => Promise.resolve();
  afterAll(() => end());

  beforeAll(async () => {
    machines = await openMachines(s3.address(prefix), (ending) => (end = ending));
    metricsPort = await freePort();
    service = await start();
    ({ client, path } = await hireOn(service));
    app = await startApp({ STORAGE_URL: s3.address(prefix) }, { database: machines.database });
  }, 120_000);

  const rows = async () =>
    (await app.owner.query<{ file_key: string }>('select file_key from attachments')).rows.map((row) => row.file_key);
  const objects = () =>
    [...s3.objects.keys()].filter((key) => key.startsWith(`${prefix}/kept/`)).map((key) => key.slice(-32));
  const metric = async () =>
    /^tenure_storage_up (\d)$/m.exec(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())?.[1];

  test('refuses uploads and downloads while it is away, and serves everything else', async () => {
    const { url } = await upload(client, path, 'Before');
    expect([(await download(service, client, url)).status, await metric()]).toEqual([200, '1']);
    const [before, { length }] = [await rows(), objects()];
    await s3.close();
    const refused = await upload(client, path, 'Meanwhile');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    expect(await download(service, client, url)).toMatchObject({ status: 503, retry: '30' });
    await vi.waitFor(async () => expect(await metric()).toBe('0'), 20_000);
    expect((await client.get('/api/employees')).status).toBe(200);
    expect((await remote(service.address).get('/readyz')).status).toBe(200);
    expect([await rows(), objects().length]).toEqual([before, length]);
    await s3.open();
    await vi.waitFor(async () => expect(await metric()).toBe('1'), 20_000);
    expect((await upload(client, path, 'After')).status).toBe(201);
    const found = await download(service, client, url);
    expect([found.status, found.bytes.equals(pdf.content)]).toEqual([200, true]);
    expect(await service.logged('storage_down')).toMatchObject([
      { store: `s3://files/${prefix}`, code: 'ECONNREFUSED' },
    ]);
    expect(await service.logged('storage_up')).toHaveLength(1);
  }, 60_000);

  test('says that a file is missing, and does not call it unknown', async () => {
    const { url } = await upload(client, path, 'Lost');
    const key = (await rows()).at(-1) ?? '';
    s3.objects.delete(`${prefix}/kept/${key}`);
    expect(await download(service, client, url)).toMatchObject({ status: 503, retry: '30' });
    expect(await service.logged('file_missing')).toHaveLength(1);
    await app.owner.query('delete from attachments where file_key = $1', [key]);
  });

  test.each<[string, Fault | undefined]>([
    ['before the store has the file', 'cut'],
    ['before it knows that the store has the file', 'cut after'],
    ['as the store answers', undefined],
  ])('that is killed %s leaves no row without a file, and the file is swept', { timeout: 60_000 }, async (_, fault) => {
    const before = await rows();
    let kills = 0;
    s3.fault = (method, key) => {
      if (method !== 'PUT' || !key.startsWith(`${prefix}/kept/`) || kills > 0) return undefined;
      kills += 1;
      void service.kill('service');
      return fault;
    };
    await upload(client, path, 'Killed').catch(() => undefined);
    await service.ended;
    expect(kills).toBe(1);
    service = await start();
    client = await signIn(service.address, admin);
    const after = await rows();
    expect(after.length - before.length).toBeLessThanOrEqual(fault ? 0 : 1);
    expect(after.filter((key) => !objects().includes(key))).toEqual([]);
    for (let hour = 2; hour < 26; hour += 1)
      await sweepFiles({ deps: app.deps, now: Temporal.Now.instant().add({ hours: hour }) });
    expect(objects().toSorted()).toEqual(after.toSorted());
  });
});
