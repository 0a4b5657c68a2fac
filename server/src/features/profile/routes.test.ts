import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';

const { as, make, deps, owner, logged } = await startApp();
const password = 'Str0ng!Passw0rd';
const next = 'An0ther#Phrase';
const acme = await make.entity({ name: 'Globex Trading', code: 'GLX' });
const department = await make.department({ entity_id: acme.id });

const person = (fields: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ department_id: department.id, password, ...fields });
const change = (client: Client, body: object) => client.put('/api/profile/password', body);
const good = { current_password: password, password: next, password_confirmation: next };
const stored = (id: number) => deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
async function thief(client: Client) {
  const copy = await as();
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
}

test('the profile shows the account, the own record with its private part, roles and permissions', async () => {
  const { id, user_id, email } = await person({
    bank: { account_number: '12345678', iban: null } as never,
    date_of_birth: '1990-01-01',
  });
  const client = await as(user_id);
  const answer = await client.get('/api/profile');
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({
    user: { id: user_id, email, must_change_password: false, locale: 'en' },
    employee: { id, date_of_birth: '1990-01-01', bank: { account_number: '****5678' } },
    roles: ['Employee'],
    permissions: ['employees.view', 'kpi-evaluation.view', 'probation-review.view'],
  });
  const account = await as((await make.admin()).user_id);
  expect((await account.get('/api/profile')).body.data.employee).toBeNull();
  expect((await (await as()).get('/api/profile')).status).toBe(401);
});

test('people change their editable fields and no others', async () => {
  const { id, user_id } = await person({
    job_title: 'Buyer',
    address: { city: 'Leeds', line1: '1 Mill Road' } as never,
  });
  const client = await as(user_id);
  const answer = await client.put('/api/profile', {
    display_name: 'Lenny',
    phone: '+44 113 496 0101',
    address: { city: 'York' },
    marital_status: 'married',
    locale: 'de-CH',
    job_title: 'Chief',
    grade: 'Z9',
    bank: { iban: 'DE00' },
    email: 'new@example.com',
    roles: ['Admin'],
    activity_status: 'inactive',
  });
  expect([answer.status, answer.body.message]).toEqual([200, 'Profile updated successfully.']);
  expect(answer.body.data.user.locale).toBe('de-CH');
  expect(answer.body.data.employee).toMatchObject({
    display_name: 'Lenny',
    phone: '+44 113 496 0101',
    address: { city: 'York', line1: '1 Mill Road' },
    marital_status: 'married',
    job_title: 'Buyer',
    grade: null,
    bank: null,
    activity_status: 'active',
    revision: 2,
  });
  const traces = await deps.db
    .selectFrom('audit_log')
    .selectAll()
    .where('actor_id', '=', user_id)
    .orderBy('id')
    .execute();
  expect(traces.map(({ action, subject_id }) => [action, subject_id])).toEqual([
    ['employee.updated', id],
    ['account.updated', user_id],
  ]);
  expect(traces[0]?.changes).toMatchObject({
    address: { from: '[hidden]', to: '[hidden]' },
    display_name: { from: null, to: 'Lenny' },
  });
});

test('wrong fields and a stale form change nothing', async () => {
  const { user_id, id } = await person();
  const client = await as(user_id);
  const wrong = await client.put('/api/profile', {
    phone: 'call me',
    personal_email: 'x',
    locale: 'not a locale',
    marital_status: 'it is complicated',
  });
  expect(Object.keys(wrong.body.errors)).toEqual(['phone', 'personal_email', 'marital_status', 'locale']);
  const stale = await client.put('/api/profile', { display_name: 'Lenny', revision: 9 });
  expect([stale.status, stale.body.revision]).toEqual([422, 1]);
  const row = await deps.db.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ display_name: null, revision: 1 });
});

test('a new password ends all other sessions; the caller continues with a new one', async () => {
  const { user_id, email } = await person();
  const [here, there] = [await as(user_id), await as(user_id)];
  const copied = await thief(here);
  const answer = await change(here, { ...good, id: 1, user_id: 1, email: 'x@example.com' });
  expect([answer.status, answer.body.message]).toEqual([200, 'Password changed successfully.']);
  expect((await here.get('/api/me')).status).toBe(200);
  expect((await here.put('/api/profile', { locale: 'fr' })).status).toBe(200);
  expect((await there.get('/api/me')).status).toBe(401);
  expect((await copied.get('/api/me')).status).toBe(401);
  const guest = await as();
  expect((await guest.post('/login', { email, password })).status).toBe(422);
  expect((await guest.post('/login', { email, password: next })).status).toBe(200);
  const traces = await deps.db
    .selectFrom('audit_log')
    .selectAll()
    .where('subject_id', '=', user_id)
    .where('action', '=', 'account.password_changed')
    .execute();
  expect(traces).toMatchObject([{ changes: {} }]);
  expect(logged.join('')).not.toContain(next);
});

