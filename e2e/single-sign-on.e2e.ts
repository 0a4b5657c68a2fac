import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { opClient } from '../server/src/testing/openid-provider.ts';
import { expectAccessible, expectAccessibleAsIs, expectAccessiblePage, scrollsSideways } from './accessible.ts';
import { desktop, openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { stage, stepwise } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startProvider } from './provider.ts';
import { startDemo } from './service.ts';

/** Single sign-on with a real OpenID provider: set up by an administrator, used by people, and switched off again. */

const { op, settings } = await startProvider();
const { service: demo, browser } = await stage(() => startDemo(settings));
stepwise('single-sign-on', browser);

const problems: string[] = [];
/** A page in a browser context of its own, which trusts the provider. */
const open = async () => (await openPage(browser, demo.address, { ignoreHTTPSErrors: true }, problems)).page;
const admin = await open();

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

const employee = 'employee@northwind.example';
op.people.set('admin', { email: 'somebody@elsewhere.example', email_verified: true, name: 'Admin at the provider' });
op.people.set('employee', { email: employee, email_verified: true });
op.people.set('stranger', { email: 'new@northwind.example', email_verified: true, name: 'New at Northwind' });

/** Continues from the sign-in page to the provider of an address, and signs in there as this person. */
async function come(page: Page, person: string, email: string) {
  op.person = person;
  await page.goto('/login');
  await page.getByLabel('Work email').fill(email);
  await clickAt(button(page, 'Continue'));
  await clickAt(button(page, 'Sign in with Northwind ID'));
}

test('an administrator adds a provider; what is wrong with it is said at its field', async () => {
  await signIn(admin, demo);
  await clickAt(admin.getByRole('link', { name: 'Sign-in', exact: true }));
  await heading(admin, 'Sign-in');
  await admin.getByText('Everyone signs in with a password').waitFor();
  await expectAccessible(admin, 'sso-none');
  await clickAt(admin.getByRole('link', { name: 'Add provider' }));
  await heading(admin, 'Add provider');
  await admin.getByLabel('Name').fill('Northwind ID');
  await admin.getByLabel('Issuer').fill(`${op.issuer}/nothing`);
  await admin.getByLabel('Client ID').fill(opClient.client_id);
  await admin.getByLabel('Client secret').fill(opClient.client_secret);
  await admin.getByLabel('Email domains').fill('northwind.example');
  await clickAt(button(admin, 'Add provider'));
  await admin.getByText(/issuer.* is not the address of an OpenID Connect provider/i).waitFor();
  await expectAccessiblePage(admin, 'sso-new');
  await admin.getByLabel('Issuer').fill(op.issuer);
  await clickAt(button(admin, 'Add provider'));
  await heading(admin, 'Northwind ID');
  await admin.getByText(`${demo.address}/sso/callback/1`).waitFor();
});

test('the administrator enables it after a question', async () => {
  await expectAccessiblePage(admin, 'sso-provider');
  await admin.setViewportSize({ width: 360, height: 740 });
  expect(await scrollsSideways(admin)).toBe(false);
  await admin.setViewportSize(desktop);
  await clickAt(button(admin, 'Enable…'));
  const dialog = admin.getByRole('dialog', { name: 'Enable Northwind ID?' });
  await dialog.waitFor();
  await expectAccessibleAsIs(admin, 'sso-enable');
  await clickAt(dialog.getByRole('button', { name: 'Enable' }));
  await admin.getByText('Northwind ID is enabled.').waitFor();
  await admin.getByText('Enabled', { exact: true }).waitFor();
});

test('the administrator links the own account', async () => {
  op.person = 'admin';
  await admin.goto('/profile?part=security');
  await clickAt(button(admin, 'Link Northwind ID'));
  await admin.getByText('Your account is now linked to Northwind ID.').waitFor();
  expect(new URL(admin.url()).pathname).toBe('/profile');
  const links = admin.getByRole('list', { name: 'Linked sign-ins' });
  await links.getByText('somebody@elsewhere.example').waitFor();
  await expectAccessiblePage(admin, 'sso-linked');
});

