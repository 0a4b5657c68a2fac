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
import { adapterOf, isAnswered, UnconfirmedCommit } from './adapter.ts';
import type { Adapter, Pooled } from './adapter.ts';
import type { DB } from './schema.ts';

/** Queries work the same on the pool and inside a transaction. */
export type Db = Kysely<DB> | Transaction<DB> | ControlledTransaction<DB>;

const oids = { int8: 20, date: 1082, numeric: 1700, timestamptz: 1184, int8Array: 1016 };

// Dates stay text, instants get the API's format, and ids and decimals become numbers. The driver's Date objects would
// cost a third of a list's time and shift dates across time zones.
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

const transactionLimits =
  "set local statement_timeout = '5s'; set local lock_timeout = '2s'; set local idle_in_transaction_session_timeout = '10s'";

/** Begins a transaction and sets its time limits in one round trip. */
class LimitedDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: { isolationLevel?: string }) {
    const isolation = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : '';
    await connection.executeQuery(CompiledQuery.raw(`begin${isolation}; ${transactionLimits}`));
  }

  /** Without an answer from the server, it is unknown whether the commit happened. */
  override async commitTransaction(connection: Parameters<PostgresDriver['commitTransaction']>[0]) {
    await super.commitTransaction(connection).catch((error: unknown) => {
      throw isAnswered(error) ? error : new UnconfirmedCommit(error);
    });
  }

  /** A connection that cannot even do this has already lost its transaction, and must still be returned to the pool. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]) {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

export type ConnectOptions = {
  url: string;
  max: number;
  prepared?: boolean;
  /** A pooler in between takes no start options, so the role has the settings instead. */
  pooler?: boolean;
  /** Plans a prepared statement once per connection, whatever its parameters. */
  planOnce?: boolean;
  /** Milliseconds after which a silent server counts as gone; more than any statement may take. */
  queryTimeout?: number;
  /** Called with errors of connections that broke or could not be opened; these must not end the process. */
  onError?: (error: Error) => void;
};

/** Other work uses all connections, and the database itself is fine. */
const isCrowded = (pool: pg.Pool, max: number) => pool.totalCount >= max;

type Report = (error: Error) => void;

/** The pool in the form that Kysely expects. */
function sharedPool(pool: pg.Pool, { max, prepared = true }: ConnectOptions, report: Report): PostgresPool {
  const pooled: Pooled = { prepared, names: new Map(), era: 0 };
  // one adapter per connection for its whole life: Kysely identifies a connection by it
  const adapters = new WeakMap<pg.PoolClient, Adapter>();
  const take = async (): Promise<Adapter> => {
    const client = await pool.connect().catch((error: Error) => {
      if (!isCrowded(pool, max)) report(error);
      throw error;
    });
    const adapter = adapters.get(client) ?? adapterOf(client, pooled);
    adapters.set(client, adapter);
    return adapter;
  };
  const connect = async () => {
    for (;;) {
      const adapter = await take();
      if (!adapter.isUseless()) return adapter;
      // closes it
      adapter.release();
    }
  };
  return { connect: connect as never, end: () => pool.end() } as unknown as PostgresPool;
}

// Parallel workers start slowly and take processors from other requests, so only large statements get them. Compiling a
// statement takes seconds, and running it takes milliseconds.
const startOptions = '-c TimeZone=UTC -c statement_timeout=5000 -c parallel_setup_cost=10000 -c jit=off';

function openPool(
  { url, max, queryTimeout = 10_000, prepared = true, planOnce = false, pooler = false }: ConnectOptions,
  report: Report,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...(pooler
      ? {}
      : { options: prepared && planOnce ? `${startOptions} -c plan_cache_mode=force_generic_plan` : startOptions }),
    // detects a silent peer even if the socket stays open
    query_timeout: queryTimeout,
  });
  pool.on('error', report);
  pool.on('connect', (client) => {
    client.on('error', report);
  });
  return pool;
}

/** Opens a pool. `db` uses it through Kysely; `pool` is for what needs a plain client (COPY, LISTEN). */
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
