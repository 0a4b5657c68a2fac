import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { checkIndexes } from './check-indexes.ts';

const { database, deps, make } = await startApp();

test('every index is looked through; one that lacks a row is named', async () => {
  await make.employee();
  const { db: owner } = connect({ url: database.ownerUrl, max: 1 });
  const healthy = await checkIndexes(owner);
  expect(healthy).toEqual({ count: expect.any(Number), faults: [] });
  expect(healthy?.count).toBeGreaterThan(100);
  // an index over a function whose values have changed behaves like one that lost its rows
  await sql`create function sign_of(bigint) returns int language sql immutable as 'select 1'`.execute(owner);
  await sql`create index users_sign_idx on users (sign_of(id))`.execute(owner);
  await sql`create or replace function sign_of(bigint) returns int language sql immutable as 'select 2'`.execute(owner);
  expect(await checkIndexes(owner)).toEqual({
    count: (healthy?.count ?? 0) + 1,
    faults: [expect.stringMatching(/^the index users_sign_idx is damaged: /)],
  });
  await owner.destroy();
});

test('a role that may not call amcheck gets no result, rather than a good one', async () => {
  expect(await checkIndexes(deps.db)).toBeUndefined();
});
