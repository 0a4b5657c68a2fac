import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { codeOf } from '../server/src/testing/factors.ts';
import { expectAccessible, expectAccessiblePage } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** A second factor: an authenticator app is set up, required at the next sign-in, lost, and removed. */

const { service: demo, browser, page: own, problems } = await journey('second-factor', startDemo);
const employee = 'employee@northwind.example';
let secret = '';
let codes: string[] = [];
let used = 0;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const stepNow = () => Math.floor(Date.now() / 30_000);

/** An unused code; the service also accepts the code of the next time step. */
async function freshCode(page: Page): Promise<string> {
  while (stepNow() + 1 <= used) await page.waitForTimeout(500);
  used = Math.max(stepNow(), used + 1);
  return codeOf(secret, used - stepNow());
}

/** Types the password; the second step follows. */
async function typePassword(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Work email').fill(employee);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await heading(page, 'Two-step sign-in');
}

test('the person sets up an app by its QR code or its key', async () => {
  await signIn(own, demo, employee);
  await own.goto('/profile?part=security');
  await own.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
  await expectAccessiblePage(own, 'security-without-factor');
  await clickAt(button(own, 'Set up authenticator app'));
  await own.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  secret = ((await own.getByRole('dialog').locator('code').textContent()) ?? '').replaceAll(' ', '');
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await expectAccessiblePage(own, 'security-set-up');
  await own.getByLabel('Code', { exact: true }).fill('000000');
  await own.keyboard.press('Enter');
  await own.getByText('The code is not right.').waitFor();
  await own.getByLabel('Code', { exact: true }).fill(await freshCode(own));
  await clickAt(button(own, 'Confirm'));
});

test('the recovery codes are shown once, to copy or download', async () => {
  const list = own.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  codes = await list.locator('code').allTextContents();
  expect(codes).toHaveLength(10);
  await expectAccessiblePage(own, 'security-recovery-codes');
  const download = own.waitForEvent('download');
  await clickAt(button(own, 'Download'));
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
  await clickAt(button(own, 'I’ve saved my codes'));
  await own.getByText('10 codes left').waitFor();
  expect(await own.getByText(codes[0] as string).count()).toBe(0);
  await expectAccessiblePage(own, 'security-with-factor');
});

test('the next sign-in asks for a code', async () => {
  const { page, problems: others } = await openPage(browser, demo.address);
  await typePassword(page);
  await expectAccessiblePage(page, 'second-step');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('The code is not right.').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(await freshCode(page));
  await clickAt(button(page, 'Sign in'));
  await heading(page, /^Hello/);
  expect(others).toEqual([]);
  await page.context().close();
});

test('with a lost phone a recovery code signs in, once', async () => {
  const { page } = await openPage(browser, demo.address);
  await typePassword(page);
  await clickAt(button(page, 'Use a recovery code instead'));
  await expectAccessible(page, 'second-step-recovery');
  await page.getByLabel('Recovery code').fill((codes[0] ?? '').toLowerCase());
  await page.keyboard.press('Enter');
  await heading(page, /^Hello/);
  await page.goto('/profile?part=security');
  await page.getByText('9 codes left').waitFor();
  await page.context().close();
  const { page: again } = await openPage(browser, demo.address);
  await typePassword(again);
  await clickAt(button(again, 'Use a recovery code instead'));
  await again.getByLabel('Recovery code').fill(codes[0] ?? '');
  await again.keyboard.press('Enter');
  await again.getByText('The code is not right.').waitFor();
  await clickAt(button(again, 'Back to sign-in'));
  await heading(again, 'Sign in');
  await again.context().close();
});

test('the person removes the app, and signs in with the password alone', async () => {
  await own.goto('/profile?part=security');
  await clickAt(button(own, 'Remove'));
  const question = own.getByRole('dialog', { name: 'Remove authenticator app?' });
  await clickAt(question.getByRole('button', { name: 'Remove' }));
  await button(own, 'Set up authenticator app').waitFor();
  const { page } = await openPage(browser, demo.address);
  await signIn(page, demo, employee);
  await heading(page, /^Hello/);
  await page.context().close();
  expect(problems).toEqual([]);
});
