import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs, scrollsSideways } from './accessible.ts';
import { openPage } from './browser.ts';
import { settled, signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** Notifications arrive immediately and are read, filtered and configured; tasks are done in their list. */

const { service: demo, browser, page: hr, problems } = await journey('notifications', startDemo);
const { page: lead, problems: ofLead } = await openPage(browser, demo.address);
const { page: phone, problems: onPhone } = await openPage(browser, demo.address, {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
});

const person = 'Viktor Murphy';
const returned = new RegExp(`^(Unread: )?${person}’s .+ evaluation was sent back to you$`);
/** A word in the title of a result, so that the search finds some notifications but not all. */
const word = 'accepted';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications(, \d+ unread)?$/ });
const numberOf = (text: string | null) => Number(/\d+/.exec(text ?? '')?.[0] ?? 0);
const unread = async (page: Page) => numberOf(await bell(page).getAttribute('aria-label'));
const list = (page: Page) => page.getByRole('main').getByRole('list', { name: 'Notifications' });
const entries = (page: Page) => list(page).getByRole('link');
const titles = async (page: Page) =>
  (await entries(page).allTextContents()).map((text) => text.replace('Unread: ', ''));
const opened = async (page: Page, address: string) => {
  await page.goto(address);
  await settled(page);
};

/** Calls the API as the user who is signed in on this page. */
const ask = <T>(page: Page, path: string, body?: object): Promise<T> =>
  page.evaluate(
    async ([address, sent]) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch(`/api/${address}`, {
        headers: { Accept: 'application/json', 'Content-Type': 'application/json', 'X-XSRF-TOKEN': token },
        ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
      });
      const { data, message } = (await answer.json()) as { data: T; message: string };
      if (!answer.ok) throw new Error(message);
      return data;
    },
    [path, body] as const,
  );

test('what HR does elsewhere reaches an open page without a reload', async () => {
  await signIn(lead, demo, 'lead@northwind.example');
  await settled(lead);
  await expect.poll(() => unread(lead)).toBeGreaterThan(0);
  const before = await unread(lead);
  await lead.evaluate(() => document.body.setAttribute('data-never-reloaded', ''));
  await signIn(hr, demo, 'hr@northwind.example');
  const [evaluation] = await ask<{ id: number }[]>(hr, `kpi-evaluations?status=hr_review&search=${person}`);
  await ask(hr, `kpi-evaluations/${evaluation?.id}/return`, { reason: 'Please look at the second goal again.' });
  await expect.poll(() => unread(lead)).toBeGreaterThan(before);
  expect(await lead.locator('body[data-never-reloaded]').count()).toBe(1);
});

test('the bell shows it, and opening it leads to the record and reads it', async () => {
  const before = await unread(lead);
  await clickAt(bell(lead));
  const latest = lead.getByRole('dialog').getByRole('link', { name: returned });
  await latest.waitFor();
  await expectAccessibleAsIs(lead, 'notifications-bell');
  await latest.click();
  await lead.waitForURL(/\/kpi\/evaluations\/\d+/);
  await lead.getByRole('heading', { level: 1, name: new RegExp(person) }).waitFor();
  await expect.poll(() => unread(lead)).toBe(before - 1);
  expect(await lead.getByRole('dialog').count()).toBe(0);
});

test('the centre is narrowed by its filters, which the address keeps', async () => {
  await opened(hr, '/notifications');
  await expectAccessible(hr, 'notifications');
  const all = await entries(hr).count();
  await hr.getByRole('searchbox', { name: 'Search notifications' }).fill(word);
  await hr.waitForURL(`**/notifications?search=${word}`);
  await expect.poll(async () => (await titles(hr)).every((title) => title.includes(word))).toBe(true);
  expect(await entries(hr).count()).toBeLessThan(all);
  await hr.reload();
  await settled(hr);
  expect((await titles(hr)).every((title) => title.includes(word))).toBe(true);
});

test('what the filters show is marked as read, and nothing else', async () => {
  const [before, shown] = [await unread(hr), await entries(hr).count()];
  await clickAt(button(hr, 'Mark these as read'));
  await expect.poll(() => unread(hr)).toBe(before - shown);
  await button(hr, 'Unread').click();
  await said(hr, 'No matching notifications');
  await button(hr, 'Clear filters').click();
  await expect.poll(() => entries(hr).count()).toBeGreaterThan(0);
});

test('one is removed, brought back, and removed for good', async () => {
  await opened(hr, '/notifications?severity=warning');
  const [title = ''] = await titles(hr);
  const remove = button(hr, `Remove: ${title}`);
  await remove.click();
  await said(hr, 'Notification removed.');
  expect(await titles(hr)).not.toContain(title);
  await button(hr, 'Undo').click();
  await remove.click();
  await hr.reload();
  await settled(hr);
  expect(await titles(hr)).not.toContain(title);
});

