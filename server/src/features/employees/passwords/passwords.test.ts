import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, deps, owner, logged } = await startApp({ TRUST_PROXY: '127.0.0.0/8' });
const acme = await make.entity();
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
const next = 'An0ther#Phrase';

const reset = (id: number, client = hr) => client.post(`/api/employees/${id}/reset-password`);
const hashes = async () => {
  const { rows } = await owner.query<{ digest: string }>(
    "select md5(string_agg(u::text, '|' order by id)) as digest from users u",
  );
  return rows[0]?.digest;
};
const inAcme = (fields: Parameters<typeof make.employee>[0] = {}) => make.employee({ entity_id: acme.id, ...fields });

test('a one-time password is shown once, works once and must be changed', async () => {
  const person = await inAcme({ password: 'Str0ng!Passw0rd' });
  const browser = await as(person.user_id);
  const answer = await reset(person.id);
  const { one_time_password, expires_at, data } = answer.body;
  expect([answer.status, one_time_password.length, data.id]).toEqual([200, 20, person.id]);
  expect(data.user).toMatchObject({ has_password: true, must_change_password: true });
  const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(71.9);
  expect(hours).toBeLessThanOrEqual(72);
  expect((await browser.get('/api/me')).status).toBe(401);
  expect(logged.join('')).not.toContain(one_time_password);
  const traces = JSON.stringify(
    await deps.db.selectFrom('audit_log').selectAll().where('subject_id', '=', person.user_id).execute(),
  );
  expect(traces).toContain('account.password_reset');
  expect(traces).not.toContain(one_time_password);

  const guest = await as();
  expect((await guest.post('/login', { email: person.email, password: 'Str0ng!Passw0rd' })).status).toBe(422);
  expect((await guest.post('/login', { email: person.email, password: one_time_password })).status).toBe(200);
  expect((await guest.get('/api/me')).body.data.user.must_change_password).toBe(true);
  const closed = await guest.get('/api/employees');
  expect([closed.status, closed.body]).toEqual([403, { message: 'Password change required.' }]);
  expect((await guest.get('/api/profile')).status).toBe(403);
  const again = await as();
  expect((await again.post('/login', { email: person.email, password: one_time_password })).status).toBe(422);
  const same = {
    current_password: one_time_password,
    password: one_time_password,
    password_confirmation: one_time_password,
  };
  expect((await guest.put('/api/profile/password', same)).status).toBe(422);
  const changed = await guest.put('/api/profile/password', {
    current_password: one_time_password,
    password: next,
    password_confirmation: next,
  });
  expect(changed.status).toBe(200);
  expect(changed.body.data.user.must_change_password).toBe(false);
  expect((await guest.get('/api/employees')).status).toBe(200);
  expect((await again.post('/login', { email: person.email, password: next })).status).toBe(200);
});

test('of 20 simultaneous uses one succeeds', async () => {
  const person = await inAcme();
  const { one_time_password } = (await reset(person.id)).body;
  const guests = await Promise.all(Array.from({ length: 20 }, () => as()));
  // each from a different client address, so that no limit applies
  const tries = guests.map((guest, index) =>
    guest.send('POST', '/login', {
      body: { email: person.email, password: one_time_password },
      headers: { 'x-forwarded-for': `192.0.2.${index}` },
    }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status !== 200 && status !== 422)).toEqual([]);
});

test('it expires after 72 hours', async () => {
  const person = await inAcme();
  const { one_time_password } = (await reset(person.id)).body;
  await owner.query("update users set password_expires_at = now() - interval '1 second' where id = $1", [
    person.user_id,
  ]);
  const guest = await as();
  const answer = await guest.post('/login', { email: person.email, password: one_time_password });
  expect([answer.status, answer.body.message]).toEqual([422, 'These credentials do not match our records.']);
  expect((await reset(person.id)).status).toBe(200);
});

