import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { generateKey } from '../crypto/keys.ts';
import { startApp } from '../testing/app.ts';
import { factsOf, check } from './database.ts';
import type { Facts } from './database.ts';
import { lineOf } from './finding.ts';

const { deps, database } = await startApp();
const asked = await factsOf(deps.db);
if ('status' in asked) throw new Error(lineOf(asked));
// other test files use the same server
const facts: Facts = { ...asked, open: 5 };

const configOf = (settings: Record<string, string> = {}) => readConfig({ DATABASE_URL: database.appUrl, ...settings });
const bad = (changed: Partial<Facts>, settings: Record<string, string> = {}) =>
  check({ ...facts, ...changed }, configOf(settings), Date.now())
    .filter(({ status }) => status !== 'ok')
    .map(lineOf);

test('a database as the service has it is well', () => {
  expect(bad({})).toEqual([]);
  expect(asked).toMatchObject({
    encoding: 'UTF8',
    role: 'tenure_app',
    is_owner: false,
    is_standby: false,
    standbys: 0,
  });
  expect(asked.most).toBeGreaterThan(200);
});

test.each<[what: string, changed: Partial<Facts>, says: RegExp, settings?: Record<string, string>]>([
  [
    'an encoding that holds no names',
    { encoding: 'SQL_ASCII' },
    /^fail {2}encoding +.*SQL_ASCII {2}→ Create a new database/,
  ],
  [
    'another library that sorts',
    { collation: '2.31', collation_now: '2.36' },
    /^warn {2}collation +.*2\.36\).*→ Run "reindex/,
  ],
  ['a superuser', { is_superuser: true }, /^warn {2}role +.*superuser.*→ Use an ordinary role in DATABASE_URL/],
  ['a limit of the role', { role_limit: 5 }, /^fail {2}connections +.* allows 5 {2}→ Raise the limit \(alter role/],
  ['a limit of the database', { database_limit: 20 }, /^fail {2}connections +.* allows 20 {2}→ Raise the limit/],
  ['few connections', { most: 15 }, /^fail {2}connections +.* up to 22 .* allows 15 {2}→ Raise max_connections/],
  [
    'connections that are nearly all open',
    { most: 100, open: 95 },
    /^warn {2}connections +95 of 100.*→ Raise max_conn/,
  ],
  [
    'a clock that is an hour off',
    { now: facts.now - 3_600 },
    /^fail {2}clock +The clock of this machine differs by \d+ s .*→ Synchronize both/,
  ],
  [
    'a clock that is ten seconds off',
    { now: Date.now() / 1_000 + 20 },
    /^warn {2}clock +The clock of this machine differs by \d+ s .*→ Synchronize both/,
  ],
  ['a standby', { is_standby: true }, /^fail {2}standby +.*→ Correct DATABASE_URL, so that it leads to the primary/],
  [
    'a database that only reads',
    { is_read_only: true },
    /^fail {2}standby +The database is read-only.*→ Set default_transaction_read_only to off/,
  ],
  [
    'commits without their standby',
    { synchronous: 'ANY 1 (b, c)' },
    /^fail {2}standby +.*ANY 1.*→ Connect the standby/,
  ],
  [
    'a standby that is behind',
    { standbys: 1, lag: 300 },
    /^warn {2}standby +A standby is 300 s behind.*→ Check its disk/,
  ],
])('%s is named with its remedy', (_what, changed, says, settings) => {
  expect(bad(changed, settings)).toEqual([expect.stringMatching(says)]);
});

test('production fails with a superuser', () => {
  const settings = {
    NODE_ENV: 'production',
    APP_URL: 'https://hr.acme.example',
    APP_KEY: generateKey(),
  };
  expect(bad({ is_superuser: true }, settings)).toEqual([expect.stringMatching(/^fail {2}role/)]);
});

test('a process that only serves, or goes through a pooler, takes fewer connections', () => {
  expect(bad({ most: 15 }, { ROLE: 'api' })).toEqual([]);
  expect(bad({ most: 15 }, { DATABASE_POOLER: 'on', DATABASE_DIRECT_URL: database.appUrl })).toEqual([]);
  expect(bad({ most: 11 }, { ROLE: 'api', METRICS_PORT: '9100' })).toHaveLength(1);
});
