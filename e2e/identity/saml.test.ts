import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { readRequest } from '../../server/src/testing/saml-provider.ts';
import { freePort } from '../../server/src/testing/free-port.ts';
import { expectAccessiblePage } from '../accessible.ts';
import { openPage } from '../browser.ts';
import { signIn } from '../demo-pages.ts';
import { stage, stepwise } from '../journey.ts';
import { clickAt } from '../pointer.ts';
import { startDemo } from '../service.ts';
import { ask, button, enterAtKeycloak } from './acts.ts';
import { addressOf, addSamlClient, changeGroup, makeRealm, switchOff } from './realm.ts';

/**
 * An administrator connects a Keycloak by its SAML metadata and the addresses that the page shows. A person signs in,
 * gets the role of the group, confirms an action at Keycloak, loses the role with the group, and is disabled.
 */

const settings = {
  PORT: String(await freePort()),
  EGRESS_ALLOW: '127.0.0.1/32',
  NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
  STEP_UP_MINUTES: '10',
};
const { service: demo, browser } = await stage(() => startDemo(settings));
stepwise('keycloak-saml', browser);

const realm = 'northwind-saml';
const hanna = { username: 'hanna', email: 'employee@northwind.example', password: 'of-hanna', groups: ['people-team'] };
const tester = { username: 'tester', email: 'tester@northwind.example', password: 'of-tester', groups: ['others'] };
await makeRealm(realm, [hanna, tester]);

const open = async () => (await openPage(browser, demo.address, { ignoreHTTPSErrors: true }, [])).page;
const admin = await open();

test('an administrator adds Keycloak by the address of its metadata', async () => {
  await signIn(admin, demo);
  await admin.goto('/settings/sign-in?provider=new');
  await admin.getByLabel('Protocol').selectOption('saml');
  await expectAccessiblePage(admin, 'keycloak-saml-form');
  await admin.getByLabel(/^Name/).fill('Keycloak');
  await admin.getByLabel('Metadata URL').fill(`${addressOf(realm)}/protocol/saml/descriptor`);
  await admin.getByLabel('Email domains').fill('northwind.example');
  await admin.getByLabel('First sign-in').selectOption('tenant_address');
  await admin.getByLabel('Attribute with the email').fill('email');
  await admin.getByLabel('Attribute with the groups').fill('groups');
  await clickAt(button(admin, 'Add provider'));
  await admin.getByRole('heading', { level: 1, name: 'Keycloak' }).waitFor();
  expect((await ask(admin, 'GET', 'identity-providers/1')).body.data).toMatchObject({
    issuer: addressOf(realm),
    sso_url: `${addressOf(realm)}/protocol/saml`,
    certificates: [{ subject: `CN=${realm}` }],
  });
  await expectAccessiblePage(admin, 'keycloak-saml-provider');
});

test('the addresses that the page shows are entered at Keycloak', async () => {
  const shown = async (end: RegExp) => (await admin.locator('code').filter({ hasText: end }).textContent()) ?? '';
  const [acs, entityId] = [await shown(/\/acs$/), await shown(/\/metadata$/)];
  expect([acs, entityId]).toEqual([`${demo.address}/sso/1/acs`, `${demo.address}/sso/1/metadata`]);
  await addSamlClient(realm, { acs, entityId });
});