test('a person signs in through the provider by the address alone', async () => {
  const page = await open();
  await page.goto('/login?next=/profile');
  await button(page, 'Continue').waitFor();
  await expectAccessiblePage(page, 'sso-address');
  await page.getByLabel('Work email').fill(employee);
  await page.keyboard.press('Enter');
  await button(page, 'Sign in with Northwind ID').waitFor();
  await expectAccessiblePage(page, 'sso-offer');
  op.person = 'employee';
  await button(page, 'Sign in with Northwind ID').focus();
  await page.keyboard.press('Enter');
  await heading(page, 'My profile');
  expect(page.url()).toBe(`${demo.address}/profile`);
  await page.goBack();
  expect(page.url()).not.toContain('code=');
  await page.context().close();
});

test('an account that is not found is explained, and can be linked', async () => {
  const page = await open();
  await come(page, 'stranger', 'new@northwind.example');
  await heading(page, 'We couldn’t sign you in');
  await page.getByText(/no account here belongs to you/).waitFor();
  expect(page.url()).toBe(`${demo.address}/sso/callback/1`);
  await expectAccessiblePage(page, 'sso-not-found');

  await admin.goto('/settings/sign-in');
  await expectAccessible(admin, 'sso-list');
  await clickAt(admin.getByRole('link', { name: 'Northwind ID' }));
  await clickAt(button(admin, /^Link… New at Northwind/));
  const dialog = admin.getByRole('dialog', { name: 'Link New at Northwind' });
  await dialog.getByRole('combobox', { name: 'Employee' }).fill('lead@northwind.example');
  await clickAt(admin.getByRole('option', { name: /Team Lead/ }));
  await expectAccessibleAsIs(admin, 'sso-link');
  await clickAt(dialog.getByRole('button', { name: 'Link' }));
  await admin.getByText('New at Northwind was linked.').waitFor();

  await clickAt(page.getByRole('link', { name: 'Back to sign-in' }));
  await come(page, 'stranger', 'new@northwind.example');
  await heading(page, /^Hello/);
  await page.context().close();
});

test('a group gives a role in one company, after a look at who gains it', async () => {
  op.people.set('employee', { email: employee, email_verified: true, groups: ['people-team', 'everyone'] });
  await admin.goto('/settings/sign-in?provider=1');
  await admin.getByText('To begin, enter the claim with the groups above and save.').waitFor();
  await admin.getByLabel('Claim with the groups').fill('groups');
  await clickAt(button(admin, 'Save changes'));
  await admin.getByText('Changes saved.').waitFor();
  const page = await open();
  await come(page, 'employee', employee);
  await heading(page, /^Hello/);
  await page.context().close();

  await admin.reload();
  await admin.getByText(/^The groups of 1 person are known\./).waitFor();
  await clickAt(button(admin, 'Add rule'));
  await admin.getByRole('combobox', { name: 'Group' }).fill('people');
  await clickAt(admin.getByRole('option', { name: 'people-team' }));
  await admin.getByRole('group', { name: 'Rule 1' }).getByLabel('Role').selectOption({ label: 'HR' });
  await clickAt(admin.getByRole('combobox', { name: 'In these companies' }));
  await clickAt(admin.getByRole('option', { name: 'Northwind Logistics' }));
  await admin.keyboard.press('Escape');
  await expectAccessiblePage(admin, 'sso-rules');
  await admin.setViewportSize({ width: 360, height: 740 });
  expect(await scrollsSideways(admin)).toBe(false);
  await admin.setViewportSize(desktop);
  await clickAt(button(admin, 'Review changes…'));
  const dialog = admin.getByRole('dialog', { name: 'Review the rules of Northwind ID' });
  await dialog.getByText('1 person gains it').waitFor();
  const confirm = dialog.getByLabel('Type Northwind ID to confirm');
  await confirm.fill('Northwind');
  expect(await dialog.getByRole('button', { name: 'Save rules' }).isDisabled()).toBe(true);
  await expectAccessibleAsIs(admin, 'sso-rules-review');
  await confirm.fill('Northwind ID');
  await clickAt(dialog.getByRole('button', { name: 'Save rules' }));
  await admin.getByText('Rules saved. They’re being applied.').waitFor();
});

