import pg from 'pg';
import type { Deps } from '../http/context.ts';

type Release = (fault?: unknown) => void;
/** Without a connection there may be nothing to give back either. */
type Taker = (error: Error | undefined, client: pg.PoolClient | undefined, release?: Release) => void;

/**
 * A pool whose connections may be given back twice. The queue does that with the one it listens on, when it stops while
 * that one breaks: an error nobody handles, which would end the process.
 */
class PatientPool extends pg.Pool {
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

/** The connections of a worker: those for its own statements and the one that tells it of new jobs. */
export function openConnections({ pool, log }: Deps, max: number): pg.Pool {
  const connections = new PatientPool({ connectionString: pool.options.connectionString, max, keepAlive: true });
  const report = (error: Error) => log.warn({ event: 'job_queue', err: error.message }, 'a connection broke');
  connections.on('error', report);
  connections.on('connect', (client) => void client.on('error', report));
  return connections;
}
