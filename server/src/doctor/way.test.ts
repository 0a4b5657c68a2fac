import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { connect } from '../db/connect.ts';
import { cloneDatabase } from '../testing/databases.ts';
import type { TestDatabase } from '../testing/databases.ts';
import { hasPgBouncer, startPooler } from '../testing/pooler.ts';
import type { TestPooler } from '../testing/pooler.ts';
import { lineOf } from './finding.ts';
import { checkNotify, checkOptions, checkPooler, checkPrepared } from './way.ts';

describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: TestPooler;
  let through: string;
  beforeAll(async () => {
    database = await cloneDatabase();
    pooler = await startPooler([database.appUrl, database.ownerUrl]);
    through = pooler.through(database.appUrl);
  });
  afterAll(() => pooler.stop());

  const configOf = (settings: Record<string, string>) =>
    readConfig({ DATABASE_URL: through, DATABASE_DIRECT_URL: database.appUrl, ...settings });

  test('connections that the pooler refuses are named with the setting', async () => {
    const { db } = connect({ url: through, max: 1 });
    expect(lineOf(await checkOptions(db, configOf({})))).toMatch(
      /^fail {2}options +DATABASE_POOLER: a pooler refuses.* {2}→ Set DATABASE_POOLER=on\.$/,
    );
    await db.destroy();
  });

  test('prepared statements are lost, which is named; without them all is well', async () => {
    expect(lineOf(await checkPrepared(through, configOf({})))).toMatch(
      /^fail {2}prepared +A pooler loses prepared statements.* {2}→ Set DATABASE_POOLER=on and DATABASE_DIRECT_URL/,
    );
    const on = { DATABASE_POOLER: 'on', DATABASE_PREPARED: 'on' };
    expect(lineOf(await checkPrepared(through, configOf(on)))).toMatch(/→ Set DATABASE_PREPARED=off/);
    expect(await checkPrepared(through, configOf({ DATABASE_POOLER: 'on' }))).toMatchObject({ status: 'ok' });
    expect(await checkPrepared(database.appUrl, configOf({}))).toMatchObject({ status: 'ok' });
  });

  test('its mode is named; one that keeps connections for clients saves none', async () => {
    const on = configOf({ DATABASE_POOLER: 'on' });
    expect(await checkPooler(database.appUrl, on)).toMatchObject({
      what: 'There is no pooler between service and database',
    });
    expect(await checkPooler(through, on)).toMatchObject({
      status: 'ok',
      what: 'There is a pooler in transaction mode',
    });
    for (const settings of [{}, { server_round_robin: '1' }]) {
      const session = await startPooler([database.appUrl], { pool_mode: 'session', ...settings });
      const url = session.through(database.appUrl);
      expect(lineOf(await checkPooler(url, on))).toMatch(
        /^warn {2}pooler +The pooler is in session mode, .* {2}→ Set pool_mode of the pooler to transaction\.$/,
      );
      expect(await checkPooler(url, configOf({}))).toMatchObject({
        status: 'ok',
        what: 'There is a pooler in session mode',
      });
      await session.stop();
    }
  });

  test('notifications arrive past the pooler, and not through it', async () => {
    const config = configOf({ DATABASE_POOLER: 'on' });
    expect(await checkNotify({ appUrl: through, directUrl: database.appUrl }, config)).toMatchObject({ status: 'ok' });
    expect(lineOf(await checkNotify({ appUrl: through, directUrl: through }, config))).toMatch(
      /^fail {2}notify +.*→ Correct DATABASE_DIRECT_URL: it must lead to the same database, bypassing every pooler/,
    );
  });
});
