import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { addPasskey, signInWith } from '../testing/passkey.ts';

/** What was made by a person who was let in by another ends once the account may do more than the other. */

const { as, make, owner } = await startApp();
const origin = 'http://localhost:8000';
const password = 'An0ther!Phrase';
const [hrPerson, admin] = [await make.employee({ roles: ['HR'] }), await as((await make.admin()).user_id)];
const hr = await as(hrPerson.user_id);

const choose = (client: Client, current_password: string, chosen = password) =>
  client.put('/api/profile/password', { current_password, password: chosen, password_confirmation: chosen });

/** HR issues a password to a person and is the one who signs in with it. */
async function letIn() {
  const person = await make.employee();
  const issued = await hr.post(`/api/employees/${person.id}/reset-password`, { delivery: 'screen' });
  const stranger = await as();
  const sent = { email: person.email, password: issued.body.one_time_password as string };
  expect((await stranger.post('/login', sent)).status).toBe(200);
  expect((await choose(stranger, sent.password)).status).toBe(200);
  return { ...person, stranger };
}

/** A session of a passkey that was added by who was let in, and is gone. */
async function withoutBeginning() {
  const person = await letIn();
  const first = await addPasskey(person.stranger, origin, 'First');
  const session = await as();
  expect((await signInWith(session, first.passkey)).status).toBe(200);
  expect((await session.delete(`/api/profile/passkeys/${first.id}`)).status).toBe(204);
  return { ...person, session };
}

async function grow({ id }: { id: number }) {
  const { rows } = await owner.query(`select id from roles where name = 'Admin'`);
  const answer = await admin.put(`/api/employees/${id}/roles`, { assignments: [{ role_id: rows[0].id }] });
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
}

test('a passkey that a session adds once the one that opened it is gone', async () => {
  const { session, ...person } = await withoutBeginning();
  const second = await addPasskey(session, origin, 'Second');
  expect((await signInWith(await as(), second.passkey)).status).toBe(200);
  await grow(person);
  expect((await signInWith(await as(), second.passkey)).status).toBe(422);
});

test('the same after the password was changed in between', async () => {
  const { session, ...person } = await withoutBeginning();
  expect((await choose(session, password, 'Y3t-Another!')).status).toBe(200);
  const second = await addPasskey(session, origin, 'Second');
  await grow(person);
  expect((await signInWith(await as(), second.passkey)).status).toBe(422);
});
