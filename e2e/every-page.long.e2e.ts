import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs, expectAccessiblePage } from './accessible.ts';
import { openPage } from './browser.ts';
import { onEveryPage, recordsOf, settled, signIn } from './demo-pages.ts';
import { stage } from './journey.ts';
import { layoutShift } from './shifts.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

const { service: demo, browser } = await stage(startDemo);

/** By default light on a desktop and dark on a phone; CONTRIBUTING.md has the command for all four looks. */
const inEveryLook = process.env['EVERY_LOOK'] === 'on';
const expectPage = inEveryLook ? expectAccessiblePage : expectAccessible;

/** Opens a page as a person of the demo, runs the checks, and expects no problems except the expected one. */
async function as(name: string, work: (page: Page) => Promise<void>, expected?: string): Promise<void> {
  const { page, problems } = await openPage(browser, demo.address);
  await signIn(page, demo, `${name}@northwind.example`);
  await work(page);
  expect(problems.filter((problem) => expected === undefined || !problem.includes(expected))).toEqual([]);
  await page.context().close();
}

/** Expects that nothing on the page moved while it loaded. */
async function expectAtRest(page: Page, name: string): Promise<void> {
  const { sum, moved } = await layoutShift(page);
  expect.soft(sum, `${name} moved: ${moved.join('\n')}`).toBeLessThanOrEqual(0.05);
}

test('every page rests while it loads, and is accessible on a desktop and on a phone', async () => {
  const ids = await recordsOf(browser, demo);
  const checkSome = (number: number) =>
    as('admin', (page) => {
      const look = async (name: string) => {
        await expectAtRest(page, name);
        await expectPage(page, `page-${name}`);
      };
      return onEveryPage(page, ids, look, { number, of: 2 });
    });
  await Promise.all([checkSome(0), checkSome(1)]);
}, 900_000);

test.runIf(inEveryLook)(
  'every page rests while it loads on a phone',
  async () => {
    const ids = await recordsOf(browser, demo);
    await as('admin', async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await onEveryPage(page, ids, (name) => expectAtRest(page, name));
    });
  },
  400_000,
);

test('what opens over a page is accessible too', async () => {
  await as('hr', async (page) => {
    await page.goto('/employees');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search people/ }).fill('an');
    await page.getByRole('group', { name: 'People' }).waitFor();
    await expectAccessibleAsIs(page, 'palette');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessibleAsIs(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await clickAt(page.getByRole('button', { name: /^Account:/ }));
    await page.getByRole('menu').waitFor();
    await expectAccessibleAsIs(page, 'account-menu');
  });
});

test('an employee sees fewer pages, and each is accessible', async () => {
  // a page that this person may not see says so, because the service refused it
  await as(
    'employee',
    async (page) => {
      for (const address of ['/', '/employees', '/directory', '/org-chart', '/no-such-page', '/imports']) {
        await page.goto(address);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await expectPage(page, `employee-${address.slice(1) || 'home'}`);
      }
    },
    '403 (Forbidden)',
  );
});
