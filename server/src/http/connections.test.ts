import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startApp } from '../testing/app.ts';
import { connectionsOf, listen, sendBytes } from '../testing/socket.ts';

/** Clients that hold connections and do not cooperate in closing them. */

const settings = { CONNECTIONS_PER_ADDRESS: '20' };
const { app } = await startApp(settings);
const port = await listen(app);
const live = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

const sockets: Socket[] = [];
/** A connection that stays open whatever the other side does. */
function hold(to: number, bytes: string, from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: to, host: '127.0.0.1', localAddress: from, allowHalfOpen: true }).pause();
  sockets.push(socket);
  socket.on('error', () => undefined);
  return new Promise((resolve) => void socket.write(bytes, () => resolve(socket)));
}
const gone = () => vi.waitFor(async () => expect(await connectionsOf(app)).toBe(0), 15_000);
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gone();
});

describe('a refused connection is freed without the help of its client', () => {
  test.each([
    ['half a header', 'GET /api/me HTTP/1.1\r\nHos'],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    Object.assign(app.server, { headersTimeout: 300 });
    await Promise.all(Array.from({ length: 15 }, () => hold(port, bytes)));
    await vi.waitFor(async () => expect(await connectionsOf(app)).toBe(0), 6_000);
    expect(sockets.every((socket) => !socket.destroyed)).toBe(true);
    expect((await sendBytes(port, live)).status).toBe(200);
  });
});

describe('one address', () => {
  const unlimited = { headersTimeout: 60_000 };

  test('holds so many connections, and others are served', async () => {
    Object.assign(app.server, unlimited);
    for (let n = 0; n < 60; n += 1) await hold(port, 'GET /');
    await vi.waitFor(async () => expect(await connectionsOf(app)).toBe(20), 6_000);
    const refused = await sendBytes(port, live, { wait: 2_000 });
    expect([refused.status, refused.closed]).toEqual([0, true]);
    // another address of this machine
    const other = await hold(port, live, '127.0.0.2');
    other.resume();
    const answer = await new Promise<string>((resolve) => other.once('data', (chunk) => resolve(chunk.toString())));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    // ended connections make room
    for (const socket of sockets.splice(0, 60)) socket.destroy();
    await vi.waitFor(async () => expect((await sendBytes(port, live, { wait: 500 })).status).toBe(200), 6_000);
  });

  test('that is a proxy of ours holds as many as it needs, and 0 is no limit', async () => {
    for (const more of [{ ...settings, TRUST_PROXY: '127.0.0.0/8' }, { CONNECTIONS_PER_ADDRESS: '0' }]) {
      const service = await startApp(more);
      const at = await listen(service.app);
      await Promise.all(Array.from({ length: 60 }, () => hold(at, 'GET /')));
      await vi.waitFor(async () => expect(await connectionsOf(service.app)).toBe(60), 6_000);
      expect((await sendBytes(at, live)).status).toBe(200);
      for (const socket of sockets.splice(0)) socket.destroy();
    }
  });
});
