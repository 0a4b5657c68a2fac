import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { cloneDatabase } from '../testing/databases.ts';
import { startLine } from '../testing/database-line.ts';
import { connect } from './connect.ts';

const { appUrl } = await cloneDatabase();

/** How often, out of seven times, PostgreSQL planned a prepared statement generically and for its parameters. */
async function plansOf(options: { planOnce?: boolean; prepared?: boolean }) {
  const { db, pool } = connect({ url: appUrl, max: 1, ...options });
  try {
    const { rows: settings } = await pool.query<{ source: string }>(
      `select source from pg_settings where name = 'plan_cache_mode'`,
    );
    // if the connection does not choose, the server of the tests does
    if (settings[0]?.source !== 'client') await pool.query('set plan_cache_mode = auto');
    for (let id = 0; id < 7; id += 1)
      await pool.query({ name: 'look', text: 'select id from roles where id = $1', values: [id] });
    const { rows } = await pool.query<{ generic_plans: number; custom_plans: number }>(
      `select generic_plans, custom_plans from pg_prepared_statements where name = 'look'`,
    );
    return rows[0];
  } finally {
    await db.destroy();
  }
}

const forTheirParametersFirst = { generic_plans: 2, custom_plans: 5 };

test('with planOnce a statement has one plan for any parameters', async () => {
  expect(await plansOf({ planOnce: true })).toEqual({ generic_plans: 7, custom_plans: 0 });
});

test('without it the first plans are for their parameters', async () => {
  expect(await plansOf({})).toEqual(forTheirParametersFirst);
});

test('where statements are not prepared there is nothing to plan once', async () => {
  expect(await plansOf({ planOnce: true, prepared: false })).toEqual(forTheirParametersFirst);
});

test('a connection that says nothing is closed without a rollback, which would wait as long again', async () => {
  const line = await startLine(appUrl);
  const { db, pool } = connect({ url: line.url, max: 2, queryTimeout: 2_000 });
  const [first, second] = [await db.startTransaction().execute(), await db.startTransaction().execute()];
  const silent = line.silenceAfter('commit');
  const committed = first.commit().execute();
  await silent;
  await expect(committed).rejects.toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ message: 'Query read timeout' }) }),
  );
  // sent only now, so that it times out later than a rollback that is not sent
  const later = sql`select 1`.execute(second).catch(() => 'asked later');
  const rolledBack = first
    .rollback()
    .execute()
    .then(
      () => 'rolled back',
      () => 'rolled back',
    );
  expect(await Promise.race([later, rolledBack])).toBe('rolled back');
  expect(pool.totalCount).toBe(1);
  await later;
  await second.rollback().execute();
  await line.close();
  await db.destroy();
});

test('statements are not compiled, whatever the server does by default', async () => {
  const own = await cloneDatabase();
  const owner = new pg.Client({ connectionString: own.ownerUrl });
  await owner.connect();
  await owner.query(`alter database ${new URL(own.ownerUrl).pathname.slice(1)} set jit = on`);
  await owner.end();
  const { db } = connect({ url: own.appUrl, max: 1 });
  expect((await sql`show jit`.execute(db)).rows).toEqual([{ jit: 'off' }]);
  await db.destroy();
});