const messages = {
  incorrect: 'The password is incorrect.',
  length: 'The password field must be at least 8 characters.',
  letters: 'The password field must contain at least one uppercase and one lowercase letter.',
  number: 'The password field must contain at least one number.',
  symbol: 'The password field must contain at least one symbol.',
  confirmation: 'The password field confirmation does not match.',
  leaked: 'The given password has appeared in a data leak. Please choose a different password.',
  context:
    'The password field must not contain your name, your email, your employee number or the name of the company.',
  long: 'The password field must not be greater than 1024 characters.',
  different: 'The password field and current password must be different.',
};
const both = (value: string) => ({ ...good, password: value, password_confirmation: value });

test.each([
  [
    'a wrong current password',
    { ...good, current_password: 'Wr0ng!Passw0rd' },
    { current_password: [messages.incorrect] },
  ],
  ['a short one', both('abc'), { password: [messages.length, messages.letters, messages.number, messages.symbol] }],
  ['another confirmation', { ...good, password_confirmation: 'x' }, { password: [messages.confirmation] }],
  ['no confirmation', { current_password: password, password: next }, { password: [messages.confirmation] }],
  ['a well-known one', both('P@ssw0rd'), { password: [messages.leaked] }],
  ['the name of the company', both('My-Globex-77'), { password: [messages.context] }],
  ['the same again', both(password), { password: [messages.different] }],
  ['1,025 bytes', both(`Aa1!${'ü'.repeat(511)}`), { password: [messages.long] }],
  [
    'nothing',
    {},
    { current_password: ['The current password field is required.'], password: ['The password field is required.'] },
  ],
  [
    'both wrong',
    { ...both('abcdefgh'), current_password: 'x' },
    { current_password: [messages.incorrect], password: [messages.letters, messages.number, messages.symbol] },
  ],
])('%s is refused and ends nothing', async (_name, body, errors) => {
  const { user_id } = await person();
  const client = await as(user_id);
  const before = await stored(user_id);
  const answer = await change(client, body);
  expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  expect(await stored(user_id)).toEqual(before);
  expect((await client.get('/api/me')).status).toBe(200);
});

test('the summary counts the messages', async () => {
  const { user_id } = await person();
  const answer = await change(await as(user_id), both('abc'));
  expect(answer.body.message).toBe('The password field must be at least 8 characters. (and 3 more errors)');
});

test('spaces and every byte of a long password are significant', async () => {
  const { user_id, email } = await person();
  const long = ` Aa1!${'x'.repeat(190)}y `;
  expect((await change(await as(user_id), both(long))).status).toBe(200);
  const guest = await as();
  expect((await guest.post('/login', { email, password: long.trim() })).status).toBe(422);
  expect((await guest.post('/login', { email, password: `${long.slice(0, -2)}z ` })).status).toBe(422);
  expect((await guest.post('/login', { email, password: long })).status).toBe(200);
});

test('guesses of the current password count like sign-ins', async () => {
  const { user_id, email } = await person();
  const client = await as(user_id);
  const wrong = { ...good, current_password: 'Wr0ng!Passw0rd' };
  const answers = await Promise.all(Array.from({ length: 12 }, () => change(client, wrong)));
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  const limited = answers.find(({ status }) => status === 429);
  expect(limited?.body.message).toMatch(/^Too many login attempts\. Please try again in \d+ seconds\.$/);
  expect(Number(limited?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  // even with the correct one, and at the sign-in
  expect((await change(client, good)).status).toBe(429);
  expect((await (await as()).post('/login', { email, password })).status).toBe(429);
});

test('people see and end their own sessions only', async () => {
  const { user_id } = await person();
  const other = await person();
  const [here, there, third] = [await as(user_id), await as(user_id), await as(user_id)];
  const stranger = await as(other.user_id);
  const list = await here.get('/api/profile/sessions');
  expect(list.body.meta.total).toBe(3);
  const [current] = list.body.data.filter((row: { current: boolean }) => row.current);
  expect(current).toMatchObject({
    ip: '127.0.0.1',
    user_agent: 'test',
    method: 'password',
    factors: 1,
    provider: null,
  });
  expect((await here.get('/api/profile/sessions?current=1')).body.data).toEqual([current]);
  expect((await here.get('/api/profile/sessions?current=0&search=TEST')).body.meta.total).toBe(2);
  const thereId = (await there.get('/api/profile/sessions?current=1')).body.data[0].id;
  expect((await stranger.delete(`/api/profile/sessions/${thereId}`)).status).toBe(404);
  expect((await there.get('/api/me')).status).toBe(200);
  expect((await here.delete(`/api/profile/sessions/${thereId}`)).status).toBe(204);
  expect((await there.get('/api/me')).status).toBe(401);
  expect((await here.delete(`/api/profile/sessions/${thereId}`)).status).toBe(404);
  expect((await here.delete('/api/profile/sessions')).status).toBe(204);
  expect([(await here.get('/api/me')).status, (await third.get('/api/me')).status]).toEqual([200, 401]);
  expect((await stranger.get('/api/me')).status).toBe(200);
  expect((await here.delete(`/api/profile/sessions/${current.id}`)).status).toBe(204);
  expect((await here.get('/api/me')).status).toBe(401);
  const { rows } = await owner.query<{ n: string }>(
    "select count(*) as n from audit_log where action = 'session.ended' and actor_id = $1",
    [user_id],
  );
  expect(rows[0]?.n).toBe('3');
});
