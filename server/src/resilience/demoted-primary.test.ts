import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { cloneDatabase } from '../testing/databases.ts';

/** A demoted primary answers reads and refuses writes; new connections reach the server that took over. */

const database = await cloneDatabase();
// separate connections: a pooler would keep those to the former primary
const { as, make, owner, deps } = await startApp({}, { database, connect: { url: database.appUrl } });
const operator = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
afterAll(() => operator.end());
const admin = await make.admin();
const client = await as(admin.user_id);
const name = new URL(database.ownerUrl).pathname.slice(1);

/** Makes new connections read-only, or writable again; existing ones stay unchanged. */
const demote = (to: 'on' | 'off') => operator.query(`alter database ${name} set default_transaction_read_only = ${to}`);
const create = (company: string) => client.post('/api/entities', { name: company });

test('writes get 503 without an unknown outcome, and the next request has a connection to the new primary', async () => {
  await demote('on');
  for (const held of await Promise.all([1, 2, 3].map(() => deps.pool.connect()))) held.release(true);
  // the connections of the demoted server
  await Promise.all([1, 2, 3, 4, 5].map(() => client.get('/api/entities')));
  await demote('off');
  expect((await client.get('/api/entities')).status).toBe(200);
  const refused = await create('Refused Ltd');
  expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
    503,
    '5',
    { message: 'Service Unavailable' },
  ]);
  const created = await Promise.all([1, 2, 3, 4, 5].map((n) => create(`Created ${n} Ltd`)));
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  const { rows } = await owner.query("select name from entities where name = 'Refused Ltd'");
  expect(rows).toEqual([]);
});
