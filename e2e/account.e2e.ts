import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { openPage } from './browser.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** Accounts: what people do with their own, and what HR does with those of others. */

const ownPassword = 'Quiet-Harbour-42';
const employee = 'employee@northwind.example';

const { service: demo, browser, page: hr, problems } = await journey('account', startDemo);
const { page: own, problems: ownProblems } = await openPage(browser, demo.address);
let person: { id: number; name: string };
let oneTime: string;

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Work email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname !== '/login');
}

beforeAll(async () => {
  await signIn(hr, 'hr@northwind.example', demo.password);
  person = await hr.evaluate(async (email) => {
    const answer = await fetch(`/api/employees?search=${encodeURIComponent(email)}`);
    const { data } = (await answer.json()) as { data: { id: number; display_name: string }[] };
    return { id: data[0]?.id ?? 0, name: data[0]?.display_name ?? '' };
  }, employee);
});

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

test('HR issues a one-time password, which is shown once', async () => {
  await hr.goto(`/employees/${person.id}?tab=access`);
  await hr.getByRole('heading', { name: 'Permissions' }).waitFor();
  await expectAccessible(hr, 'access');
  await clickAt(hr.getByRole('button', { name: 'Reset password…' }));
  const question = hr.getByRole('dialog', { name: /^Reset .*’s password$/ });
  await question
    .getByText(/signed out|sessions/i)
    .first()
    .waitFor();
  await question.getByRole('button').last().click();
  oneTime = (await hr.locator('code').textContent()) ?? '';
  expect(oneTime).not.toBe('');
  await expectAccessibleAsIs(hr, 'one-time-password');
  await hr.getByRole('button', { name: 'Done' }).click();
  await said(hr, 'One-time password created');
  expect(await hr.getByText(oneTime).count()).toBe(0);
});

test('the person signs in with it and has to choose an own password', async () => {
  await signIn(own, employee, oneTime);
  await heading(own, /^Welcome, /);
  // the one-time password was just typed and is not asked for a second time
  expect(await own.getByLabel('One-time password').count()).toBe(0);
  await own.getByLabel('New password', { exact: true }).fill(ownPassword);
  await own.getByLabel('Confirm new password').fill(ownPassword);
  await own.getByRole('button', { name: 'Save password' }).click();
  await heading(own, /^Hello/);
  await expectAccessible(own, 'home-employee');
});

test('people change what is theirs about themselves, and nothing else', async () => {
  await own.getByRole('button', { name: new RegExp(employee) }).click();
  await clickAt(own.getByRole('menuitem', { name: 'My profile' }));
  await heading(own, 'My profile');
  await expectAccessible(own, 'own-profile');
  await clickAt(own.getByRole('button', { name: /^Edit Contact/ }));
  expect(await own.getByLabel('Work email').count()).toBe(0);
  await own.getByLabel('Mobile').fill('+44 7700 900123');
  await own.getByRole('button', { name: 'Save' }).click();
  await said(own, 'Saved.');
  await said(own, '+44 7700 900123');
  await own.getByRole('button', { name: 'Undo' }).click();
  await own.getByText('+44 7700 900123').waitFor({ state: 'detached' });
});

test('a new device looks as the account likes it, and can be signed out from another', async () => {
  await own.goto('/profile?part=settings');
  await own.getByRole('button', { name: 'Dark', exact: true }).click();
  await own.getByRole('button', { name: 'Compact' }).click();
  await own.getByLabel('Start page').selectOption({ label: 'Org chart' });
  await own.getByRole('button', { name: 'Dark', pressed: true }).waitFor();
  await expectAccessible(own, 'own-settings');
  const { page: other } = await openPage(browser, demo.address);
  await signIn(other, employee, ownPassword);
  await heading(other, 'Org chart');
  await other.waitForFunction(() => document.documentElement.dataset['mantineColorScheme'] === 'dark');
  expect(await other.locator('html').getAttribute('data-density')).toBe('compact');
  await own.goto('/profile?part=security');
  await own.getByText('This device').waitFor();
  await own
    .getByRole('button', { name: /^Sign out Chrome/ })
    .first()
    .click();
  await said(own, /was signed out\.$/);
  await other.goto('/profile');
  await heading(other, 'Sign in');
  await other.context().close();
});

test('files are refused before they are sent, or uploaded, looked at, and deleted with a way back', async () => {
  await hr.goto(`/employees/${person.id}?tab=documents`);
  await hr.getByText('Employment contract', { exact: true }).first().waitFor();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await hr.locator('input[type=file]').setInputFiles([
    { name: 'badge.png', mimeType: 'image/png', buffer: png },
    { name: 'letter.csv', mimeType: 'text/csv', buffer: Buffer.from('name,day\nA,1\n') },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
  ]);
  await said(hr, /^This file type isn’t supported/);
  await expectAccessible(hr, 'documents-chosen');
  await hr.getByRole('button', { name: 'Upload 2 files' }).click();
  await said(hr, '2 files were added.');
  await hr.getByRole('button', { name: 'Remove tool.exe' }).click();
  await hr.getByRole('button', { name: 'Preview badge' }).click();
  await hr.waitForFunction(() => document.querySelector<HTMLImageElement>('img[src^="blob:"]')?.naturalWidth === 1);
  await hr.keyboard.press('Escape');
  await hr.getByRole('button', { name: 'Delete badge' }).click();
  await hr.getByRole('button', { name: 'Preview badge' }).waitFor({ state: 'detached' });
  await hr.getByRole('button', { name: 'Undo' }).click();
  await hr.getByRole('button', { name: 'Preview badge' }).waitFor();
  await expectAccessible(hr, 'documents');
  // a deletion stays after leaving the page
  await hr.getByRole('button', { name: 'Delete badge' }).click();
  await hr.getByText('badge was deleted.').waitFor();
  await hr.reload();
  await hr.getByRole('button', { name: 'Edit letter' }).waitFor();
  await expect.poll(() => hr.getByRole('button', { name: 'Preview badge' }).count()).toBe(0);
});

test('why an account may see a person is explained', async () => {
  await hr.goto(`/employees/${person.id}?tab=access`);
  await hr.getByRole('combobox', { name: 'Colleague' }).fill('lead@northwind.example');
  await expect.poll(() => hr.getByRole('option').count()).toBe(1);
  await hr.getByRole('option').click();
  await said(hr, new RegExp(`can see ${person.name}\\.$`));
  await said(hr, 'None of their roles includes this permission.');
  await expectAccessible(hr, 'access-explained');
});

test('the history says what happened with names and can be narrowed', async () => {
  // opening the record leaves no entry; showing private details does
  await hr.getByRole('tab', { name: 'Overview' }).click();
  await clickAt(hr.getByRole('button', { name: 'Show private details' }));
  await hr.getByRole('button', { name: 'Hide private details' }).waitFor();
  await hr.getByRole('tab', { name: 'History' }).click();
  await hr.getByRole('button', { name: 'Viewed' }).click();
  await said(hr, 'Private details viewed');
  expect(await hr.getByText('Private details viewed', { exact: true }).count()).toBe(1);
  await expect.poll(() => hr.getByText('Changed', { exact: true }).count()).toBe(0);
  await hr.getByRole('button', { name: 'All', exact: true }).click();
  await said(hr, 'Changed');
  await expectAccessible(hr, 'history');
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect([problems, ownProblems]).toEqual([[], []]);
});
