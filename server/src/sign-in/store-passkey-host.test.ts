import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { addPasskey, signInWith } from '../testing/passkey.ts';
import { storePasskeyHost } from './store-passkey-host.ts';

const { as, make, owner, deps } = await startApp();
const origin = 'http://localhost:8000';
const password = 'Str0ng!Passw0rd';
const moveTo = (APP_URL: string) => storePasskeyHost(deps.db, { ...deps.config, APP_URL, FRONTEND_URL: [] });

async function withPasskeys(person: { user_id: number; email: string }) {
  const client = await as(person.user_id);
  const { id, passkey } = await addPasskey(client, origin, 'First');
  await addPasskey(client, origin, 'Second');
  return { ...person, client, id, passkey };
}
const login = async ({ email }: { email: string }) => {
  const browser = await as();
  const { status, body } = await browser.post('/login', { email, password });
  return { browser, status, twoFactor: body.two_factor };
};
const security = async (client: Client) => (await client.get('/api/profile/security')).body.data;

test('passkeys of a host that the installation left are no factor and no way in, and are some again where it returns', async () => {
  const entity = await make.entity();
  const mia = await withPasskeys(await make.employee({ password, entity_id: entity.id }));
  const admin = await withPasskeys(await make.admin());
  await moveTo(origin);
  expect(await login(mia)).toMatchObject({ status: 200, twoFactor: true });

  await moveTo('https://hr.acme.example');
  const { browser, ...answer } = await login(mia);
  expect(answer).toEqual({ status: 200, twoFactor: undefined });
  const { passkeys } = await security(browser);
  expect(passkeys).toMatchObject([
    { name: 'First', works: false },
    { name: 'Second', works: false },
  ]);
  // without a usable password, there would be no way to sign in
  const off = await browser.put('/api/profile/password-sign-in', { enabled: false });
  expect([off.status, off.body.errors]).toEqual([422, { enabled: [expect.stringContaining('second passkey')] }]);
  // an account that could not prove a second factor does not help in an emergency
  const glass = await (await as(admin.user_id)).put('/api/break-glass-accounts', { user_ids: [admin.user_id] });
  expect(glass.status).toBe(422);
  // if a second factor is required, another one must be added; the unusable ones do not replace it
  await owner.query('insert into sign_in_policies (entity_id, second_factor_from) values ($1, current_date)', [
    entity.id,
  ]);
  const second = await login(mia);
  expect((await second.browser.get('/api/employees')).status).toBe(403);
  expect((await second.browser.post('/api/profile/totp')).status).toBe(201);
  await owner.query('delete from sign_in_policies where entity_id = $1', [entity.id]);
  const third = await login(mia);
  expect((await third.browser.delete(`/api/profile/passkeys/${mia.id}`)).status).toBe(204);

  await moveTo(origin);
  expect(await login(mia)).toMatchObject({ twoFactor: true });
  expect((await signInWith(await as(), mia.passkey)).status).toBe(422);
  expect((await signInWith(await as(), admin.passkey)).status).toBe(200);
});

test('where browsers allow no passkeys, none is a factor; a start that changes nothing leaves rights alone', async () => {
  const version = async () =>
    (await owner.query('select structure_version, passkey_host from installation')).rows[0] as object;
  const mia = await withPasskeys(await make.employee({ password }));
  await moveTo('http://10.0.0.5:8000');
  expect(await version()).toMatchObject({ passkey_host: '' });
  expect(await login(mia)).toMatchObject({ status: 200, twoFactor: undefined });
  const before = await version();
  await moveTo('http://10.0.0.5:8000');
  expect(await version()).toEqual(before);
  await moveTo(origin);
});
