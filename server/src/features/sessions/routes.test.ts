import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make } = await startApp();
const password = 'Str0ng!Passw0rd';

test('a person signs in, reads who they are and signs out', async () => {
  const person = await make.employee({ password });
  const client = await as();
  const login = await client.post('/login', { email: person.email.toUpperCase(), password });
  expect([login.status, login.body]).toEqual([200, { message: 'Logged in successfully.' }]);
  const me = await client.get('/api/me');
  expect(me.status).toBe(200);
  expect(me.body.data.user).toMatchObject({ id: person.user_id, email: person.email, must_change_password: false });
  expect(me.body.data.roles).toEqual(['Employee']);
  const role = {
    role_id: expect.any(Number),
    role: 'Employee',
    scope: 'own',
    managed_depth: 'direct',
    entity_ids: null,
  };
  expect(me.body.data.user.role_assignments).toEqual([role]);
  const copied = new Map(client.cookies);
  const logout = await client.post('/api/logout');
  expect([logout.status, logout.body]).toEqual([200, { message: 'Logged out successfully.' }]);
  expect((await client.get('/api/me')).status).toBe(401);
  const thief = await as();
  for (const [name, value] of copied) thief.cookies.set(name, value);
  expect((await thief.get('/api/me')).status).toBe(401);
  // the token that the logout set works for the next sign-in
  expect((await client.post('/api/login', { email: person.email, password })).status).toBe(200);
});

test('all wrong credentials get the same answer', async () => {
  const person = await make.employee({ password });
  const left = await make.employee({ password, activity_status: 'inactive' });
  const client = await as();
  const message = 'These credentials do not match our records.';
  for (const body of [
    { email: person.email, password: 'Wr0ng!Passw0rd' },
    { email: 'nobody@example.com', password },
    { email: left.email, password },
  ]) {
    const answer = await client.post('/login', body);
    expect([answer.status, answer.body]).toEqual([422, { message, errors: { email: [message] } }]);
  }
  const empty = await client.post('/login', { email: ' ' });
  expect(empty.body).toEqual({
    message: 'The email field is required. (and 1 more error)',
    errors: { email: ['The email field is required.'], password: ['The password field is required.'] },
  });
});
