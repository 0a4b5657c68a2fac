import pg from 'pg';
import type { Deps } from '../http/context.ts';

type Release = (fault?: unknown) => void;
/** Without a connection, `release` may be missing too. */
type Taker = (error: Error | undefined, client: pg.PoolClient | undefined, release?: Release) => void;

/**
 * A pool that tolerates a second release of a connection. The queue does that when it stops while its listening
 * connection breaks, and the error would end the process.
 */
class TolerantPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(taker: Taker): void;
  override connect(taker?: Taker): Promise<pg.PoolClient> | void {
    if (!taker) return super.connect();
    super.connect((error, client, release?: Release) => {
      let isBack = false;
      taker(error, client, (fault) => {
        if (!isBack) release?.(fault);
        isBack = true;
      });
    });
  }
}

/** The connections of a worker: those for its statements and the one that listens for new jobs. */
export function openConnections({ pool, log }: Deps, max: number): pg.Pool {
  const connections = new TolerantPool({ connectionString: pool.options.connectionString, max, keepAlive: true });
  const report = (error: Error) =>
    log.warn({ event: 'job_queue', err: error.message }, 'a database connection of the job queue broke');
  connections.on('error', report);
  connections.on('connect', (client) => void client.on('error', report));
  return connections;
}
