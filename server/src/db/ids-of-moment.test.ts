import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { idsOfMoment, partsOf } from './ids-of-moment.ts';
import type { IdsOfMoment } from './ids-of-moment.ts';

const { deps, owner } = await startApp();

beforeAll(async () => {
  await owner.query(`insert into users (email) select 'n' || n || '@example.com' from generate_series(1, 2500) n`);
});

const ordered = sql`select u.id from users u order by u.id desc`;
const count = sql`select count(*) from users`;

async function read(ids: IdsOfMoment, size = 700) {
  const parts = await Array.fromAsync(partsOf(ids, size));
  return { sizes: parts.map((part) => part.length), ids: parts.flat() };
}

test.each([count, undefined])('all ids arrive once, in their order and in parts', async (cheap) => {
  const found = await idsOfMoment(deps.db, { ordered, count: cheap });
  const { rows } = await owner.query<{ id: number }>('select id::int from users order by id desc');
  const { ids, sizes } = await read(found);
  expect(ids).toEqual(rows.map(({ id }) => id));
  expect(found.count).toBe(ids.length);
  expect(Math.max(...sizes)).toBe(700);
});

test('the others are of the moment of the first, whatever is written between', async () => {
  // the first statement is so slow that a row is added before the second one begins
  const slowly = sql`select (select count(*) from users) from pg_sleep(0.5)`;
  const reading = idsOfMoment(deps.db, { ordered: sql`select u.id from users u order by u.id`, count: slowly });
  await new Promise((done) => setTimeout(done, 200));
  const { rows } = await owner.query<{ id: number }>(
    `insert into users (email) values ('late@example.com') returning id::int`,
  );
  const found = await reading;
  const { ids } = await read(found);
  expect(ids).toHaveLength(found.count);
  expect(ids).not.toContain(rows[0]?.id);
});

test('what fails after the first ids ends the parts, and gives the connection back', async () => {
  // volatile functions are evaluated after order and limit
  const failing = sql`
    select u.id / (case when u.id = (select id from users order by id offset 1500 limit 1) then 0 else 1 end
                   + (random() < 0)::int) as id
    from users u order by u.id`;
  const found = await idsOfMoment(deps.db, { ordered: failing, count });
  expect(found.first).toHaveLength(1_000);
  await expect(read(found)).rejects.toThrow('division by zero');
  expect(deps.pool.idleCount).toBe(deps.pool.totalCount);
});
