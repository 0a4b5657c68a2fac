import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

// Below the ports that Linux, macOS and Windows use for outgoing connections and `listen(0)`: while a service is
// stopped between two starts, no other process gets its port.
const FIRST_PORT = 20_000;
const PAIRS = 6_000;

/** Listens on a port of this machine, unless it is in use. */
async function tryListen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

/**
 * A free port that stays reserved for this process, however often a service on it is restarted. The preceding port is
 * held as a claim until the process ends, in whatever way.
 */
export async function freePort(first = FIRST_PORT, pairs = PAIRS): Promise<number> {
  const start = Math.floor(Math.random() * pairs);
  for (let tried = 0; tried < pairs; tried++) {
    const claimed = first + 2 * ((start + tried) % pairs);
    const claim = await tryListen(claimed);
    if (!claim) continue;
    const probe = await tryListen(claimed + 1);
    if (probe) {
      claim.unref();
      probe.close();
      await once(probe, 'close');
      return claimed + 1;
    }
    claim.close();
  }
  throw new Error(`No port is free from ${first} to ${first + 2 * pairs}`);
}