test('the role is marked where the person’s roles are, and a sign-in without groups is shown', async () => {
  const person = await admin.evaluate(async (email) => {
    const answer = await fetch(`/api/employees?search=${encodeURIComponent(email)}`);
    return ((await answer.json()) as { data: { id: number }[] }).data[0]?.id;
  }, employee);
  await admin.goto(`/employees/${person}?tab=access`);
  await admin.getByText(/· From Northwind ID$/).waitFor();
  await expectAccessiblePage(admin, 'sso-access');
  op.people.set('employee', { email: employee, email_verified: true });
  const page = await open();
  await come(page, 'employee', employee);
  await heading(page, /^Hello/);
  await page.context().close();
  await admin.goto('/settings/sign-in?provider=1');
  await admin.getByText(/^1 person last signed in without groups, and keeps the same roles\./).waitFor();
  await expectAccessiblePage(admin, 'sso-groups-missing');
});

/** Signs in with the password where the provider is offered first. */
async function comeByPassword(page: Page, email: string) {
  await page.goto('/login');
  await page.getByLabel('Work email').fill(email);
  await clickAt(button(page, 'Continue'));
  await clickAt(button(page, 'Sign in with a password'));
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await heading(page, /^Hello/);
}

/** The status with which the service answers a request of the page. */
const statusOf = (page: Page) => page.evaluate(async () => (await fetch('/api/me')).status);

test('signing out goes on to the provider, and comes back signed out at both', async () => {
  await admin.getByText(`${demo.address}/login`, { exact: true }).waitFor();
  await admin.getByText(`${demo.address}/sso/1/backchannel-logout`, { exact: true }).waitFor();
  await admin.getByLabel('Sign people out at the provider too').check();
  await clickAt(button(admin, 'Save changes'));
  await admin.getByText('Changes saved.').waitFor();
  await expectAccessible(admin, 'sso-sign-out-setting');

  const page = await open();
  await come(page, 'employee', employee);
  await heading(page, /^Hello/);
  await clickAt(page.getByRole('button', { name: /^Account/ }));
  await clickAt(page.getByRole('menuitem', { name: 'Sign out' }));
  await heading(page, 'Sign out?');
  const there = new URL(page.url());
  expect(there.origin).toBe(op.issuer);
  expect(Object.fromEntries(there.searchParams)).toEqual({
    client_id: opClient.client_id,
    post_logout_redirect_uri: `${demo.address}/login`,
    logout_hint: employee,
  });
  await clickAt(button(page, 'Yes'));
  await heading(page, 'Sign in');
  expect(page.url()).toBe(`${demo.address}/login`);
  expect(await statusOf(page)).toBe(401);

  // the provider asks for the account again, so that another person can sign in
  await come(page, 'stranger', 'new@northwind.example');
  await page.getByText('lead@northwind.example').first().waitFor();
  await page.context().close();
});

test('signing out at the provider ends the session here, and an open page shows the sign-in', async () => {
  const page = await open();
  await come(page, 'employee', employee);
  await heading(page, /^Hello/);
  await page.goto('/profile');
  await heading(page, 'My profile');
  // this session did not begin at the provider
  const other = await open();
  await comeByPassword(other, employee);
  expect([await statusOf(page), await statusOf(other)]).toEqual([200, 200]);

  const there = await page.context().newPage();
  await there.goto(`${op.issuer}/session/end`);
  await clickAt(button(there, 'Yes'));
  await heading(there, 'Signed out');
  expect([await statusOf(page), await statusOf(other)]).toEqual([401, 200]);
  await heading(page, 'Sign in');
  await page.getByText('You were signed out. Sign in to pick up where you left off.').waitFor();
  expect(page.url()).toBe(`${demo.address}/login?next=%2Fprofile&expired=true`);
  await expectAccessible(page, 'sso-ended-there');

  await page.getByLabel('Work email').fill(employee);
  await clickAt(button(page, 'Continue'));
  await clickAt(button(page, 'Sign in with Northwind ID'));
  await heading(page, 'My profile');
  await page.context().close();
  await other.context().close();
});

test('once it is off, the sign-in page is as before', async () => {
  await clickAt(button(admin, 'Disable…'));
  await clickAt(admin.getByRole('dialog').getByRole('button', { name: 'Disable' }));
  await admin.getByText('Northwind ID is disabled.').waitFor();
  const page = await open();
  await page.goto('/login');
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(await button(page, /Northwind/).count()).toBe(0);
  await page.context().close();
});

test('no page had an error, broke the content security policy or left the service for another place', () => {
  expect(problems.filter((problem) => !problem.startsWith(`left the service: ${op.issuer}/`))).toEqual([]);
});
