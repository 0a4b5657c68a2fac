import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleAsIs, scrollsSideways } from './accessible.ts';
import { openPage } from './browser.ts';
import { settled, signIn } from './demo-pages.ts';
import { stage } from './journey.ts';
import { tapAt } from './pointer.ts';
import { startDemo } from './service.ts';

const { service: demo, browser } = await stage(startDemo);

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Does an element have the focus? A page that lost it starts from its top again. */
const hasFocus = (page: Page) => page.evaluate('document.activeElement !== document.body');

const isFocused = (target: Locator) =>
  target.evaluate((element) => document.activeElement === element, undefined, { timeout: 1_000 }).catch(() => false);

/** Presses Tab until the focus is on the element, as a user without a mouse would. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error('The keyboard does not reach it');
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

describe('by keyboard alone', () => {
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    ({ page, problems } = await openPage(browser, demo.address));
  });

  test('signing in, and the first thing Tab reaches is the way past the menu', async () => {
    await page.goto('/login');
    await heading(page, 'Sign in');
    await tabTo(page, page.getByLabel('Work email'));
    await page.keyboard.type('hr@northwind.example');
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(demo.password);
    await page.keyboard.press('Enter');
    await heading(page, /^Hello/);
    await expect.poll(() => isFocused(page.getByRole('heading', { level: 1 }))).toBe(true);
    await page.reload();
    await heading(page, /^Hello/);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect.poll(() => isFocused(skip)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(page.locator('#main'))).toBe(true);
  });

  test('finding a person with the palette and changing a field of theirs', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search people/ }).waitFor();
    await page.keyboard.type('tariq');
    await page.getByRole('group', { name: 'People' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await heading(page, /Tariq/);
    await expect.poll(() => hasFocus(page)).toBe(true);
    await press(page, page.getByRole('button', { name: 'Edit Contact' }));
    const phone = page.getByLabel('Phone', { exact: true });
    await tabTo(page, phone);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('+44 20 7946 0999');
    await page.keyboard.press('Enter');
    // the summary beside the tabs shows it too
    await page.getByRole('tabpanel', { name: 'Overview' }).getByText('+44 20 7946 0999').waitFor();
    await expect
      .poll(() => isFocused(page.getByRole('button', { name: 'Edit Contact' })), { timeout: 8_000 })
      .toBe(true);
  });

  test('narrowing, sorting and choosing in the directory', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await heading(page, 'Employees');
    await press(page, page.getByRole('columnheader', { name: /Number/ }).getByRole('button'));
    await page.waitForURL(/sort_by=employee_number/);
    await expect.poll(() => hasFocus(page)).toBe(true);
    await tabTo(page, page.getByRole('searchbox'), 'Shift+Tab');
    const found = page.waitForResponse(/employees\?.*search=an/);
    await page.keyboard.type('an');
    await found;
    await settled(page);
    const box = page.getByRole('row').nth(1).getByRole('checkbox');
    await press(page, box, 'Space');
    expect(await box.isChecked()).toBe(true);
  });

  test('asking for the keys, and going back to where the focus was', async () => {
    const box = page.getByRole('row').nth(1).getByRole('checkbox');
    await tabTo(page, box, 'Shift+Tab');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(box)).toBe(true);
  });

  test('signing out', async () => {
    await press(page, page.getByRole('button', { name: /^Account:/ }));
    const menu = page.getByRole('menu');
    await expect.poll(() => menu.evaluate((shown) => shown.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await heading(page, 'Sign in');
    expect(problems).toEqual([]);
  });
});

test('a window that zooms to 400 % has the buttons of the pages in one line', async () => {
  const { page } = await openPage(browser, demo.address, { viewport: { width: 320, height: 640 } });
  await signIn(page, demo, 'hr@northwind.example');
  await page.goto('/employees');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('button', { name: 'Next page' }).waitFor();
  expect((await pages.boundingBox())?.height).toBeLessThan(60);
  await page.context().close();
});

test('on a phone: signing in, finding a person, reading the profile, tasks', async () => {
  const { page, problems } = await openPage(browser, demo.address, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await signIn(page, demo, 'lead@northwind.example');
  await heading(page, /^Hello/);
  await tapAt(page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name: 'Employees' }));
  await heading(page, 'Employees');
  await settled(page);
  const first = page.getByRole('main').getByRole('listitem').getByRole('link').first();
  const name = (await first.innerText()).split('\n')[0] ?? '';
  const found = page.waitForResponse(/employees\?.*search=/);
  await page.getByRole('searchbox').fill(name);
  await found;
  await settled(page);
  await first.tap();
  await heading(page, name);
  expect(await scrollsSideways(page)).toBe(false);
  await tapAt(page.getByRole('tab', { name: 'Job' }));
  await page.getByRole('tabpanel').getByText('Sales').first().waitFor();
  await page.getByRole('button', { name: 'Search or jump to…' }).tap();
  await page.getByRole('combobox', { name: /^Search people/ }).fill(name.slice(0, 4));
  await page.getByRole('group', { name: 'People' }).getByRole('option').first().waitFor();
  await expectAccessibleAsIs(page, 'palette-390');
  await page.getByRole('group', { name: 'People' }).getByRole('option').first().tap();
  await page.getByRole('tab', { name: 'Overview' }).waitFor();
  await page
    .getByRole('navigation', { name: 'Shortcuts' })
    .getByRole('link', { name: /^My tasks/ })
    .tap();
  await heading(page, 'My tasks');
  await settled(page);
  await expectAccessibleAsIs(page, 'tasks-390');
  expect(await scrollsSideways(page)).toBe(false);
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().tap();
  await page.waitForURL(/\/(kpi\/evaluations|probation)\/\d+$/);
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.getByRole('link', { name: 'Home' }).first().tap();
  await heading(page, /^Hello/);
  expect(problems).toEqual([]);
  await page.context().close();
});
