import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { notReached } from './not-reached.ts';
import { classOf, readMigration, statementsOf } from './migration-files.ts';

/** A separate connection with the owner's rights. */
export async function connectAsOwner(ownerUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl });
  // a connection that breaks between two statements must not end the process: the next statement reports it
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw notReached(error);
  });
  return client;
}

// a role may limit the statements of requests; a migration takes the time it needs
export const begin = 'begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';
/** While a migration waits for a lock, requests queue behind it, so it gives up and retries. */
const lockWait = '2s';
const maxTries = 10;
const pauseMilliseconds = 500;
/** The lock was not free in time, or a deadlock with requests in which one had to give way. */
const isContention = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '');

export const createList =
  'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())';

const note = (client: pg.Client, name: string) =>
  client.query('insert into schema_migrations (name) values ($1)', [name]);

/** Repeats work that could not get its locks because of requests. */
async function withTries(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isContention(error) || attempt === maxTries) throw error;
      await sleep(pauseMilliseconds);
    }
  }
}

/** Runs work in a transaction that waits only briefly for locks, several times if necessary. */
export const inShortTransaction = (client: pg.Client, work: () => Promise<unknown>): Promise<void> =>
  withTries(async () => {
    await client.query(`${begin}; set local lock_timeout = '${lockWait}'`);
    try {
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  });

/**
 * Applies one migration in the transaction of `client`. This includes online ones, which need no special treatment if
 * no other transaction uses their tables.
 */
export async function applyMigration(client: pg.Client, name: string, folder?: URL): Promise<void> {
  await client.query(createList);
  const text = await readMigration(name, folder);
  await client.query(classOf(name) === 'online' ? text.replaceAll(/\bconcurrently\b/gi, '') : text);
  await note(client, name);
}

/** Drops indexes whose creation was interrupted: `if not exists` would keep them, unused. */
async function dropUnfinished(client: pg.Client, text: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`,
  );
  for (const { name } of rows)
    if (new RegExp(`\\b${name}\\b`).test(text))
      await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(name)}`);
}

/** Runs each statement in its own transaction; after an interruption, the next start runs all of them again. */
async function applyOnline(client: pg.Client, name: string, folder?: URL): Promise<void> {
  const text = await readMigration(name, folder);
  // the session is only this migration's, because the owner's address bypasses a pooler
  await client.query('set statement_timeout = 0');
  await dropUnfinished(client, text);
  for (const statement of statementsOf(text)) {
    // building an index concurrently waits for the transactions of requests, but blocks none of them
    const wait = /\bconcurrently\b/i.test(statement) ? '0' : lockWait;
    await client.query(`set lock_timeout = '${wait}'`);
    await withTries(() => client.query(statement));
  }
  await client.query('reset lock_timeout; reset statement_timeout');
  await note(client, name);
}

/** Applies one migration to a database in use, according to its class. */
export async function applyInUse(client: pg.Client, name: string, folder?: URL): Promise<void> {
  try {
    await (classOf(name) === 'online'
      ? applyOnline(client, name, folder)
      : inShortTransaction(client, () => applyMigration(client, name, folder)));
  } catch (error) {
    throw new Error(`Migration ${name} failed`, { cause: error });
  }
}
