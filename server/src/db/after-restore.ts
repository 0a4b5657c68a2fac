import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import { freeAbandonedJobs } from '../jobs/abandoned.ts';
import { notifyTokensEnded } from '../notifications/ended-tokens.ts';
import { askIn } from './ask.ts';
import type { Ask } from './ask.ts';
import type { Db } from './connect.ts';
import { migrationLock } from './migrate.ts';
import type { DB } from './schema.ts';

/** Outdated state that a restored database contained. */
export type AfterRestore = { sessions: number; workers: number; tries: number };

const changedRows = async (db: Db, statement: RawBuilder<unknown>) =>
  Number((await statement.execute(db)).numAffectedRows ?? 0n);

async function liveSessions(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from session_register
    where revoked_at is null and expires_at > now()
      and global_epoch = (select global_epoch from installation)`.execute(db);
  return rows[0]?.count ?? 0;
}

async function reset(db: Db): Promise<AfterRestore> {
  await sql`set local statement_timeout = 0`.execute(db);
  const sessions = await liveSessions(db);
  // programs that use them stop with the next statement
  await notifyTokensEnded(db);
  await sql`update installation set global_epoch = global_epoch + 1`.execute(db);
  // the restore made links unused that were used since the backup
  for (const table of ['account_links', 'own_account_links'])
    await sql`
      update ${sql.table(table)} set revoked_at = now() where used_at is null and revoked_at is null`.execute(db);
  // the number counts transactions of the previous server: unlinked entries below it would never be linked
  await sql`update audit_chain_reached set transaction = '0'`.execute(db);
  await freeAbandonedJobs(db);
  await sql`update notification_deliveries set leased_until = null where leased_until is not null`.execute(db);
  const workers = await changedRows(db, sql`delete from job_workers`);
  const tries = await changedRows(db, sql`delete from login_attempts`);
  return { sessions, workers, tries };
}

/**
 * Prepares a restored database for use, as its owner. Ends all sessions, links and tokens, because the restore revived
 * ended ones, and notifies the tokens' users. Lets the audit log be chained from its first entry, releases the work of
 * previous workers, and deletes failed sign-ins. Runs in the transaction of `db`, or in its own. No service may use the
 * database meanwhile. Can be repeated.
 */
export const afterRestore = (db: Db): Promise<AfterRestore> =>
  db.isTransaction ? reset(db) : db.transaction().execute(reset);

/** The server may still list a connection for a moment after its process has closed it. */
const closingMilliseconds = 2_000;
const lookMilliseconds = 100;

/** Other connections of these roles to the database. */
async function countUsers(ask: Ask, roles: readonly string[]): Promise<number> {
  // otherwise a transaction keeps seeing what it saw first
  await ask('select pg_stat_clear_snapshot()', []);
  const { rows } = await ask(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usename = any($1::text[])`,
    [roles],
  );
  return (rows as { count: number }[])[0]?.count ?? 0;
}

/**
 * Refuses, in an open transaction, while another connection of the service's roles is open: its processes keep some
 * open as long as they work. Waits for connections that are just closing. A service that starts meanwhile waits until
 * the transaction has ended.
 */
export async function refuseInUse(ask: Ask, roles: readonly string[]): Promise<void> {
  const { rows: locks } = await ask('select pg_try_advisory_xact_lock($1) as free', [migrationLock]);
  if (!(locks as { free: boolean }[])[0]?.free)
    throw new Error('A service is starting on this database. Stop it and repeat the command.');
  const until = performance.now() + closingMilliseconds;
  let count = await countUsers(ask, roles);
  while (count > 0 && performance.now() < until) {
    await sleep(lookMilliseconds);
    count = await countUsers(ask, roles);
  }
  if (count === 0) return;
  throw new Error(
    `This database is in use (${count} ${count === 1 ? 'connection' : 'connections'} of ${roles.join(' or ')}). ` +
      'Stop all processes of Tenure and repeat the command.',
  );
}

/** The same for a database that others may be using: `roles` are those of the service's addresses. */
export const afterRestoreUnused = (db: Kysely<DB>, roles: readonly string[]): Promise<AfterRestore> =>
  db.transaction().execute(async (trx) => {
    await refuseInUse(askIn(trx), roles);
    return reset(trx);
  });
