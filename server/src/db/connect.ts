import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { ControlledTransaction, DatabaseConnection, PostgresPool, Transaction } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { sha256Hex } from '../crypto/crypto.ts';
import type { DB } from './schema.ts';

/** Queries run alike on the pool and inside a transaction. */
export type Db = Kysely<DB> | Transaction<DB> | ControlledTransaction<DB>;

const oids = { int8: 20, date: 1082, numeric: 1700, timestamptz: 1184, int8Array: 1016 };

// Days stay text; instants come as the API shows them; ids and decimals are numbers. The driver's Date objects would
// cost a third of a list's time and shift days across time zones.
const types = new pg.TypeOverrides();
types.setTypeParser(oids.int8, Number);
types.setTypeParser(oids.numeric, Number);
types.setTypeParser(oids.date, (value: string) => value);
types.setTypeParser(oids.timestamptz, toInstant);
types.setTypeParser(oids.int8Array, (value: string) =>
  value === '{}' ? [] : value.slice(1, -1).split(',').map(Number),
);

/** `2026-11-21 01:48:42.1+00` as PostgreSQL writes it in UTC → `2026-11-21T01:48:42.100Z`. */
export function toInstant(value: string): string {
  if (!value.endsWith('+00') || value.length < 22) return value;
  const fraction = value.slice(20, -3);
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

// Planning a list costs more than running it, so every statement of ours is prepared once per connection.
const preparable = /^\s*(select|with|insert|update|delete)\b/i;

// Only so many texts get a name per process; what is built with changing shapes beyond that goes unnamed.
const maxNamed = 2_000;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= maxNamed) return known;
  const name = `q_${sha256Hex(text).slice(0, 32)}`;
  names.set(text, name);
  return name;
}

const transactionLimits =
  "set local statement_timeout = '5s'; set local lock_timeout = '2s'; set local idle_in_transaction_session_timeout = '10s'";

/** Begins with its time limits in one round trip. */
class LimitedDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: { isolationLevel?: string }) {
    const isolation = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : '';
    await connection.executeQuery(CompiledQuery.raw(`begin${isolation}; ${transactionLimits}`));
  }

  /** A connection that cannot even do this has lost its transaction already, and must still be given back. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]) {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

export type ConnectOptions = {
  url: string;
  max: number;
  prepared?: boolean;
  /** Plans a prepared statement once for each connection, whatever its parameters are. */
  planOnce?: boolean;
  /** Milliseconds after which a server that says nothing counts as gone; more than any statement may take. */
  queryTimeout?: number;
  /** Called with errors of connections that broke or could not be made; they must not end the process. */
  onError?: (error: Error) => void;
};

/** What Kysely sees of a connection. */
type Adapter = { query: never; release: () => void };

function adapterOf(client: pg.PoolClient, prepared: boolean): Adapter {
  let isSilent = false;
  const note = (error: Error) => {
    // the answer to the last question may still come: the connection is of no use for the next one
    if (error.message === 'Query read timeout') isSilent = true;
    throw error;
  };
  return {
    query: ((text: unknown, values: unknown[] = []) => {
      if (typeof text !== 'string') return client.query(text as Cursor);
      const name = prepared && preparable.test(text) ? nameOf(text) : undefined;
      return (name ? client.query({ name, text, values }) : client.query(text, values)).catch(note);
    }) as never,
    release: () => client.release(isSilent),
  };
}

/** Other work holds all connections: the database itself is well. */
const isCrowded = (pool: pg.Pool, max: number) => pool.totalCount >= max;

type Report = (error: Error) => void;

/** The pool as Kysely uses it. */
function sharedPool(pool: pg.Pool, { max, prepared = true }: ConnectOptions, report: Report): PostgresPool {
  // one adapter per connection for as long as it lives: Kysely keeps what it knows of a connection by it
  const adapters = new WeakMap<pg.PoolClient, Adapter>();
  const connect = async () => {
    const client = await pool.connect().catch((error: Error) => {
      if (!isCrowded(pool, max)) report(error);
      throw error;
    });
    const adapter = adapters.get(client) ?? adapterOf(client, prepared);
    adapters.set(client, adapter);
    return adapter;
  };
  return { connect: connect as never, end: () => pool.end() } as unknown as PostgresPool;
}

// parallel workers start slowly and take the processor from other requests: for large statements only
const sessionOptions = '-c TimeZone=UTC -c statement_timeout=5000 -c parallel_setup_cost=10000';

function openPool(
  { url, max, queryTimeout = 10_000, prepared = true, planOnce = false }: ConnectOptions,
  report: Report,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    options: prepared && planOnce ? `${sessionOptions} -c plan_cache_mode=force_generic_plan` : sessionOptions,
    // a silent peer is found even when the socket stays open
    query_timeout: queryTimeout,
  });
  pool.on('error', report);
  pool.on('connect', (client) => {
    client.on('error', report);
  });
  return pool;
}

/** Opens a pool; `db` speaks Kysely over it, `pool` is for what needs a bare client (COPY, LISTEN). */
export function connect(options: ConnectOptions): { db: Kysely<DB>; pool: pg.Pool } {
  const report = options.onError ?? (() => undefined);
  const pool = openPool(options, report);
  const shared = sharedPool(pool, options, report);
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new LimitedDriver({ pool: shared, cursor: Cursor }),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { db, pool };
}
