import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { probeRoutes } from '../testing/probes.ts';
import { guardDisk } from './disk-guard.ts';

const { deps, as, make, owner, logged } = await startApp({}, { bindings: probeRoutes });
const plenty = deps.disk;
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const events = () => logged.map((line) => (JSON.parse(line) as { event: string }).event);

const auditRows = async () => (await owner.query('select count(*) from audit_log')).rows;

test('below the reserve uploads, imports and exports are refused and other requests succeed', async () => {
  const before = await auditRows();
  deps.disk = guardDisk({ files: deps.files, reserve: Number.MAX_SAFE_INTEGER, log: deps.log });
  const refused = [
    await hr.upload('/api/probes/1/upload', { name: 'a.png', content: 'x' }),
    await hr.upload('/api/employees/import', { name: 'a.csv', content: 'a,b' }),
    await hr.get('/api/employees/export'),
  ];
  for (const { status, headers, body } of refused)
    expect([status, headers['retry-after'], body]).toEqual([503, '30', { message: 'Service Unavailable' }]);
  expect(await auditRows()).toEqual(before);
  expect((await hr.get('/api/employees')).status).toBe(200);
  expect((await hr.post('/api/probes/1/act')).status).toBe(200);
  const ready = await hr.get('/readyz');
  expect([ready.status, ready.body.failed]).toEqual([503, ['disk']]);
  expect(events().filter((event) => event === 'disk_low')).toHaveLength(1);
});

test('a user without the permission gets no information about the disk', async () => {
  deps.disk = guardDisk({ files: deps.files, reserve: Number.MAX_SAFE_INTEGER, log: deps.log });
  const person = await as((await make.employee()).user_id);
  expect((await person.get('/api/employees/export')).status).toBe(403);
});

test('with free space again the same requests succeed', async () => {
  deps.disk = plenty;
  expect((await hr.get('/api/employees/export')).status).toBe(200);
});

test('the end of a shortage is logged once, and a disk that does not answer counts as full', async () => {
  let free = 10;
  const guard = (reserve: number) => guardDisk({ files: { freeBytes: async () => free }, reserve, log: deps.log });
  expect(await guard(11).isLow()).toBe(true);
  expect(await guard(10).isLow()).toBe(false);
  free = NaN;
  const broken = { freeBytes: () => Promise.reject(new Error('EIO')) };
  expect(await guardDisk({ files: broken, reserve: 0, log: deps.log }).isLow()).toBe(true);
});
