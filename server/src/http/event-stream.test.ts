import { connect } from 'node:net';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { endpoint } from '@tenure/contract';
import { expect, test, vi } from 'vitest';
import { startApp } from '../testing/app.ts';
import { listen, requestHead } from '../testing/socket.ts';
import { bind } from './context.ts';
import { maxWaiting, StreamReply } from './event-stream.ts';
import type { EventStream } from './event-stream.ts';

const begun: EventStream[] = [];
const probe = endpoint({
  method: 'GET',
  path: '/probes/stream',
  summary: 'Go on',
  permission: 'signed in',
  scope: 'own',
  stream: true,
  status: 200,
});
const { app, as, make } = await startApp(
  {},
  { bindings: [bind(probe, { handle: async () => new StreamReply((stream) => void begun.push(stream)) })] },
);
const port = await listen(app);
const client = await as((await make.employee()).user_id);
const megabyte = 1_024 * 1_024;

/** A client of the stream; the test decides how it reads. */
async function openSocket() {
  const before = begun.length;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(requestHead('GET /api/probes/stream', client.cookies));
  await vi.waitFor(() => expect(begun.length).toBe(before + 1));
  return { socket, stream: begun.at(-1) as EventStream };
}

test('what is sent arrives at once, in the form browsers read', async () => {
  const { socket, stream } = await openSocket();
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  stream.send({ event: 'news', data: { title: 'Zoë\n\nevent: end' }, id: 7 });
  stream.beat();
  await vi.waitFor(() => expect(text).toContain('event: news\nid: 7\ndata: {"title":"Zoë\\n\\nevent: end"}\n\n'));
  await vi.waitFor(() => expect(text).toMatch(/\n\n(\r\n3\r\n)?:\n\n/));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toContain('x-request-id');
  stream.end({ event: 'end', data: {} });
  await vi.waitFor(() => expect(text).toMatch(/event: end\ndata: \{\}\n\n\r\n0\r\n\r\n$/));
  stream.send({ event: 'news', data: 'after the end' });
  socket.destroy();
});

test('a client that never reads is cut off, and what waited for it is gone', async () => {
  const { socket, stream } = await openSocket();
  socket.pause();
  let isOver = false;
  stream.onClose(() => {
    isOver = true;
  });
  const data = 'x'.repeat(8_000);
  const before = process.memoryUsage().rss;
  let sent = 0;
  // oxlint-disable-next-line no-unmodified-loop-condition -- set when the connection closes
  for (; !isOver && sent < 200 * megabyte; sent += data.length) {
    stream.send({ event: 'news', data });
    await turn();
  }
  expect(isOver).toBe(true);
  // what the two kernels buffer for it, and a little of ours
  expect(sent).toBeLessThan(32 * megabyte + maxWaiting);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * megabyte);
  socket.destroy();
});

test('a burst that a reading client takes in does not cut it off', async () => {
  const { socket, stream } = await openSocket();
  let size = 0;
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  for (let n = 0; n < 200; n += 1) stream.send({ event: 'news', data: 'x'.repeat(300) });
  await vi.waitFor(() => expect(size).toBeGreaterThan(60_000));
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('a client that hangs up is noticed', async () => {
  const { socket, stream } = await openSocket();
  let isOver = false;
  stream.onClose(() => {
    isOver = true;
  });
  socket.destroy();
  await vi.waitFor(() => expect(isOver).toBe(true));
  stream.send({ event: 'news', data: 'too late' });
  stream.end({ event: 'end', data: {} });
});

test('HEAD tells the headers and begins nothing', async () => {
  const before = begun.length;
  const answer = await client.send('HEAD', '/api/probes/stream');
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(begun.length).toBe(before);
});

test.each([
  ['12', 12],
  ['0', undefined],
  ['-1', undefined],
  ['99999999999999999999', undefined],
  ['x', undefined],
])('the last event id %j is %j', async (sent, id) => {
  await client.get('/api/probes/stream', { 'last-event-id': sent });
  expect(begun.at(-1)?.lastId).toBe(id);
});
