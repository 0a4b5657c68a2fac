import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { mailServer } from '../server/src/testing/mail-server.ts';
import { expectAccessible } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** A person requests a new password by email, and confirms a new sign-in address from its mailbox. */

const { received, port } = await mailServer();
const start = () => startDemo({ SMTP_URL: `smtp://127.0.0.1:${port}`, PASSWORD_RESET_BY_MAIL: 'on' });
const { service: demo, browser, page: hr, problems } = await journey('address-links', start);
const { page: own, problems: ownProblems } = await openPage(browser, demo.address);
const employee = 'employee@northwind.example';
const next = 'new.address@northwind.example';
const ownPassword = 'Quiet-Harbour-42';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** The link in the latest mail with this subject; waits until it arrives. */
async function linkIn(address: string, subject: string): Promise<string> {
  const mail = () => received.findLast((one) => one.to.includes(address) && one.subject === subject);
  await expect.poll(() => mail()?.subject, { timeout: 30_000 }).toBe(subject);
  return /\/(?:reset|welcome)#[\w-]+/.exec(mail()?.source ?? '')?.[0] ?? '';
}

async function signInWith(page: Page, email: string) {
  await page.getByLabel('Work email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(ownPassword);
  await page.keyboard.press('Enter');
}

test('a person asks for a link on the page to sign in, and chooses a password with it', async () => {
  await own.goto('/login');
  await clickAt(own.getByRole('link', { name: 'Forgot your password?' }));
  await heading(own, 'Forgot your password?');
  await expectAccessible(own, 'forgot-password');
  await own.getByLabel('Work email').fill(employee);
  await clickAt(button(own, 'Send link'));
  await heading(own, 'Check your inbox');
  await own.getByText('If an account belongs to this address, a mail is on its way.').waitFor();
  await expectAccessible(own, 'forgot-password-sent');
  await own.goto(await linkIn(employee, 'Choose a new password'));
  await heading(own, 'Choose a new password');
  await own.getByLabel('New password', { exact: true }).fill(ownPassword);
  await own.getByLabel('Confirm new password').fill(ownPassword);
  await clickAt(button(own, 'Save password'));
  await heading(own, 'Your new password is saved');
  await clickAt(own.getByRole('link', { name: 'Go to sign-in' }));
  await signInWith(own, employee);
  await heading(own, /^Hello/);
});

test('HR changes the address, and sees that it waits for its confirmation', async () => {
  await signIn(hr, demo, 'hr@northwind.example');
  await hr.goto(`/employees?search=${encodeURIComponent(employee)}`);
  await hr.getByRole('link', { name: /\w/ }).and(hr.locator('tbody a')).first().click();
  await clickAt(hr.getByRole('button', { name: /^Edit\s*Contact$/ }));
  await hr.getByLabel('Work email').fill(next);
  await hr.getByRole('checkbox', { name: 'Takes effect now, without confirmation' }).waitFor();
  await expectAccessible(hr, 'address-change-form');
  await clickAt(button(hr, 'Save'));
  await hr.getByText(new RegExp(`${next} must be confirmed first`)).waitFor();
  await clickAt(hr.getByRole('tab', { name: 'Access' }));
  await hr.getByText(new RegExp(`^${next}, to be confirmed by`)).waitFor();
  // the toast covers the end of the page
  await hr.getByText(new RegExp(`${next} must be confirmed first`)).waitFor({ state: 'hidden' });
  await expectAccessible(hr, 'address-change-pending');
});

test('the old address may stop it; the new one confirms it and signs in', async () => {
  await own.goto(await linkIn(employee, 'Your sign-in address is about to change'));
  await heading(own, 'Stop the change of your sign-in address?');
  await expectAccessible(own, 'address-stop');
  await own.goto(await linkIn(next, 'Confirm your new sign-in address'));
  await heading(own, 'Confirm your new sign-in address');
  await expectAccessible(own, 'address-confirm');
  await clickAt(button(own, 'Confirm address'));
  await heading(own, 'Address confirmed');
  await expectAccessible(own, 'address-confirmed');
  await clickAt(own.getByRole('link', { name: 'Go to sign-in' }));
  await signInWith(own, next);
  await heading(own, /^Hello/);
});

test('an administrator sees the keys that seal secrets', async () => {
  const { page, problems: others } = await openPage(browser, demo.address);
  await signIn(page, demo, 'admin@northwind.example');
  await page.goto('/settings/sealing-keys');
  await page.getByRole('region', { name: 'Sealing keys' }).waitFor();
  await expectAccessible(page, 'sealing-keys');
  expect(others).toEqual([]);
  await page.context().close();
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect([problems, ownProblems]).toEqual([[], []]);
});
