import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { spawnService } from '../testing/service-process.ts';
import { refuseUnknownHosts } from './refuse-hosts.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tenure-hosts-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

const line = (setting: string) =>
  `${setting}: unknown.invalid cannot be resolved: give an address such as 127.0.0.1, or correct the name`;

test.each<[string, Record<string, string>]>([
  ['HOST', {}],
  ['METRICS_HOST', { METRICS_PORT: '1' }],
  ['METRICS_HOST', { METRICS_PORT: '1', WEB_CONCURRENCY: '2' }],
])('a start with an unknown name in %s and %j says so, before there is a database', async (setting, others) => {
  const refused = spawnService({ dataDir, port: 0, settings: { ...others, [setting]: 'unknown.invalid' } });
  expect(await refused.ended).toBe(1);
  expect(refused.lines.filter((said) => !said.startsWith('{'))).toEqual([line(setting)]);
  expect(await readdir(dataDir)).toEqual([]);
});

test('what no process listens on is not looked up', async () => {
  const known = { HOST: 'localhost', METRICS_HOST: 'unknown.invalid' };
  expect(await refuseUnknownHosts(readConfig(known))).toBe(undefined);
  const worker = { HOST: 'unknown.invalid', ROLE: 'worker', METRICS_HOST: '::1', METRICS_PORT: '1' };
  expect(await refuseUnknownHosts(readConfig(worker))).toBe(undefined);
});
