import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

const module = new URL('free-port.ts', import.meta.url).href;
const script = (first: number, pairs: number) =>
  `const { freePort } = await import('${module}'); console.log(await freePort(${first}, ${pairs}))`;
const inAnotherProcess = (first: number, pairs: number) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script(first, pairs)]);

test('a port can be listened on, and is none that the system gives to connections', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThan(20_000);
  expect(port).toBeLessThan(32_768);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect((server.address() as AddressInfo).port).toBe(port);
  server.close();
});

test('a port is given once, not even to another process while it is not in use', async () => {
  const given = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(new Set(given).size).toBe(20);
  const port = await freePort();
  await expect(freePort(port - 1, 1)).rejects.toThrow('No port is free');
  await expect(inAnotherProcess(port - 1, 1)).rejects.toThrow('No port is free');
  const { stdout } = await inAnotherProcess(port - 1, 40);
  expect(Number(stdout)).toBeGreaterThan(port);
});

test('a claim ends with its process, and a port in use is passed over', async () => {
  const { stdout } = await inAnotherProcess(20_000, 6_000);
  const port = Number(stdout);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await expect(freePort(port - 1, 1)).rejects.toThrow('No port is free');
  server.close();
  await once(server, 'close');
  expect(await freePort(port - 1, 1)).toBe(port);
});
