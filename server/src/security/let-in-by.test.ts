import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { bearing } from '../testing/programs.ts';
import { addPasskey, signInWith } from '../testing/passkey.ts';

/** What a user created after someone else let them in ends when the account gets more rights than that person. */

const service = await startApp();
const { as, make, owner } = service;
const origin = 'http://localhost:8000';
const password = 'An0ther!Phrase';
const [hrPerson, admin] = [await make.employee({ roles: ['HR'] }), await as((await make.admin()).user_id)];
const hr = await as(hrPerson.user_id);

const choose = (client: Client, current_password: string, chosen = password) =>
  client.put('/api/profile/password', { current_password, password: chosen, password_confirmation: chosen });

/** HR issues a password to a person and is the one who signs in with it. */
async function letIn(more: Parameters<typeof make.employee>[0] = {}) {
  const person = await make.employee(more);
  const issued = await hr.post(`/api/employees/${person.id}/reset-password`, { delivery: 'screen' });
  const stranger = await as();
  const sent = { email: person.email, password: issued.body.one_time_password as string };
  expect((await stranger.post('/login', sent)).status).toBe(200);
  expect((await choose(stranger, sent.password)).status).toBe(200);
  return { ...person, stranger };
}

/** A session of a passkey that was added by the user who was let in, and has since been removed. */
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

test('a session that the release before begins anew knows it too', async () => {
  const person = await withoutBeginning();
  // changing the password there ends all sessions and continues in a new one
  await owner.query(`
    begin;
    update session_register set revoked_at = now(), reason = 'password changed'
    where user_id = ${person.user_id} and method = 'passkey' and revoked_at is null;
    insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at, method, authenticator_id, factors)
    select 'goes on', user_id, epoch, global_epoch, expires_at, method, authenticator_id, factors
    from session_register where user_id = ${person.user_id} and let_in_by_id is not null and method = 'passkey';
    commit`);
  // a later separate session is not the same
  await owner.query(`
    insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at, method, factors)
    select 'later', id, session_epoch, 1, now() + interval '1 hour', 'passkey', 2 from users where id = ${person.user_id}`);
  const after = await owner.query(
    `select sid_hash, let_in_by_id::int from session_register where sid_hash in ('goes on', 'later') order by sid_hash`,
  );
  expect(after.rows).toEqual([
    { sid_hash: 'goes on', let_in_by_id: hrPerson.user_id },
    { sid_hash: 'later', let_in_by_id: null },
  ]);
});

/** A token of a session, as used by a program. */
async function tokenOf(session: Client) {
  const made = await session.post('/api/profile/tokens', { name: 'Mine', permissions: ['departments.view'] });
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  const program = bearing(service, made.body.token as string);
  const status = async () => (await program.get('/api/departments')).status;
  expect(await status()).toBe(200);
  return status;
}
const acme = await make.entity();
const withTokens = {
  entity_id: acme.id,
  roles: [{ role: 'HR', entity_ids: [acme.id] }, 'Manager'],
} satisfies Parameters<typeof make.employee>[0];

test('a token that was made in a session of a passkey of who was let in', async () => {
  const person = await letIn(withTokens);
  const { passkey } = await addPasskey(person.stranger, origin);
  const session = await as();
  await signInWith(session, passkey);
  const status = await tokenOf(session);
  // the password that the person chooses later is their own, but the token is not
  await owner.query('update users set password_issued_by = null where id = $1', [person.user_id]);
  await grow(person);
  expect(await status()).toBe(401);
});

test('a token of the person stays', async () => {
  const person = await make.employee(withTokens);
  const status = await tokenOf(await as(person.user_id));
  await grow(person);
  expect(await status()).toBe(200);
});

test('a token and the recovery codes go with the passkey when an account reaches people and its maker left', async () => {
  const person = await letIn(withTokens);
  const { passkey } = await addPasskey(person.stranger, origin);
  const session = await as();
  await signInWith(session, passkey);
  const status = await tokenOf(session);
  await owner.query(
    `insert into authenticators (user_id, kind, name, confirmed_at) values ($1, 'totp', 'App', now())`,
    [person.user_id],
  );
  const codes = async () =>
    (await owner.query('select from recovery_codes where user_id = $1', [person.user_id])).rowCount;
  expect(await codes()).toBe(10);
  await owner.query('delete from role_assignments where user_id = $1', [hrPerson.user_id]);
  expect((await signInWith(await as(), passkey)).status).toBe(422);
  expect([await codes(), await status()]).toEqual([0, 401]);
});
