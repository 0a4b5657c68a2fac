import pg from 'pg';
import type Cursor from 'pg-cursor';
import { sha256Hex } from '../crypto/crypto.ts';

/** A connection in the form that Kysely expects. */
export type Adapter = {
  query: never;
  release: () => void;
  /** True for a connection that must not be used again. */
  isUseless: () => boolean;
};

/** What the connections of a pool share. */
export type Pooled = {
  /** Statements are prepared once per connection. */
  prepared: boolean;
  /** The names of prepared statements, by their text. */
  names: Map<string, string>;
  /** Connections from an earlier era are closed as soon as they are free. */
  era: number;
};

type Fault = Error & { code?: string; routine?: string };

/** A prepared statement whose result shape has changed: its connection refuses it from then on. */
export const isStalePlan = (error: unknown) => {
  const { code, routine } = (error ?? {}) as Fault;
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

/** From a read-only server: it was demoted, and another one is the primary now. */
const isDemoted = ({ code }: Fault) => code === '25006';

/** A pooler lost its connection to the server, or mixed up its clients' prepared statements. */
const brokenByPooler = new Set(['08P01', '42P05', '26000']);

const isSilence = ({ message }: Fault) => message === 'Query read timeout';

/**
 * The warning before the acknowledgement of a commit whose wait for a standby was cancelled. Its text depends on the
 * server's language, so it is recognised by the routine that raises it.
 */
const isCancelledWait = ({ code, routine }: { code?: string | undefined; routine?: string | undefined }) =>
  code === '01000' && routine === 'SyncRepWaitForLSN';

/** A commit that the primary has, but perhaps no standby: a failover may lose it. */
export class UnconfirmedCommit extends Error {
  constructor(cause?: unknown) {
    super('The wait of a commit for its standby was cancelled, or its answer is missing', { cause });
  }
}

/** Whether the server refused a failed commit, and so undid it; a server that shuts down gives no such answer. */
export const isAnswered = (error: unknown): boolean =>
  error instanceof UnconfirmedCommit || (error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? ''));

// Planning a list costs more than running it, so each of our statements is prepared once per connection.
const preparable = /^\s*(select|with|insert|update|delete)\b/i;

// Only this many texts get a name; further dynamically built statements stay unnamed.
const maxNamed = 2_000;

function nameOf({ names }: Pooled, text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= maxNamed) return known;
  const name = `q_${sha256Hex(text).slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** A connection for Kysely that is closed instead of returned to the pool once it is unusable. */
export function adapterOf(client: pg.PoolClient, pooled: Pooled): Adapter {
  const born = pooled.era;
  let isBroken = false;
  let silence: Error | undefined;
  let isUnconfirmed = false;
  client.on('notice', (notice) => {
    if (isCancelledWait(notice)) isUnconfirmed = true;
  });

  function note(error: Fault) {
    // all older connections have the same plans, or the same server
    if ((isStalePlan(error) || isDemoted(error)) && born === pooled.era) pooled.era += 1;
    if (error.code !== undefined && brokenByPooler.has(error.code)) isBroken = true;
    // the answer to the last query may still arrive, so the connection cannot be used for another
    if (isSilence(error)) silence = error;
  }

  async function send(text: string, values: unknown[]) {
    const name = pooled.prepared && preparable.test(text) ? nameOf(pooled, text) : undefined;
    const isAlone = client.getTransactionStatus() === 'I';
    try {
      return await (name ? client.query({ name, text, values }) : client.query(text, values));
    } catch (error) {
      note(error as Fault);
      // outside a transaction nothing was done yet; without its name, the statement is planned again
      if (isAlone && isStalePlan(error)) return client.query(text, values);
      throw error;
    }
  }

  async function ask(text: string, values: unknown[]) {
    // not even a rollback, which would wait just as long
    if (silence) throw silence;
    isUnconfirmed = false;
    const result = await send(text, values);
    if (isUnconfirmed) throw new UnconfirmedCommit();
    return result;
  }

  const isUseless = () => isBroken || silence !== undefined || born !== pooled.era;
  return {
    query: ((text: unknown, values: unknown[] = []) =>
      typeof text === 'string' ? ask(text, values) : client.query(text as Cursor)) as never,
    release: () => client.release(isUseless()),
    isUseless,
  };
}
