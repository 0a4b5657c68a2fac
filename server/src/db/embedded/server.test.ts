import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { readPidFile } from './processes.ts';
import { untilReady } from './server.ts';

const cluster = mkdtempSync(join(tmpdir(), 'tenure-setting-'));
afterAll(() => rmSync(cluster, { recursive: true }));

const write = (pid: number, state: string) =>
  writeFileSync(join(cluster, 'postmaster.pid'), `${pid}\n/data\n1790000000\n5432\n/sockets\n\n 1 2\n${state}\n`);

test('the file of a killed server does not count for the next one with the same number', async () => {
  write(30, 'ready   ');
  const stale = await readPidFile(cluster);
  let isReady = false;
  const ready = untilReady(cluster, { pid: 30, exitCode: null, signalCode: null }, stale).then(() => (isReady = true));
  await sleep(100);
  expect(isReady).toBe(false);
  rmSync(join(cluster, 'postmaster.pid'));
  write(30, 'starting');
  await sleep(100);
  expect(isReady).toBe(false);
  write(30, 'ready   ');
  await ready;
});
