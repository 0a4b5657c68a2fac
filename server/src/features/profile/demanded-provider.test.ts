import { expect, test } from 'vitest';
import { addPasskey } from '../../testing/passkey.ts';
import { startSso } from '../../testing/single-sign-on.ts';

const { op, make, owner, addProvider, come } = await startSso();
const acme = await make.entity();
const id = await addProvider({ name: 'Keycloak', domains: ['acme.example'] });

test('who must sign in through a provider does not switch the password off', async () => {
  const email = 'lena@acme.example';
  op.people.set('lena', { email, email_verified: true });
  const { user_id } = await make.employee({ entity_id: acme.id, email });
  const { browser } = await come('lena', id);
  for (const name of ['Laptop', 'Phone'])
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person does
    await addPasskey(browser, 'http://localhost:8000', name);
  await owner.query('insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, true, $2)', [
    acme.id,
    [id],
  ]);
  const stored = async () =>
    (await owner.query('select password_sign_in from users where id = $1', [user_id])).rows as unknown[];
  const refused = await browser.put('/api/profile/password-sign-in', { enabled: false });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { enabled: ['People of this company sign in through Keycloak.'] },
  ]);
  expect(await stored()).toEqual([{ password_sign_in: true }]);
  await owner.query('delete from sign_in_policies');
  expect((await browser.put('/api/profile/password-sign-in', { enabled: false })).status).toBe(200);
  expect(await stored()).toEqual([{ password_sign_in: false }]);
});
