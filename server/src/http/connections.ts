import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { networkOf } from '../access/known-origins.ts';

const logEvery = 60_000;

type Cap = { most: number; isExempt: (address: string | undefined) => boolean; log: Logger };

/** Drops connections of a client address (for IPv6, a network) beyond its limit; 0 means no limit. */
export function capConnections(server: Server, { most, isExempt, log }: Cap): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  let lastLogged = -logEvery;

  function drop(socket: Socket, ip: string | undefined) {
    socket.destroy();
    if (performance.now() - lastLogged < logEvery) return;
    lastLogged = performance.now();
    log.warn(
      { event: 'connections_capped', ip, most },
      'an address opened more connections than CONNECTIONS_PER_ADDRESS',
    );
  }

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (isExempt(remoteAddress)) return;
    const key = networkOf(remoteAddress ?? '');
    const others = open.get(key) ?? 0;
    if (others >= most) return drop(socket, remoteAddress);
    open.set(key, others + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}
