import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { cloneDatabase } from '../testing/databases.ts';
import { freeze } from './source.ts';

const connected = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

test('a user who comes while the tables are being locked is found', { timeout: 30_000 }, async () => {
  const { ownerUrl, appUrl } = await cloneDatabase();
  // a role that the service does not use: not a user, but its transaction keeps the lock waiting
  const other = await connected(appUrl);
  await other.query("begin; insert into login_attempts (key) values ('account:other')");
  const freezing = freeze({ ownerUrl, appUrl: ownerUrl, name: 'the database', isEmbedded: false }, 'elsewhere');
  const outcome = freezing.then(
    async ({ close }) => close(),
    (error: Error) => error.message,
  );
  await vi.waitFor(async () => {
    const { rowCount } = await other.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.mode = 'ShareLock' and not l.granted`,
    );
    expect(rowCount).toBe(1);
  }, 10_000);
  const user = await connected(ownerUrl);
  await other.query('rollback');
  await other.end();
  expect(await outcome).toMatch(/^This database is in use \(1 connection of /);
  await user.end();
});
