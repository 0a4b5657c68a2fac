import { expect, test } from 'vitest';
import { codeOf } from '../../server/src/testing/factors.ts';
import { freePort } from '../../server/src/testing/free-port.ts';
import { expectAccessiblePage } from '../accessible.ts';
import { openPage } from '../browser.ts';
import { signIn } from '../demo-pages.ts';
import { stage, stepwise } from '../journey.ts';
import { clickAt } from '../pointer.ts';
import { startDemo } from '../service.ts';
import { ask, button, enterAtKeycloak } from './acts.ts';
import { addressOf, client, makeRealm, openIdClient, switchOff } from './realm.ts';

/**
 * An administrator connects a Keycloak, maps a group to a role in one company and requires the provider. A person signs
 * in, works, and is disabled at the provider.
 */

const port = await freePort();
const settings = {
  PORT: String(port),
  EGRESS_ALLOW: '127.0.0.1/32',
  NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
};
const { service: demo, browser } = await stage(() => startDemo(settings));
stepwise('keycloak', browser);

const hanna = { username: 'hanna', email: 'employee@northwind.example', password: 'of-hanna', groups: ['people-team'] };
const tester = { username: 'tester', email: 'tester@elsewhere.example', password: 'of-tester', groups: [] };
const realm = 'northwind';
await makeRealm(realm, [hanna, tester], openIdClient(demo.address));

const open = async () => (await openPage(browser, demo.address, { ignoreHTTPSErrors: true }, [])).page;
const admin = await open();
test('an administrator connects Keycloak and enables it', async () => {
  await signIn(admin, demo);
  await admin.goto('/settings/sign-in?provider=new');
  await admin.getByLabel('Name').fill('Keycloak');
  await admin.getByLabel('Issuer').fill(addressOf(realm));
  await admin.getByLabel('Client ID').fill(client.id);
  await admin.getByLabel('Client secret').fill(client.secret);
  await admin.getByLabel('Email domains').fill('northwind.example');
  await admin.getByLabel('Claim with the groups').fill('groups');
  await clickAt(button(admin, 'Add provider'));
  await admin.getByRole('heading', { level: 1, name: 'Keycloak' }).waitFor();
  await clickAt(button(admin, 'Enable…'));
  await clickAt(admin.getByRole('dialog').getByRole('button', { name: 'Enable' }));
  await admin.getByText('Keycloak is enabled.').waitFor();
  expect((await ask(admin, 'GET', 'identity-providers/1')).body.data).toMatchObject({ issuer: addressOf(realm) });
});

test('a group is mapped to HR of one company', async () => {
  await clickAt(button(admin, 'Add rule'));
  await admin.getByRole('combobox', { name: 'Group' }).fill('people-team');
  await admin.getByRole('group', { name: 'Rule 1' }).getByLabel('Role').selectOption({ label: 'HR' });
  await clickAt(admin.getByRole('combobox', { name: 'In these companies' }));
  await clickAt(admin.getByRole('option', { name: 'Northwind Logistics' }));
  await admin.keyboard.press('Escape');
  await expectAccessiblePage(admin, 'keycloak-rules');
  await clickAt(button(admin, 'Review changes…'));
  const dialog = admin.getByRole('dialog', { name: 'Review the rules of Keycloak' });
  await dialog.getByText('No one’s roles change now.').waitFor();
  await clickAt(dialog.getByRole('button', { name: 'Save rules' }));
  await admin.getByText('Rules saved. They’re being applied.').waitFor();
});

test('the provider is tried, an emergency account is chosen, and the provider is demanded', async () => {
  const { data } = (await ask(admin, 'POST', 'profile/totp')).body;
  const code = codeOf(String(data['secret']));
  expect((await ask(admin, 'POST', 'profile/totp/confirm', { code })).status).toBe(200);
  const { user } = (await ask(admin, 'GET', 'me')).body.data as { user: { id: number } };
  expect((await ask(admin, 'PUT', 'break-glass-accounts', { user_ids: [user.id] })).status).toBe(200);
  const begun = await ask(admin, 'POST', 'identity-providers/1/test', {});
  await admin.goto(String(begun.body.data['url']));
  await enterAtKeycloak(admin, tester);
  await admin.waitForURL(`${demo.address}/**`);
  await expect
    .poll(async () => (await ask(admin, 'GET', 'identity-providers/1/test-result')).body.data['tested_at'])
    .toBeTruthy();
  const rule = { sso_required: true, sso_provider_ids: [1] };
  const demanded = await ask(admin, 'PUT', 'sign-in-policies/default', rule);
  expect([demanded.status, demanded.body.errors]).toEqual([200, undefined]);
});

const person = await open();

test('the password opens nothing any more', async () => {
  await person.goto('/login');
  const answer = await ask(person, 'POST', '../login', { email: hanna.email, password: demo.password });
  expect(answer.status).toBe(422);
});

test('the person signs in through Keycloak by the address and has the role of the group', async () => {
  await person.goto('/login');
  await person.getByLabel('Work email').fill(hanna.email);
  await clickAt(button(person, 'Continue'));
  await clickAt(button(person, 'Sign in with Keycloak'));
  await enterAtKeycloak(person, hanna);
  await person.waitForURL(`${demo.address}/`);
  await person.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor();
  const me = (await ask(person, 'GET', 'me')).body.data as {
    roles: string[];
    user: { role_assignments: { role: string; entity_ids: number[] | null }[] };
  };
  expect(me.roles).toContain('HR');
  const hr = me.user.role_assignments.find(({ role }) => role === 'HR');
  expect(hr?.entity_ids).toHaveLength(1);
  expect((await ask(person, 'GET', 'employees')).status).toBe(200);
});

test('the administrator sees where the role comes from', async () => {
  const found = (await ask(admin, 'GET', `employees?search=${hanna.email}`)).body.data as unknown as { id: number }[];
  await admin.goto(`/employees/${found[0]?.id}?tab=access`);
  await admin.getByText(/· From Keycloak$/).waitFor();
  await expectAccessiblePage(admin, 'keycloak-access');
});

test('switched off at the provider, the next request is refused', async () => {
  await switchOff(realm, hanna.username);
  expect((await ask(person, 'GET', 'me')).status).toBe(401);
  await person.goto('/login');
  await person.getByLabel('Work email').fill(hanna.email);
  await clickAt(button(person, 'Continue'));
  await clickAt(button(person, 'Sign in with Keycloak'));
  await enterAtKeycloak(person, hanna);
  await person.getByText(/disabled/i).waitFor();
});
