import { beforeEach, expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import { codeOf, enrol, clearLastStep } from '../../../testing/factors.ts';

const { as, make, owner } = await startApp();
const password = 'Str0ng!Passw0rd';
const reason = 'Lost the phone; called back at the desk.';
const acme = await make.entity();
const beta = await make.entity();

type Fields = NonNullable<Parameters<typeof make.employee>[0]>;
const hrOf = (entityId: number) =>
  make.employee({ entity_id: entityId, roles: [{ role: 'HR', entity_ids: [entityId] }, 'Employee'] });

beforeEach(() => owner.query('delete from login_attempts'));

async function enrolled(fields: Fields = {}) {
  const person = await make.employee({ entity_id: acme.id, password, ...fields });
  const client = await as(person.user_id);
  const factor = await enrol(client);
  await clearLastStep(owner);
  return { ...person, ...factor, client };
}

/** By an existing client, or by an account without a factor. */
const take = async (by: Client | number, id: number, body: object = { reason }) =>
  (typeof by === 'number' ? await as(by) : by).delete(`/api/employees/${id}/second-factor`, body);
const hasFactor = async (userId: number) =>
  ((await owner.query('select from authenticators where user_id = $1', [userId])).rowCount ?? 0) > 0;

test('HR takes the factor of a person away: sessions end, and the next one can only add another factor', async () => {
  const hr = await hrOf(acme.id);
  const person = await enrolled();
  const shown = (await (await as(hr.user_id)).get(`/api/employees/${person.id}`)).body.data;
  expect(shown.allowed_actions).toContain('second-factor');
  expect((await take(hr.user_id, person.id)).status).toBe(204);
  expect(await hasFactor(person.user_id)).toBe(false);
  expect((await person.client.get('/api/me')).status).toBe(401);

  const client = await as();
  const login = await client.post('/login', { email: person.email, password });
  expect(login.body).toEqual({ message: 'Logged in successfully.' });
  expect((await client.get('/api/me')).body.data.second_factor).toEqual({ state: 'required', from: null });
  expect((await client.get('/api/profile')).body).toEqual({ message: 'Second factor required.' });
  const { secret } = await enrol(client);
  expect((await client.get('/api/profile')).status).toBe(200);
  await clearLastStep(owner);
  const other = await as();
  expect((await other.post('/login', { email: person.email, password })).body.two_factor).toBe(true);
  expect((await other.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
});

test('it is recorded with its reason, and the person is notified on every channel', async () => {
  const hr = await hrOf(acme.id);
  const person = await enrolled();
  await take(hr.user_id, person.id);
  const { rows } = await owner.query(
    "select actor_id::int, subject_id::int, entity_id::int, reason from audit_log where action = 'account.second_factor_reset' order by id desc limit 1",
  );
  expect(rows).toEqual([{ actor_id: hr.user_id, subject_id: person.user_id, entity_id: acme.id, reason }]);
  const notices = await owner.query(
    "select variant from notifications where user_id = $1 and event = 'account_security_notice' order by id desc limit 1",
    [person.user_id],
  );
  expect(notices.rows).toEqual([{ variant: 'factor_reset' }]);
});

test('recovery codes and a sign-in that has begun end with it', async () => {
  const hr = await hrOf(acme.id);
  const person = await enrolled();
  const client = await as();
  await client.post('/login', { email: person.email, password });
  await take(hr.user_id, person.id);
  const late = await client.post('/two-factor-challenge', { recovery_code: person.recovery_codes[0] });
  expect([late.status, late.body.message]).toEqual([422, 'Please sign in again.']);
});

test('never oneself, HR never that of an Admin, another Admin does; out of scope it is not there', async () => {
  const hr = await hrOf(acme.id);
  const outside = await hrOf(beta.id);
  const wide = await make.employee({ entity_id: acme.id, roles: ['HR', 'Employee'] });
  const admin = await enrolled({ roles: ['Admin', 'Employee'] });
  const own = await enrolled({ roles: [{ role: 'HR', entity_ids: [acme.id] }, 'Employee'] });
  const person = await enrolled();
  const statuses = {
    oneself: (await take(own.client, own.id)).status,
    ownAdmin: (await take(admin.client, admin.id)).status,
    ofAdminByHr: (await take(wide.user_id, admin.id)).status,
    ofMightier: (await take(own.client, wide.id)).status,
    outside: (await take(outside.user_id, person.id)).status,
    colleague: (await take((await make.employee({ entity_id: acme.id })).user_id, person.id)).status,
    withoutReason: (await take(hr.user_id, person.id, {})).status,
  };
  expect(statuses).toEqual({
    oneself: 403,
    ownAdmin: 403,
    ofAdminByHr: 403,
    ofMightier: 403,
    outside: 404,
    colleague: 403,
    withoutReason: 422,
  });
  for (const { user_id } of [admin, own, person]) expect(await hasFactor(user_id)).toBe(true);
  expect((await take((await make.admin()).user_id, admin.id)).status).toBe(204);
  expect((await take(hr.user_id, wide.id)).status).toBe(403);
});

test('HR does not take the factor of a superior away', async () => {
  const boss = await enrolled();
  const hr = await make.employee({
    entity_id: acme.id,
    reporting_manager_id: boss.id,
    roles: [{ role: 'HR', entity_ids: [acme.id] }, 'Employee'],
  });
  expect((await take(hr.user_id, boss.id)).status).toBe(403);
  expect(await hasFactor(boss.user_id)).toBe(true);
});

test('without a factor there is nothing to take away', async () => {
  const hr = await hrOf(acme.id);
  const person = await make.employee({ entity_id: acme.id, password });
  const answer = await take(hr.user_id, person.id);
  expect([answer.status, answer.body.message]).toEqual([422, 'This person has no second factor.']);
  const { rows } = await owner.query('select must_enrol from users where id = $1', [person.user_id]);
  expect(rows).toEqual([{ must_enrol: false }]);
});
