import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { remote } from '../../server/src/testing/remote.ts';
import { hearNotification } from './visit.ts';

/** A proxy that collects what a stream says: its clients get the headers, and later everything. */
async function collecting(events: string[]): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (request.url?.endsWith('/stream')) response.write(['retry: 3000', ...events, ''].join('\n\n'));
    else response.end(JSON.stringify({ data: { email: 'off' } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ready = 'event: ready\ndata: {"unread":0}';

test.each([
  ['the first event', []],
  ['a later one', [ready]],
])('a proxy that keeps %s back is noticed', async (_, events) => {
  const address = await collecting(events);
  await expect(hearNotification(address, remote(address), 500)).rejects.toThrow('No event came');
});
