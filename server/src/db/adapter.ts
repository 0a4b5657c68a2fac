import pg from 'pg';
import type Cursor from 'pg-cursor';
import { sha256Hex } from '../crypto/crypto.ts';

/** What Kysely sees of a connection. */
export type Adapter = {
  query: never;
  release: () => void;
  /** True for a connection that must not be used again. */
  isUseless: () => boolean;
};

/** What the connections of a pool have in common. */
export type Pooled = {
  /** Statements are prepared once per connection. */
  prepared: boolean;
  /** The names of prepared statements, by their text. */
  names: Map<string, string>;
  /** Connections made for an earlier era are closed as soon as they are free. */
  era: number;
};

type Fault = Error & { code?: string; routine?: string };

/** A prepared statement whose result would have another shape now: its connection refuses it for ever. */
export const isStalePlan = (error: unknown) => {
  const { code, routine } = (error ?? {}) as Fault;
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

/** Answered by a server that only reads: it was demoted, and another one is the primary now. */
const isDemoted = ({ code }: Fault) => code === '25006';

/** A pooler lost the connection to its server, or mixed up the prepared statements of its clients. */
const brokenByPooler = new Set(['08P01', '42P05', '26000']);

const isSilence = ({ message }: Fault) => message === 'Query read timeout';

/**
 * The warning that comes before the acknowledgement of a commit whose wait for a standby was cancelled. Its text is in
 * the language of the server, so it is known by the routine that gives it.
 */
const isCancelledWait = ({ code, routine }: { code?: string | undefined; routine?: string | undefined }) =>
  code === '01000' && routine === 'SyncRepWaitForLSN';

/** A commit that the primary has, and perhaps no standby: a failover may lose it. */
export class UnconfirmedCommit extends Error {
  constructor(cause?: unknown) {
    super('The wait of a commit for its standby was cancelled, or its answer is missing', { cause });
  }
}

/** Whether a failed commit was refused by the server, which then undid it; a server that ends says nothing of it. */
export const isAnswered = (error: unknown): boolean =>
  error instanceof UnconfirmedCommit || (error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? ''));

// Planning a list costs more than running it, so every statement of ours is prepared once per connection.
const preparable = /^\s*(select|with|insert|update|delete)\b/i;

// Only so many texts get a name; what is built with changing shapes beyond that goes unnamed.
const maxNamed = 2_000;

function nameOf({ names }: Pooled, text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= maxNamed) return known;
  const name = `q_${sha256Hex(text).slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** A connection as Kysely uses it, which is closed instead of given back once it is of no use. */
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
    // the answer to the last question may still come: the connection is of no use for the next one
    if (isSilence(error)) silence = error;
  }

  async function send(text: string, values: unknown[]) {
    const name = pooled.prepared && preparable.test(text) ? nameOf(pooled, text) : undefined;
    const isAlone = client.getTransactionStatus() === 'I';
    try {
      return await (name ? client.query({ name, text, values }) : client.query(text, values));
    } catch (error) {
      note(error as Fault);
      // outside a transaction nothing was done yet, and without its name the statement is planned anew
      if (isAlone && isStalePlan(error)) return client.query(text, values);
      throw error;
    }
  }

  async function ask(text: string, values: unknown[]) {
    // not even a rollback, which would wait as long again
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
