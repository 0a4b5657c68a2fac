import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { addressesOfRunning } from '../db/embedded.ts';
import { freePort } from '../testing/free-port.ts';
import { programOf } from '../testing/program.ts';
import { startProcess } from '../testing/service-process.ts';
import type { Finding } from './finding.ts';

const root = await mkdtemp(join(tmpdir(), 'tenure-doctor-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const dataDir = join(root, 'data');

/** `npm run doctor` without npm. */
async function doctor(args: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, programOf('doctor', args), {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await closed) as [number | null];
  return { code, out, err };
}

test('the doctor looks before the first start, beside the service, and after its stop', async () => {
  const port = await freePort();
  const settings = { PORT: String(port), METRICS_PORT: String(await freePort()) };
  const before = await doctor(['--offline'], settings);
  expect(before).toMatchObject({ code: 0, err: '', out: expect.stringContaining('the first start creates it') });

  const service = await startProcess({ dataDir, port, settings });
  const beside = await doctor(['--json'], settings);
  expect(beside).toMatchObject({ code: 0, err: '' });
  const findings = JSON.parse(beside.out) as Finding[];
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({ name: 'database', what: expect.stringContaining('embedded') }),
  );
  // the alerts read what a process reports
  const metrics = await (await fetch(`http://127.0.0.1:${settings.METRICS_PORT}/metrics`)).text();
  for (const name of ['tenure_database_up 1', 'tenure_jobs_failed 0', 'process_start_time_seconds '])
    expect(metrics).toContain(`\n${name}`);
  await service.stop();

  const stopped = await doctor([], settings);
  expect(stopped.code).toBe(2);
  expect(stopped.out).toMatch(/^ok {4}audit-log /m);
  expect(stopped.out).toMatch(/^fail {2}address +.*Add --offline while the service is stopped\.$/m);
  expect(stopped.out).toMatch(/\n\n\d+ ok, 0 warnings, 1 failure\n$/);
  // the database that it started for this is stopped again
  expect(await addressesOfRunning(dataDir)).toBeUndefined();
  expect(await doctor(['--offline'], settings)).toMatchObject({ code: 0, err: '' });
}, 120_000);

test('warnings, failures and a wrong option have their exit codes', async () => {
  const open = join(root, 'open');
  await mkdir(open);
  await chmod(open, 0o755);
  const warned = await doctor(['--offline'], { DATA_DIR: open });
  expect(warned).toMatchObject({ code: 1, out: expect.stringMatching(/ ok, 1 warning, 0 failures\n$/) });
  expect((await doctor(['--offline'], { DATA_DIR: open, DISK_RESERVE_MB: '1000000' })).code).toBe(2);
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', PORT: '1' };
  expect(await doctor(['--offline'], { DATA_DIR: join(root, 'none'), ...mail })).toMatchObject({ code: 0 });
  const wrong = await doctor(['--online'], {});
  expect(wrong).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^Unknown option '--online'\. See --help\.\n$/),
  });
  expect((await doctor(['--help'], {})).out).toContain('npm run doctor');
});
