import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from './bench.ts';

/** Milliseconds until a receiver answers. */
const answersIn = 20;

export type Arrival = { receiver: number; subject: number; at: number };

export type Receivers = {
  /** The address of a receiver. */
  url: (receiver: number) => string;
  arrivals: Arrival[];
  /** Makes a receiver stop answering from now on. */
  hang: (receiver: number) => void;
  stop: () => void;
};

/** Starts webhook receivers on one port, which are distinguished by path. */
export async function startReceivers({ tls }: Bench): Promise<Receivers> {
  const arrivals: Arrival[] = [];
  let hanging = -1;
  const server = createServer(tls, (request, response) => {
    const receiver = Number((request.url ?? '').slice(1));
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: { id: number } };
      arrivals.push({ receiver, subject: data.id, at: performance.now() });
      if (receiver !== hanging) void wait(answersIn).then(() => response.writeHead(204).end());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: (receiver) => `https://127.0.0.1:${(server.address() as AddressInfo).port}/${receiver}`,
    arrivals,
    hang: (receiver) => {
      hanging = receiver;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
