import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { mailServer } from '../server/src/testing/mail-server.ts';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** New passwords: by a link that only the person gets, and by slips for many people, with a real mail server. */

const { received, port } = await mailServer();
const start = () => startDemo({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const { service: demo, browser, page: hr, problems } = await journey('password-links', start);
const { page: own, problems: ownProblems } = await openPage(browser, demo.address);
const employee = 'employee@northwind.example';
const ownPassword = 'Quiet-Harbour-42';
let link = '';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

test('HR sends a link, and sees no password', async () => {
  await signIn(hr, demo, 'hr@northwind.example');
  await hr.goto(`/employees?search=${encodeURIComponent(employee)}`);
  await hr.getByRole('link', { name: /\w/ }).and(hr.locator('tbody a')).first().click();
  await hr.getByRole('tab', { name: 'Access' }).click();
  await clickAt(button(hr, 'Reset password…'));
  const question = hr.getByRole('dialog', { name: /^Reset .*’s password$/ });
  await question.getByRole('radio', { name: /^By email/, checked: true }).waitFor();
  await expectAccessibleAsIs(hr, 'password-link-dialog');
  await clickAt(question.getByRole('button', { name: 'Send link' }));
  await hr.getByText(/^A link was sent to/).waitFor();
  expect(await hr.locator('code').count()).toBe(0);
  const mail = () => received.find(({ to, source }) => to.includes(employee) && source.includes('/reset#'));
  await expect.poll(() => mail()?.subject, { timeout: 30_000 }).toBe('Choose a new password');
  link = /\/reset#[\w-]+/.exec(mail()?.source ?? '')?.[0] ?? '';
});

test('the person opens it, chooses a password by the usual rules and signs in with it', async () => {
  await own.goto(link);
  await heading(own, 'Choose a new password');
  expect(new URL(own.url()).hash).toBe('');
  await expectAccessible(own, 'reset');
  await own.getByLabel('New password', { exact: true }).fill('Passw0rd!');
  await own.getByLabel('Confirm new password').fill('Passw0rd!');
  await clickAt(button(own, 'Save password'));
  await own.getByText(/has appeared in a data leak/).waitFor();
  await own.getByLabel('New password', { exact: true }).fill(ownPassword);
  await own.getByLabel('Confirm new password').fill(ownPassword);
  await clickAt(button(own, 'Save password'));
  await heading(own, 'Your new password is saved');
  await expectAccessible(own, 'reset-done');
  await clickAt(own.getByRole('link', { name: 'Go to sign-in' }));
  await own.getByLabel('Work email').fill(employee);
  await own.getByLabel('Password', { exact: true }).fill(ownPassword);
  await own.keyboard.press('Enter');
  await heading(own, /^Hello/);
});

test('the link works once', async () => {
  const { page, problems: others } = await openPage(browser, demo.address);
  await page.goto(link);
  await heading(page, 'This link is no longer valid');
  await expectAccessible(page, 'reset-dead');
  expect(others).toEqual([]);
  await page.context().close();
});

test('HR issues passwords for people chosen in the directory, as slips to print', async () => {
  await hr.goto('/employees');
  const boxes = hr.getByRole('checkbox', { name: /^Select \w+ \w+/ });
  for (const n of [1, 2, 3]) await clickAt(boxes.nth(n));
  await clickAt(button(hr, 'Reset passwords…'));
  const dialog = hr.getByRole('dialog', { name: 'Reset passwords' });
  await dialog.getByText(/^You can reset \d passwords?\.$/).waitFor();
  await expectAccessibleAsIs(hr, 'passwords-choice');
  await clickAt(dialog.getByRole('radio', { name: 'On paper' }));
  await clickAt(dialog.getByRole('button', { name: /^Create \d slips?$/ }));
  await dialog.getByText(/^\d slips? created\.$/).waitFor();
  await expectAccessibleAsIs(hr, 'passwords-issued');
  const [file] = await Promise.all([
    hr.waitForEvent('download'),
    clickAt(dialog.getByRole('button', { name: 'Download as CSV' })),
  ]);
  expect(file.suggestedFilename()).toBe('one-time-passwords.csv');
  await hr.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const slips = hr.locator('article');
  await slips.first().getByText('Valid until').waitFor();
  const issued = await slips.count();
  expect(issued).toBeGreaterThan(0);
  const colours = await slips.first().evaluate((slip) => {
    const texts = [...slip.querySelectorAll('h2, h2 span, dd, p')];
    return [...new Set(texts.map((element) => getComputedStyle(element).color))];
  });
  expect(colours).toEqual(['rgb(0, 0, 0)']);
  // only the slips are printed
  const printed = await hr.locator('body').innerText();
  expect(printed.split('Valid until')).toHaveLength(issued + 1);
  expect(printed).not.toContain('Download as CSV');
  expect(await dialog.isVisible()).toBe(false);
  expect(await hr.getByRole('navigation').count()).toBe(0);
  await hr.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await clickAt(dialog.getByRole('button', { name: 'Done' }));
  await dialog.waitFor({ state: 'detached' });
});

test('HR invites a person from the directory, who chooses a password and signs in', async () => {
  await hr.goto('/employees?sign_in=not_invited&activity_status=active');
  await clickAt(hr.getByRole('checkbox', { name: /^Select \w+ \w+/ }).nth(1));
  await clickAt(button(hr, 'Invite…'));
  const dialog = hr.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByText('1 person can be invited.').waitFor();
  await expectAccessibleAsIs(hr, 'invite-choice');
  await clickAt(button(hr, 'Send 1 invitation'));
  await dialog.getByText('1 invitation sent.').waitFor();
  await clickAt(dialog.getByRole('button', { name: 'Done' }));
  const mail = () => received.find(({ source }) => source.includes('/welcome#'));
  await expect.poll(() => mail()?.subject, { timeout: 30_000 }).toBe('Welcome to Tenure: choose your password');

  const { page, problems: others } = await openPage(browser, demo.address);
  await page.goto(/\/welcome#[\w-]+/.exec(mail()?.source ?? '')?.[0] ?? '');
  await heading(page, 'Welcome to Tenure');
  await expectAccessible(page, 'welcome');
  await page.getByLabel('New password', { exact: true }).fill(ownPassword);
  await page.getByLabel('Confirm new password').fill(ownPassword);
  await clickAt(button(page, 'Save password'));
  await heading(page, 'You’re all set');
  await clickAt(page.getByRole('link', { name: 'Go to sign-in' }));
  await page.getByLabel('Work email').fill(mail()?.to[0] ?? '');
  await page.getByLabel('Password', { exact: true }).fill(ownPassword);
  await page.keyboard.press('Enter');
  await heading(page, /^Hello/);
  expect(others).toEqual([]);
  await page.context().close();
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect([problems, ownProblems]).toEqual([[], []]);
});