test("HR cannot reset the own password, an Admin's, and those of inactive people and people out of scope", async () => {
  const admin = await inAcme({ roles: ['Admin'] });
  const inactive = await inAcme({ activity_status: 'inactive' });
  const elsewhere = await make.employee();
  const manager = await as((await make.employee({ roles: ['Manager'] })).user_id);
  const before = await hashes();
  expect((await reset(hrPerson.id)).status).toBe(403);
  expect((await reset(admin.id)).status).toBe(403);
  expect((await reset(elsewhere.id, limited)).status).toBe(404);
  expect((await reset(elsewhere.id, manager)).status).toBe(403);
  const answer = await reset(inactive.id);
  expect([answer.status, answer.body.status, answer.body.revision]).toEqual([422, 'inactive', 1]);
  expect(await hashes()).toBe(before);
  const root = await as((await make.admin()).user_id);
  expect((await reset(admin.id, root)).status).toBe(200);
});

test('no caller chooses the value, and a repeat with one key issues no second one', async () => {
  const person = await inAcme();
  const headers = { 'idempotency-key': 'reset-1' };
  const first = await hr.post(
    `/api/employees/${person.id}/reset-password`,
    { password: 'Ch0sen!Phrase', employee_id: 1 },
    headers,
  );
  expect(first.body.one_time_password).not.toBe('Ch0sen!Phrase');
  const before = await hashes();
  const second = await hr.post(
    `/api/employees/${person.id}/reset-password`,
    { password: 'Ch0sen!Phrase', employee_id: 1 },
    headers,
  );
  expect([second.status, second.body.errors]).toEqual([
    422,
    { idempotency_key: ['The idempotency key has already been used.'] },
  ]);
  expect(await hashes()).toBe(before);
});

test('a bulk reset has a result for each person', async () => {
  const people = [await inAcme(), await inAcme()];
  const [gone, admin] = [await inAcme({ activity_status: 'inactive' }), await inAcme({ roles: ['Admin'] })];
  const elsewhere = await make.employee();
  const ids = [people[0]?.id, people[1]?.id, people[0]?.id, gone.id, admin.id, elsewhere.id, 999_999];
  const answer = await limited.post('/api/employees/reset-passwords', { employee_ids: ids });
  expect(answer.status).toBe(200);
  const { issued, refused } = answer.body.data;
  expect(issued.map((one: { employee_id: number; email: string }) => [one.employee_id, one.email])).toEqual(
    people.map(({ id, email }) => [id, email]),
  );
  expect(refused).toEqual([
    { employee_id: gone.id, reason: 'This person can’t sign in.' },
    { employee_id: admin.id, reason: 'You don’t have permission to do this.' },
    { employee_id: elsewhere.id, reason: 'Not found.' },
    { employee_id: 999_999, reason: 'Not found.' },
  ]);
  for (const [index, { email }] of people.entries()) {
    const guest = await as();
    const credentials = { email, password: issued[index].one_time_password };
    expect((await guest.post('/login', credentials)).status).toBe(200);
  }
  const own = await hr.post('/api/employees/reset-passwords', { employee_ids: [hrPerson.id] });
  expect(own.body.data).toEqual({
    delivery: 'screen',
    mail_is_on: false,
    link_hours: 24,
    issued: [],
    sent: [],
    refused: [{ employee_id: hrPerson.id, reason: 'You can’t do this for your own account.' }],
    people: [expect.objectContaining({ id: hrPerson.id, employee_number: hrPerson.employee_number })],
  });
});

test('501 at once are too many, and none too few', async () => {
  const before = await hashes();
  const many = await hr.post('/api/employees/reset-passwords', {
    employee_ids: Array.from({ length: 501 }, (_, i) => i + 1),
  });
  expect(many.body.errors).toEqual({ employee_ids: ['The employees field must not have more than 500 items.'] });
  const none = await hr.post('/api/employees/reset-passwords', { employee_ids: [] });
  expect(none.body.errors).toEqual({ employee_ids: ['The employees field must have at least 1 item.'] });
  expect(await hashes()).toBe(before);
});
