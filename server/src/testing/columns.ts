import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Adds columns to the databases of tests while they run, as a later release would: `npm run test:columns`. */

const between = 100;

/** Databases that a test queried in the last seconds. */
const inUse = `select distinct datname as name from pg_stat_activity
  where datname like 't\\_%' and state_change > now() - interval '3 seconds' and pid <> pg_backend_pid()`;

/** A random table with rows of people; skips locked ones until the next round. */
const tables = `select format('%I', relname) as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' order by random() limit 3`;

async function addColumns(url: URL, database: string, nth: number): Promise<number> {
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href, application_name: 'columns' });
  client.on('error', () => undefined);
  let added = 0;
  try {
    await client.connect();
    await client.query(`set lock_timeout = '20ms'`);
    const { rows } = await client.query<{ name: string }>(tables);
    for (const { name } of rows)
      await client.query(`alter table ${name} add column later_${nth} text`).then(
        () => (added += 1),
        () => undefined,
      );
  } catch {
    // a database that a test dropped, or that accepts no more connections
  } finally {
    await client.end().catch(() => undefined);
  }
  return added;
}

/** Adds columns until `stop`, which returns how many there were. */
export function addColumnsForever(ownerUrl: string): { stop: () => Promise<number> } {
  const stopping = new AbortController();
  const work = async () => {
    // not the database of `ownerUrl`, which must have no connections while databases are copied from it
    const quiet = new URL(ownerUrl);
    quiet.pathname = '/postgres';
    const client = new pg.Client({ connectionString: quiet.href });
    client.on('error', () => undefined);
    await client.connect();
    let added = 0;
    for (let nth = 0; !stopping.signal.aborted; nth += 1) {
      const { rows } = await client.query<{ name: string }>(inUse);
      for (const { name } of rows) added += await addColumns(new URL(ownerUrl), name, nth);
      await sleep(between, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await client.end();
    return added;
  };
  const working = work();
  return {
    stop: () => {
      stopping.abort();
      return working;
    },
  };
}

/** A pool whose rows lack those columns, because tests compare whole rows. */
export function withoutLaterColumns(pool: pg.Pool): pg.Pool {
  const query: (...asked: unknown[]) => Promise<pg.QueryResult<Record<string, unknown>>> = pool.query.bind(pool);
  const answer = async (...asked: unknown[]) => {
    const result = await query(...asked);
    for (const row of result.rows)
      for (const name of Object.keys(row)) if (/^later_\d+$/.test(name)) Reflect.deleteProperty(row, name);
    return result;
  };
  return Object.assign(pool, { query: answer });
}
