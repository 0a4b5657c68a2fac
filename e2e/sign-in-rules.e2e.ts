import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { codeOf } from '../server/src/testing/factors.ts';
import { opClient } from '../server/src/testing/openid-provider.ts';
import { expectAccessible, expectAccessibleAsIs, expectAccessiblePage } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { stage, stepwise } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startProvider } from './provider.ts';
import { startDemo } from './service.ts';

/**
 * An administrator decides how people sign in: with an emergency account as a fallback, a provider that a company
 * requires, and a second factor that a role requires from a given day on.
 */

const { op, settings } = await startProvider();
const { service: demo, browser } = await stage(() => startDemo(settings));
stepwise('sign-in-rules', browser);

const problems: string[] = [];
/** A page in a browser context of its own, which trusts the provider. */
const open = async () => (await openPage(browser, demo.address, { ignoreHTTPSErrors: true }, problems)).page;
const admin = await open();
const own = await open();
const hr = await open();

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const tab = (name: string) => admin.getByRole('tab', { name });
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const employee = 'employee@northwind.example';
op.people.set('admin', { email: 'admin@northwind.example', email_verified: true, name: 'Admin at the provider' });
op.people.set('employee', { email: employee, email_verified: true });
op.people.set('stranger', { email: 'new@northwind.example', email_verified: true, name: 'New at Northwind' });

/** Sets up an authenticator app on the page that offers it. */
async function setUpApp(page: Page): Promise<void> {
  const key = await page
    .locator('code')
    .filter({ hasText: /^[A-Z2-7 ]{32,}$/ })
    .textContent();
  await page.getByLabel('Code', { exact: true }).fill(codeOf((key ?? '').replaceAll(' ', '')));
  await clickAt(button(page, 'Confirm'));
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  await clickAt(button(page, 'I’ve saved my codes'));
}

test('an administrator adds a provider and tries it', async () => {
  // now, by password: later the sign-in page asks for the address first
  await signIn(own, demo, employee);
  await signIn(hr, demo, 'hr@northwind.example');
  await signIn(admin, demo);
  await admin.goto('/settings/sign-in?provider=new');
  await admin.getByLabel('Name').fill('Northwind ID');
  await admin.getByLabel('Issuer').fill(op.issuer);
  await admin.getByLabel('Client ID').fill(opClient.client_id);
  await admin.getByLabel('Client secret').fill(opClient.client_secret);
  await admin.getByLabel('Email domains').fill('northwind.example');
  await clickAt(button(admin, 'Add provider'));
  await heading(admin, 'Northwind ID');
  await clickAt(button(admin, 'Enable…'));
  await clickAt(admin.getByRole('dialog').getByRole('button', { name: 'Enable' }));
  await admin.getByText('Northwind ID is enabled.').waitFor();
  op.person = 'employee';
  await clickAt(button(admin, 'Test…'));
  await admin.getByText('Northwind ID works. No one was signed in.').waitFor();
  await heading(admin, 'Northwind ID');
  await admin.getByText('(found by email)').waitFor();
  await expectAccessible(admin, 'rules-test');
});

test('a rule cannot require it without an emergency account', async () => {
  await admin.goto('/settings/sign-in');
  await clickAt(tab('Rules'));
  await admin.getByRole('region', { name: 'Companies' }).waitFor();
  await expectAccessible(admin, 'rules');
  await clickAt(admin.getByRole('link', { name: 'Northwind Retail' }));
  await heading(admin, 'Sign-in of Northwind Retail');
  await admin.getByLabel('Rule', { exact: true }).selectOption('Custom rule');
  await admin.getByLabel('Sign-in', { exact: true }).selectOption('Only through a provider');
  await admin.getByRole('combobox', { name: 'Providers' }).click();
  await clickAt(admin.getByRole('option', { name: 'Northwind ID' }));
  await admin.keyboard.press('Escape');
  await expectAccessible(admin, 'rule');
  await clickAt(button(admin, 'Review…'));
  const dialog = admin.getByRole('dialog', { name: 'Save this rule?' });
  await dialog.getByText('There is no emergency account with a password and a second factor.').waitFor();
  await dialog.getByText('Found by email').first().waitFor();
  expect(await dialog.getByRole('button', { name: 'Save rule' }).isEnabled()).toBe(false);
  await expectAccessible(admin, 'rule-blocked');
  await clickAt(dialog.getByRole('button', { name: 'Cancel' }));
});

test('the administrator sets up a second factor and becomes an emergency account', async () => {
  await admin.goto('/settings/sign-in?part=emergency');
  await admin.getByText('Needs a second factor first').first().waitFor();
  await admin.goto('/profile?part=security');
  await clickAt(button(admin, 'Set up authenticator app'));
  await setUpApp(admin);
  await admin.goto('/settings/sign-in?part=emergency');
  await clickAt(button(admin, /^Choose…/));
  await clickAt(admin.getByRole('dialog').getByRole('button', { name: 'Make emergency account' }));
  await admin.getByText('Emergency accounts saved.').waitFor();
  await expectAccessible(admin, 'emergency');
});

