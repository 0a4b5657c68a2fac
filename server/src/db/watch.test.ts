import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { cloneDatabase } from '../testing/databases.ts';
import { startLine } from '../testing/database-line.ts';
import { connect } from './connect.ts';
import { watchDatabase } from './watch.ts';

const { appUrl } = await cloneDatabase();
const line = await startLine(appUrl);
const lines: { event: string; failures?: number; err?: string }[] = [];
const log = pino({ level: 'info' }, { write: (text: string) => lines.push(JSON.parse(text)) });
const watch = watchDatabase({ url: line.url, log, pauseMs: 20 });
const { db, pool } = connect({ url: line.url, max: 3, queryTimeout: 400, onError: watch.failed });

afterAll(async () => {
  watch.stop();
  await line.close();
  await db.destroy();
});
beforeEach(() => {
  line.mend();
  lines.length = 0;
});

const ask = () => sql`select 1`.execute(db);
const events = () => lines.map(({ event }) => event);

test('an outage of many connections and requests is two lines in the log', async () => {
  await Promise.all([ask(), ask(), ask()]);
  line.cut();
  for (let n = 0; n < 5; n += 1) await expect(ask()).rejects.toThrow(/./);
  await vi.waitFor(() => expect(events()).toEqual(['database_down']), 15_000);
  line.mend();
  await vi.waitFor(() => expect(events()).toEqual(['database_down', 'database_up']), 15_000);
  expect(lines[1]?.failures).toBeGreaterThanOrEqual(5);
  await ask();
  line.cut();
  await vi.waitFor(() => expect(events().at(-1)).toBe('database_down'), 15_000);
  line.mend();
  await vi.waitFor(() => expect(events().at(-1)).toBe('database_up'), 15_000);
});

test('one connection that breaks while the database answers is no outage', async () => {
  await Promise.all([ask(), ask(), ask()]);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where usename = current_user and datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  await vi.waitFor(() => expect(events()).toContain('connection_lost'), 15_000);
  await ask();
  expect(events()).not.toContain('database_down');
});

test('waiting for a connection that others hold is no fault of the database', async () => {
  const held = await Promise.all([1, 2, 3].map(() => db.startTransaction().execute()));
  await expect(ask()).rejects.toThrow('timeout exceeded when trying to connect');
  for (const transaction of held) await transaction.rollback().execute();
  expect(events()).toEqual([]);
});

test('a server that falls silent is given up, and its connection is not used again', async () => {
  await Promise.all([ask(), ask(), ask()]);
  line.silence();
  await Promise.all([1, 2, 3].map(() => expect(ask()).rejects.toThrow('Query read timeout')));
  expect(pool.totalCount).toBe(0);
  line.mend();
  await ask();
});
