import { endpoint, item } from '@tenure/contract';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { connect } from '../db/connect.ts';
import { bind } from '../http/context.ts';
import { isRetryable } from '../http/errors.ts';
import { read } from '../http/replies.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';

/** A later release changes tables while this one runs, with statements prepared for the former tables. */

const probe = (method: 'GET' | 'POST') =>
  endpoint({
    method,
    path: '/shapes',
    permission: 'signed in',
    scope: 'none',
    status: 200,
    summary: 'Read a shape',
    reply: item(z.object({ columns: z.number() })),
  });
// what none of our statements may do, as check-architecture.ts says
const everything = sql<object>`select * from shapes`;
const bindings = (['GET', 'POST'] as const).map((method) =>
  bind(probe(method), {
    handle: async ({ db }) => read({ columns: Object.keys((await everything.execute(db)).rows[0] ?? {}).length }),
  }),
);
const { as, make, owner, database } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' }, { bindings });
await owner.query('create table shapes (id int); insert into shapes values (1); grant select on shapes to public');
const admin = await make.admin();
const client = await as(admin.user_id);

let added = 0;
const addColumn = async (table: string) => {
  added += 1;
  await owner.query(`alter table ${table} add column added_${added} integer`);
};

test('a statement alone is planned anew, and its connection is closed', async () => {
  const { db } = connect({ url: database.appUrl, max: 1 });
  const backend = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
  const columns = async () => Object.keys((await everything.execute(db)).rows[0] ?? {}).length;
  const [before, first] = [await columns(), await backend()];
  await addColumn('shapes');
  expect(await columns()).toBe(before + 1);
  const second = await backend();
  expect(second).not.toBe(first);
  expect([await columns(), await backend()]).toEqual([before + 1, second]);
  await db.destroy();
});

test('a transaction that met an old plan can be done again at once, however many connections had it', async () => {
  const { db } = connect({ url: database.appUrl, max: 3 });
  const once = () => db.transaction().execute((trx) => everything.execute(trx));
  const atOnce = () =>
    Promise.all(
      [1, 2, 3].map(() =>
        db.transaction().execute(async (trx) => {
          await everything.execute(trx);
          await sleep(50);
        }),
      ),
    );
  await atOnce();
  await addColumn('shapes');
  const error = await once().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: '0A000', routine: 'RevalidateCachedQuery' });
  expect(isRetryable(error)).toBe(true);
  await once();
  await atOnce();
  await db.destroy();
});

test('requests whose statements have another shape now are answered as if nothing had happened', async () => {
  const several = (method: 'get' | 'post') =>
    Promise.all(Array.from({ length: 8 }, () => client[method]('/api/shapes')));
  for (const method of ['get', 'post'] as const) {
    const [before] = await several(method);
    await addColumn('shapes');
    const after = await several(method);
    const columns = before?.body.data.columns + 1;
    expect(after.map(({ status, body }) => [status, body.data?.columns])).toEqual(after.map(() => [200, columns]));
  }
});

const busiest = [
  'users',
  'session_register',
  'employees',
  'departments',
  'entities',
  'job_history',
  'imports',
  'brands',
  'kpi_templates',
  'kpi_cycles',
  'kpi_evaluations',
  'probation_reviews',
  'notifications',
  'audit_log',
];

test('columns are added to the busiest tables while requests run, and no request gets a 500', async () => {
  const company = await make.entity();
  const office = await make.department({ entity_id: company.id });
  const person = await make.employee({ department_id: office.id });
  const own = await as(person.user_id);
  let turn = 0;
  const work: ((n: number) => ReturnType<Client['get']>)[] = [
    () => client.get('/api/me'),
    () => client.get('/api/employees'),
    () => client.get(`/api/employees/${person.id}`),
    () => client.get('/api/kpi-cycles'),
    () => client.get('/api/employees/imports'),
    () => client.get('/api/brand'),
    () => client.get('/api/audit-log'),
    () => own.get('/api/dashboard'),
    (n) => client.put(`/api/entities/${company.id}`, { description: `Description ${n}` }),
    (n) => client.put(`/api/departments/${office.id}`, { description: `Description ${n}` }),
    (n) => client.put(`/api/employees/${person.id}`, { job_title: `Title ${n}` }),
    (n) => own.put('/api/profile', { preferred_name: `Name ${n}` }),
  ];
  const round = () =>
    Promise.all(
      work.map(async (ask, index) => {
        turn += 1;
        const { status, body } = await ask(turn);
        return { index, status, body: status < 300 ? undefined : body };
      }),
    );
  // on a busy machine, a request may wait too long for a connection, or for the lock of a change
  const isWrong = ({ status }: { status: number }) => status >= 300 && status !== 503;
  // all connections prepare the statements that the test will use
  for (let n = 0; n < 5; n += 1) expect((await round()).filter(isWrong)).toEqual([]);
  for (const table of busiest) {
    const [during] = await Promise.all([round(), addColumn(table)]);
    expect([...during, ...(await round())].filter(isWrong)).toEqual([]);
  }
  await vi.waitFor(async () => expect((await round()).filter(({ status }) => status >= 300)).toEqual([]), 20_000);
});
