import { afterAll, beforeEach, expect, test } from 'vitest';
import { afterRestore } from '../../db/after-restore.ts';
import { connect } from '../../db/connect.ts';
import { enrol, clearLastStep } from '../../testing/factors.ts';
import { startApp } from '../../testing/app.ts';
import { mailServer } from '../../testing/mail-server.ts';

/** An event that ends an account's access also invalidates its password links. */

const { deliver, received, port } = await mailServer();
const { as, make, deps, owner, database } = await startApp({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  PASSWORD_RESET_BY_MAIL: 'on',
});
const { db: asOwner } = connect({ url: database.ownerUrl, max: 1 });
afterAll(() => asOwner.destroy());
const acme = await make.entity();
const password = 'Str0ng!Passw0rd';
const admin = await as((await make.admin()).user_id);
const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
const invalid = {
  message: 'This link is not valid any more.',
  errors: { token: ['This link is not valid any more.'] },
};

beforeEach(() => owner.query('delete from login_attempts'));

/** The tokens in mails to an address, the newest last. */
async function tokensOf(address: string): Promise<string[]> {
  await deliver(deps);
  return received
    .filter(({ to }) => to.includes(address))
    .flatMap(({ source }) =>
      [...source.matchAll(/\/(?:reset|welcome)#([\w-]+)/g)].map(([, token]) => token as string).slice(0, 1),
    );
}
const check = async (token: string) => (await as()).post('/api/account-links/check', { token });
const lastOf = async (address: string) => (await tokensOf(address)).at(-1) as string;

/** A person with a password link that HR sent, and a link to a new sign-in address. */
async function linked(fields: Parameters<typeof make.employee>[0] = {}) {
  const person = await make.employee({ entity_id: acme.id, password, ...fields });
  await owner.query('update users set last_login_at = now() where id = $1', [person.user_id]);
  expect((await admin.post(`/api/employees/${person.id}/reset-password`)).status).toBe(200);
  const reset = await lastOf(person.email);
  const email = `other.${person.email}`;
  const { body } = await admin.put(`/api/employees/${person.id}`, { email });
  expect(body.data.user.address_change).not.toBeNull();
  const move = await lastOf(email);
  for (const token of [reset, move]) expect((await check(token)).status).toBe(200);
  return { person, reset, move };
}
const ended = async (token: string) => expect((await check(token)).body).toEqual(invalid);
/** A mailbox that HR chose does not give access by itself. */
async function resetEnded({ reset, move }: { reset: string; move: string }) {
  await ended(reset);
  expect((await check(move)).status).toBe(200);
}

test('a second factor that is taken away', async () => {
  const links = await linked();
  await enrol(await as(links.person.user_id));
  await clearLastStep(owner);
  const reason = 'Lost the phone; called back at the desk.';
  expect((await hr.delete(`/api/employees/${links.person.id}/second-factor`, { reason })).status).toBe(204);
  await resetEnded(links);
});

test.each(['disabled', 'deleted'])('a provider that is %s, for the people who are linked to it', async (what) => {
  const [links, others] = [await linked(), await linked()];
  const { rows } = await owner.query(
    `insert into identity_providers (name, issuer, client_id, metadata, is_enabled)
     values ($1, 'https://op.test', 'tenure', '{}', true) returning id::int`,
    [`Provider ${what}`],
  );
  await owner.query(
    "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'sub', 'hr')",
    [links.person.user_id, rows[0].id],
  );
  const path = `/api/identity-providers/${rows[0].id}`;
  const { status } = what === 'deleted' ? await admin.delete(path) : await admin.post(`${path}/disable`, {});
  expect(status).toBe(what === 'deleted' ? 204 : 200);
  await resetEnded(links);
  expect((await check(others.reset)).status).toBe(200);
});

test('all sessions that HR ends', async () => {
  const links = await linked();
  expect((await hr.delete(`/api/employees/${links.person.id}/sessions`)).status).toBe(204);
  await resetEnded(links);
});

test('the loss of Admin', async () => {
  const links = await linked({ roles: ['Admin'] });
  const { rows } = await owner.query("select id::int as role_id from roles where name = 'Employee'");
  const assignments = rows as unknown[];
  expect((await admin.put(`/api/employees/${links.person.id}/roles`, { assignments })).status).toBe(200);
  await resetEnded(links);
});

test('a restore, which would bring back links that were used', async () => {
  const links = await linked();
  expect(await afterRestore(asOwner)).toHaveProperty('sessions');
  await ended(links.reset);
  await ended(links.move);
});
