import { sql } from 'kysely';
import type { Updateable } from 'kysely';
import { expect, test } from 'vitest';
import type { DB } from '../db/schema.ts';
import { startApp } from '../testing/app.ts';
import { provisioning } from '../testing/provisioning.ts';
import { enterpriseSchema } from './attributes.ts';

// Whom a connection finds, and whose data it reads.

const service = await startApp();
const { deps, make } = service;
const connect = provisioning(service);
const acme = await make.entity();
const other = await make.entity();
await make.admin();

const person = (fields: Record<string, unknown> = {}) => make.employee({ entity_id: acme.id, ...fields });
const work = (value: string) => ({ emails: [{ value, type: 'work', primary: true }] });
const changed = async (id: number, fields: Updateable<DB['employees']>) => {
  await deps.db.updateTable('employees').set(fields).where('id', '=', id).execute();
};

const entra = await connect({ entity_ids: [acme.id] });

test('a weaker name decides nothing, where a stronger one means an account that cannot be adopted', async () => {
  const number = async () => ({ [enterpriseSchema]: { employeeNumber: (await person()).employee_number } });
  const { rows } = await sql<{ id: number }>`
      insert into identity_providers (name, is_enabled, issuer, client_id, metadata)
      values ('Provider', true, 'https://login.example', 'tenure', '{}') returning id`.execute(deps.db);
  const [{ id: provider_id }] = rows as [{ id: number }];
  const linked = await connect({ entity_ids: [acme.id], provider_id });
  const subject = async (fields: Record<string, unknown>) => {
    const { user_id } = await person(fields);
    const one = `subject-${user_id}`;
    await deps.db
      .insertInto('user_identities')
      .values({ user_id, provider_id, subject: one, linked_by: 'hr' })
      .execute();
    return one;
  };
  const strong = [
    work((await person({ roles: ['Admin'] })).email),
    work((await make.employee({ entity_id: other.id })).email),
    work((await make.admin()).email),
    { externalId: await subject({ roles: ['Admin'] }), ...work((await person()).email) },
  ];
  for (const [n, fields] of strong.entries()) {
    const { status, body } = await linked.addUser(`stronger.${n}`, { ...(await number()), ...fields });
    expect(status).toBe(201);
    const row = await deps.db.selectFrom('scim_users').select('user_id').where('id', '=', body.id).execute();
    expect([n, row]).toEqual([n, [{ user_id: null }]]);
  }
});

test.each([
  [
    'moved away',
    async ({ id }: { id: number }) => {
      const { id: department_id } = await make.department({ entity_id: other.id });
      await changed(id, { entity_id: other.id, department_id });
    },
  ],
  ['left', ({ id }: { id: number }) => changed(id, { activity_status: 'inactive' })],
  [
    'was deleted',
    ({ id }: { id: number }) => changed(id, { activity_status: 'inactive', deleted_at: sql`now()` as never }),
  ],
  [
    'is in a company that the connection lost',
    async (_ada: { id: number }, connection: { id: number }) => {
      await deps.db
        .updateTable('scim_connections')
        .set({ entity_ids: [other.id] })
        .where('id', '=', connection.id)
        .execute();
    },
  ],
])('a person who %s shows only what the provider owns', async (what, goes) => {
  const own = await connect({ entity_ids: [acme.id] });
  const ada = await person({ first_name: 'Ada', last_name: 'Hidden', job_title: 'Analyst' });
  const { body } = await own.addUser('gone.away', { externalId: 'g', ...work(ada.email) });
  const filters = [
    `emails.value eq "${ada.email}"`,
    `emails.value sw "${ada.email}"`,
    'emails pr',
    'displayName co "Hidden"',
    'name.familyName eq "Hidden"',
  ];
  const totals = async () => {
    const asked = filters.map((one) => own.get(`/Users?filter=${encodeURIComponent(one)}`));
    return (await Promise.all(asked)).map((one) => one.body.totalResults as number);
  };
  expect(await totals()).toEqual([1, 1, 1, 1, 1]);
  await goes(ada, own);
  // leaving its companies counts as the end of the sign-in
  const tells = what === 'left' || what === 'was deleted';
  const known = [...(tells ? ['active'] : []), 'externalId', 'id', 'meta', 'schemas', 'userName'];
  const change = { op: 'replace', path: 'externalId', value: 'h' };
  for (const one of [
    (await own.get(`/Users/${body.id}`)).body,
    (await own.get('/Users')).body.Resources[0],
    (await own.patch(`/Users/${body.id}`, change)).body,
  ])
    expect(Object.keys(one as object).toSorted()).toEqual(known);
  expect(await totals()).toEqual([0, 0, 0, 0, 0]);
});

test('a manager is named only where the connection reaches the manager, too', async () => {
  const [ada, boss] = [await person(), await person({ first_name: 'Grace', last_name: 'Boss' })];
  await changed(ada.id, { reporting_manager_id: boss.id });
  await entra.addUser('boss', work(boss.email));
  const { body } = await entra.addUser('led', work(ada.email));
  expect(body[enterpriseSchema].manager.displayName).toBe('Grace Boss');
  const { id: department_id } = await make.department({ entity_id: other.id });
  await changed(boss.id, { entity_id: other.id, department_id });
  expect((await entra.get(`/Users/${body.id}`)).body[enterpriseSchema].manager).toBeUndefined();
});

test('no answer, list, filter or version says whether a person out of reach may sign in', async () => {
  const own = await connect({ entity_ids: [acme.id] });
  const elsewhere = async (name: string, activity_status: 'active' | 'inactive') => {
    const one = await person();
    const { body } = await own.addUser(name, work(one.email));
    const { id: department_id } = await make.department({ entity_id: other.id });
    await changed(one.id, { entity_id: other.id, department_id, activity_status });
    return body.id as string;
  };
  const ids = [await elsewhere('in.other', 'active'), await elsewhere('left.other', 'inactive')];
  const here = await person();
  const { body: mine } = await own.addUser('here', work(here.email));
  for (const id of ids) {
    const { body } = await own.get(`/Users/${id}`);
    expect(Object.keys(body as object)).not.toContain('active');
    const asked = await own.get(`/Users/${id}?attributes=active`);
    expect(asked.body).toEqual({ schemas: body.schemas, id });
    // the provider's own data is stored, and returned in the same way for both
    const off = await own.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    expect([off.status, Object.keys(off.body as object).includes('active')]).toEqual([200, false]);
  }
  const found = async (filter: string) =>
    (await own.get(`/Users?filter=${encodeURIComponent(filter)}`)).body.Resources.map(({ id }: { id: string }) => id);
  expect(await found('active eq true')).toEqual([mine.id]);
  expect(await found('active eq false')).toEqual([]);
  expect(await found('active ne true')).toEqual([]);
  expect(await found('active pr')).toEqual([mine.id]);
  expect(await found('userName ew "other" and active eq false')).toEqual([]);
  expect(new Set(await found('not (active eq true)'))).toEqual(new Set(ids));
  expect(new Set(await found('not (active eq false)'))).toEqual(new Set([...ids, mine.id]));
  const { rows } = await sql`select from sign_in_blocks b join scim_users s on s.user_id = b.user_id
    where s.id::text = any(${ids}::text[])`.execute(deps.db);
  expect(rows).toEqual([]);
});