test('the company requires the provider, after a look at what it does', async () => {
  await admin.goto('/settings/sign-in?part=rules');
  await clickAt(admin.getByRole('link', { name: 'Northwind Retail' }));
  await admin.getByLabel('Rule', { exact: true }).selectOption('Custom rule');
  await admin.getByLabel('Sign-in', { exact: true }).selectOption('Only through a provider');
  await admin.getByRole('combobox', { name: 'Providers' }).click();
  await clickAt(admin.getByRole('option', { name: 'Northwind ID' }));
  await admin.keyboard.press('Escape');
  await clickAt(button(admin, 'Review…'));
  const dialog = admin.getByRole('dialog', { name: 'Save this rule?' });
  await dialog.getByText(/open session ends? right away/).waitFor();
  await expectAccessible(admin, 'rule-review');
  await dialog.getByLabel('Type “Northwind Retail” to confirm').fill('Northwind Retail');
  await clickAt(dialog.getByRole('button', { name: 'Save rule' }));
  await admin.getByText('The rule was saved.').waitFor();
  await admin.getByText('Northwind ID only').waitFor();
});

test('a person of the company is sent to the provider', async () => {
  await own.goto('/profile');
  await heading(own, 'Sign in');
  await own.getByLabel('Work email').fill(employee);
  await clickAt(button(own, 'Continue'));
  op.person = 'employee';
  await clickAt(button(own, 'Sign in with Northwind ID'));
  await heading(own, 'My profile');
  expect(new URL(own.url()).pathname).toBe('/profile');
});

test('HR finds who tried and was not found among the tasks', async () => {
  const page = await open();
  await page.goto('/login');
  await page.getByLabel('Work email').fill('new@northwind.example');
  await clickAt(button(page, 'Continue'));
  op.person = 'stranger';
  await clickAt(button(page, 'Sign in with Northwind ID'));
  await heading(page, 'We couldn’t sign you in');
  await page.context().close();
  await hr.goto('/tasks?kind=people_waiting');
  await clickAt(hr.getByRole('link', { name: /Link people waiting to sign in/ }).first());
  await heading(hr, 'People waiting to sign in');
  await hr.getByText('new@northwind.example').waitFor();
  await expectAccessible(hr, 'people-waiting');
  expect(new URL(hr.url()).pathname).toBe('/people-waiting');
  op.person = 'employee';
});

test('a role requires a second factor from a day on, and its people see a hint until then', async () => {
  await admin.goto('/settings/sign-in?part=rules');
  await clickAt(button(admin, /^Change….*Employee$/));
  const dialog = admin.getByRole('dialog', { name: 'Second factor for Employee' });
  await dialog.getByLabel('Second factor', { exact: true }).selectOption('Required from a date');
  await dialog.getByLabel('First day').first().fill(dayAfter(14));
  await expectAccessibleAsIs(admin, 'role-demand');
  await clickAt(dialog.getByRole('button', { name: 'Save' }));
  await admin.getByText('Second factor for Employee saved.').waitFor();
  await own.goto('/');
  await own.getByText(/^Your role or company requires two-step sign-in from .*\.$/).waitFor();
  await expectAccessible(own, 'second-factor-due');
  await clickAt(own.getByRole('link', { name: 'Set it up' }));
  await button(own, 'Set up authenticator app').waitFor();
});

test('from the day on, a session without one can only set it up', async () => {
  await admin.goto('/settings/sign-in?part=rules');
  await clickAt(button(admin, /^Change….*Employee$/));
  const dialog = admin.getByRole('dialog', { name: 'Second factor for Employee' });
  await dialog.getByLabel('First day').first().fill(dayAfter(0));
  await clickAt(dialog.getByRole('button', { name: 'Save' }));
  await admin.getByText('Second factor for Employee saved.').waitFor();
  const page = await open();
  await page.goto('/login?next=/profile');
  await page.getByLabel('Work email').fill(employee);
  await clickAt(button(page, 'Continue'));
  await clickAt(button(page, 'Sign in with Northwind ID'));
  await heading(page, 'Set up two-step sign-in');
  await expectAccessiblePage(page, 'enrol-only');
  await clickAt(button(page, 'Set up authenticator app'));
  await setUpApp(page);
  await heading(page, 'My profile');
  await page.context().close();
});

test('no page had an error, broke the content security policy or left the service for another place', () => {
  expect(problems.filter((problem) => !problem.startsWith(`left the service: ${op.issuer}/`))).toEqual([]);
});
