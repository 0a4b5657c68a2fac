import pg from 'pg';
import type { Logger } from 'pino';
import { keepRunning } from '../keep-running.ts';

/** What the database announces: account ids, or null for all accounts. */
export type Heard = (users: readonly number[] | null) => void;

type Listening = {
  url: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /** By channel. */
  heard: Readonly<Record<string, Heard>>;
  /** Called whenever the listener reconnects, because announcements may have been lost. */
  onReady: () => void;
};

export type Listener = { isListening: () => boolean; stop: () => Promise<void> };

const pause = { least: 500, most: 30_000 };

const usersOf = (payload: string | undefined) => (payload ? payload.split(',').map(Number) : null);

/** Resolves when the connection is lost. */
const gone = (client: pg.Client) =>
  new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });

const clientFor = (url: string) =>
  new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: 'tenure listener',
  });

/**
 * Listens to announcements of committed transactions on its own connection, because transaction poolers lose them.
 * Reconnects by itself.
 */
export function listenTo({ url, log, heard, onReady }: Listening): Listener {
  const stopping = new AbortController();
  let current: pg.Client | undefined;
  let isListening = false;

  async function listen(client: pg.Client) {
    const ended = gone(client);
    client.on('notification', ({ channel, payload }) => heard[channel]?.(usersOf(payload)));
    try {
      await client.connect();
      for (const channel of Object.keys(heard)) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      isListening = true;
      onReady();
      await ended;
    } finally {
      isListening = false;
      void client.end().catch(() => undefined);
    }
  }

  async function listenOnce() {
    current = clientFor(url);
    await listen(current).catch(() => undefined);
    if (!stopping.signal.aborted)
      log.warn(
        { event: 'listener_lost' },
        'the listening database connection was lost: the service polls for open pages',
      );
  }

  const running = keepRunning(listenOnce, { pause, steadyAfter: pause.most, signal: stopping.signal });
  return {
    isListening: () => isListening,
    stop: async () => {
      stopping.abort();
      await current?.end().catch(() => undefined);
      await running;
    },
  };
}