test('the test shows what Keycloak says of a person', async () => {
  await clickAt(button(admin, 'Test…'));
  await enterAtKeycloak(admin, tester);
  await admin.getByText('Keycloak works. No one was signed in.').waitFor();
  await admin.getByText('What the provider said').waitFor();
  const { claims, address, confirms } = (await ask(admin, 'GET', 'identity-providers/1/test-result')).body.data;
  expect([address, confirms]).toEqual([tester.email, true]);
  expect(claims).toEqual(
    expect.arrayContaining([
      { name: 'NameID Format', value: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
      { name: 'email', value: tester.email },
      { name: 'groups', value: 'others' },
    ]),
  );
  await expectAccessiblePage(admin, 'keycloak-saml-tested');
});

type Named = { id: number; name: string };
const idOf = (all: readonly Named[], name: string) => all.find((one) => one.name === name)?.id;

test('it is enabled, and a group is mapped to HR of one company', async () => {
  await clickAt(button(admin, 'Enable…'));
  await clickAt(admin.getByRole('dialog').getByRole('button', { name: 'Enable' }));
  await admin.getByText('Keycloak is enabled.').waitFor();
  const { data } = (await ask(admin, 'GET', 'identity-providers/1/role-rules')).body;
  const entities = (await ask(admin, 'GET', 'entities')).body.data as unknown as Named[];
  const rule = {
    value: 'people-team',
    role_id: idOf(data['roles'] as Named[], 'HR'),
    entity_ids: [idOf(entities, 'Northwind Logistics')],
  };
  const change = { rules: [rule], revision: data['revision'] };
  const saved = await ask(admin, 'PUT', 'identity-providers/1/role-rules', change);
  expect([saved.status, saved.body.errors]).toEqual([200, undefined]);
});

const person = await open();
const answers: Request[] = [];
const requests: string[] = [];
person.on('request', (request) => {
  if (request.url().endsWith('/sso/1/acs')) answers.push(request);
  if (request.url().includes('SAMLRequest=')) requests.push(request.url());
});

/** Goes to Keycloak from the sign-in page. */
async function toKeycloak(page: Page) {
  await page.goto('/login');
  await page.getByLabel('Work email').fill(hanna.email);
  await clickAt(button(page, 'Continue'));
  await clickAt(button(page, 'Sign in with Keycloak'));
}
const isIn = (page: Page) => page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor();
type Assignment = { role: string; entity_ids: number[] | null };
const assigned = async (page: Page) => {
  const { user } = (await ask(page, 'GET', 'me')).body.data as { user: { role_assignments: Assignment[] } };
  return user.role_assignments.filter(({ role }) => role === 'HR').map(({ entity_ids }) => entity_ids?.length);
};

test('a person signs in through Keycloak and has the role of the group', async () => {
  await toKeycloak(person);
  await enterAtKeycloak(person, hanna);
  await isIn(person);
  expect(await assigned(person)).toEqual([1]);
  expect((await ask(person, 'GET', 'employees')).status).toBe(200);
});

test('the same answer again is refused', async () => {
  const [answer] = answers;
  if (!answer) throw new Error('no answer was seen');
  const again = await fetch(answer.url(), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(addressOf(realm)).origin },
    body: answer.postData(),
    redirect: 'manual',
  });
  expect([again.status, again.headers.get('location')]).toEqual([
    303,
    `${demo.address}/sso/callback/1?error=in_response_to`,
  ]);
});

test('a dangerous action is confirmed at Keycloak, which asks for the password again', async () => {
  await person.goto('/profile?part=security');
  await clickAt(button(person, 'Set up authenticator app'));
  const dialog = person.getByRole('dialog', { name: 'Confirm that it’s you' });
  const go = dialog.getByRole('button', { name: 'Continue to provider' });
  await go.waitFor();
  await expectAccessiblePage(person, 'keycloak-saml-confirm');
  await clickAt(go);
  // without ForceAuthn, the Keycloak session would answer without asking
  await person.locator('#password').fill(hanna.password);
  await person.keyboard.press('Enter');
  await person.waitForURL(`${demo.address}/profile?part=security`);
  expect(requests.map((url) => readRequest(url).xml.includes('ForceAuthn="true"'))).toEqual([false, true]);
  await clickAt(button(person, 'Set up authenticator app'));
  await person.getByLabel('Code', { exact: true }).waitFor();
});

/** Signs in with a new session in a browser that has a Keycloak session, so Keycloak asks for nothing. */
async function signInAgain(): Promise<Page> {
  const { cookies } = await person.context().storageState();
  const next = await open();
  await next.context().addCookies(cookies.filter(({ name }) => name.startsWith('KEYCLOAK')));
  await toKeycloak(next);
  await isIn(next);
  return next;
}

test('the role goes with the next sign-in once Keycloak sends other groups; of a person in no group it sends none', async () => {
  await changeGroup(realm, hanna.username, 'DELETE', 'people-team');
  expect(await assigned(await signInAgain())).toEqual([1]);
  await changeGroup(realm, hanna.username, 'PUT', 'others');
  expect(await assigned(await signInAgain())).toEqual([]);
});

test('a person switched off at Keycloak cannot sign in again', async () => {
  await switchOff(realm, hanna.username);
  const next = await open();
  await toKeycloak(next);
  await enterAtKeycloak(next, hanna);
  await next.getByText(/disabled/i).waitFor();
  // Keycloak sends no SAML message here that would end the session
  expect((await ask(person, 'GET', 'me')).status).toBe(200);
});