test('HR switches an e-mail off for all people, and what is locked says so', async () => {
  await opened(hr, '/settings/notifications');
  const mail = hr.getByRole('switch', { name: 'KPI evaluation completed: Email' });
  expect(await mail.isChecked()).toBe(true);
  await mail.press('Space');
  await said(hr, 'Saved: KPI evaluation completed');
  const locked = hr.getByRole('row', { name: /^KPI result disputed/ });
  expect(await locked.getByRole('switch', { name: /In Tenure$/ }).isDisabled()).toBe(true);
  await locked.getByText('Always on').waitFor();
  await hr.reload();
  await settled(hr);
  expect(await mail.isChecked()).toBe(false);
});

test('a test to oneself says what became of it, and arrives', async () => {
  const before = await unread(hr);
  await button(hr, 'Send a test').click();
  const asked = hr.getByRole('dialog', { name: 'Send a test notification' });
  await asked.getByRole('combobox', { name: 'Event' }).fill('KPI result accepted');
  await hr.getByRole('option', { name: 'KPI result accepted', exact: true }).click();
  await asked.getByRole('button', { name: 'Send test' }).click();
  await said(hr, 'In Tenure: sent. Email: off.');
  await expect.poll(() => unread(hr)).toBe(before + 1);
  await bell(hr).click();
  const first = hr.getByRole('dialog').getByRole('listitem').first();
  await first.getByText(/test/i).first().waitFor();
  await hr.keyboard.press('Escape');
});

test('every user switches notifications off on the profile', async () => {
  await opened(lead, '/profile?part=notifications');
  const choice = lead.getByRole('switch', { name: 'KPI evaluation cancelled: In Tenure' });
  await choice.press('Space');
  await expect.poll(() => choice.isChecked()).toBe(false);
  await settled(lead);
  await expectAccessible(lead, 'own-notifications');
  await lead.reload();
  await settled(lead);
  expect(await choice.isChecked()).toBe(false);
  expect(await lead.getByRole('switch', { name: 'Your KPI evaluation has started: In Tenure' }).isDisabled()).toBe(
    true,
  );
});

test('tasks are walked by J and K, and one that needs only a decision is done in the list with E', async () => {
  await opened(hr, '/tasks?kind=kpi_close');
  const tasks = hr.getByRole('main').locator('[data-task]');
  const before = await tasks.count();
  const [first = '', second = ''] = await tasks.allTextContents();
  const focused = () => hr.locator('[data-task]:focus').textContent();
  for (const key of ['j', 'j', 'k']) await hr.keyboard.press(key);
  expect(await focused()).toBe(first);
  await expectAccessible(hr, 'tasks');
  await hr.keyboard.press('e');
  await said(hr, `Done: ${first}`);
  expect([await tasks.count(), await focused()]).toEqual([before - 1, second]);
  await button(hr, 'Undo').click();
  await expect.poll(() => tasks.count()).toBe(before);
  await button(hr, `Mark as done: ${first}`).click();
  const closed = hr.waitForResponse((response) => response.url().endsWith('/close'));
  await hr.getByRole('button', { name: 'Close', exact: true }).click();
  expect((await closed).ok()).toBe(true);
  await hr.reload();
  await settled(hr);
  expect([await tasks.count(), (await tasks.allTextContents()).includes(first)]).toEqual([before - 1, false]);
});

test('a task opens by keyboard where it is done', async () => {
  await hr.keyboard.press('j');
  await hr.keyboard.press('Enter');
  await hr.waitForURL(/\/kpi\/evaluations\/\d+/);
  await settled(hr);
  expect(await button(hr, 'Complete').count()).toBe(1);
});

test('on a phone a tab leads to the notifications, and one is read', async () => {
  await signIn(phone, demo, 'employee@northwind.example');
  await phone
    .getByRole('navigation', { name: 'Shortcuts' })
    .getByRole('link', { name: /Notifications/ })
    .tap();
  await phone.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
  await entries(phone).first().waitFor();
  await expectAccessible(phone, 'notifications-phone');
  await phone.setViewportSize({ width: 320, height: 640 });
  expect(await scrollsSideways(phone)).toBe(false);
  const waiting = await button(phone, /^Mark as read: /).count();
  await button(phone, /^Mark as read: /)
    .first()
    .tap();
  await expect.poll(() => button(phone, /^Mark as read: /).count()).toBe(waiting - 1);
  await entries(phone).first().tap();
  await phone.waitForURL(/\/kpi\/evaluations\/\d+/);
  expect([...problems, ...ofLead, ...onPhone]).toEqual([]);
});
