import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs, expectAccessiblePage } from './accessible.ts';
import { desktop } from './browser.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startTenure } from './service.ts';

/** The first day of a new installation, one step after the other in one browser. */

const data = join(import.meta.dirname, '../server/src/testing/data');
const ownPassword = 'Quiet-Harbour-42';

const { service: tenure, page, problems } = await journey('first-day', startTenure);

const expectHeading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name });
const path = () => page.url().slice(tenure.address.length);

test('a slow network shows that the application is on its way', async () => {
  const arrived = Promise.withResolvers<undefined>();
  await page.route('**/assets/*.js', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  await page.locator('.starting').waitFor();
  arrived.resolve(undefined);
  await expectHeading('Sign in');
  expect(await page.locator('.starting').count()).toBe(0);
  await page.unroute('**/assets/*.js');
});

test('a box that is not ticked has the line of a field in both colour schemes', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const lines = () =>
      page.getByRole('checkbox').evaluate((box) => {
        box.style.color = 'var(--input-line)';
        const { borderTopColor, color } = getComputedStyle(box);
        return [borderTopColor, color];
      });
    await expect.poll(async () => new Set(await lines()).size, { message: colorScheme }).toBe(1);
  }
});

test('a guest who opens a page is asked to sign in, and reads what is wrong', async () => {
  await page.goto('/employees?search=king');
  await expectHeading('Sign in');
  expect(path()).toBe('/login?next=%2Femployees%3Fsearch%3Dking');
  await clickAt(page.getByRole('button', { name: 'Sign in', exact: true }));
  await page.getByText('The email field is required.').waitFor();
  await page.locator('input[type=email]:focus').waitFor();
  await expectAccessiblePage(page, 'sign-in');
});

test('a button that waits for the service shows this in its middle', async () => {
  const arrived = Promise.withResolvers<undefined>();
  await page.route('**/api/login', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.getByLabel('Work email').fill(tenure.email);
  await page.getByLabel('Password', { exact: true }).fill('Wrong-Harbour-42');
  await page.keyboard.press('Enter');
  const loader = page.locator('.mantine-Button-loader');
  await loader.waitFor();
  const middles = await loader.evaluate((element) =>
    [element, element.parentElement].map((one) => {
      const { x, y, width, height } = one?.getBoundingClientRect() ?? new DOMRect();
      return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    }),
  );
  arrived.resolve(undefined);
  expect(middles[0]).toEqual(middles[1]);
  await page.getByText('These credentials do not match our records.').waitFor();
  await page.unroute('**/api/login');
});

test('the administrator signs in with the one-time password and chooses an own one', async () => {
  await page.getByLabel('Work email').fill(tenure.email);
  await page.getByLabel('Password', { exact: true }).fill(tenure.oneTimePassword);
  await page.keyboard.press('Enter');
  await expectHeading(/^Welcome, /);
  await page.getByLabel('New password', { exact: true }).fill('Quiet4');
  await expectAccessible(page, 'new-password');
  await page.getByLabel('New password', { exact: true }).fill(ownPassword);
  await page.getByLabel('Confirm new password').fill(ownPassword);
  await button('Save password').click();
  await expectHeading('Employees');
  expect(path()).toBe('/employees?search=king');
  await page.getByText('No matching employees').waitFor();
  await expectAccessible(page, 'employees-no-result');
});

test('the first company is created', async () => {
  await clickAt(page.getByRole('link', { name: 'Home' }));
  await expectHeading(/^Hello/);
  await expectAccessible(page, 'home');
  await page.getByRole('link', { name: 'Add your first company' }).click();
  await expectHeading('Add your first company');
  await page.getByLabel('Name').fill('Sample Company');
  await clickAt(button('Add company'));
  await expectHeading('Import people');
});

async function upload(file: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(join(data, file));
  await page.getByRole('switch', { name: 'Create missing departments' }).check();
  await button('Check file').click();
  await expectHeading('Check results');
}

test('a thousand people are imported from a file with headers of its own', async () => {
  await page.getByText('Sample Company').waitFor({ state: 'attached' });
  await expectAccessible(page, 'import-upload');
  await upload('employees-1000.csv');
  await page.getByText('georgi.facello.10001@example.com').waitFor();
  await expectAccessible(page, 'import-check');
  await button('Change columns').click();
  await expectHeading('Match the columns');
  await expectAccessible(page, 'import-columns');
  await page.goBack();
  await button('Import 1,000 people').click();
  await button('Import now').click();
  await expectHeading('Import complete');
  await page.getByRole('row').nth(1).getByRole('link').waitFor();
  await expectAccessible(page, 'import-finished');
  await button('Undo import').click();
  await page.getByRole('dialog', { name: 'Undo this import?' }).waitFor();
  await expectAccessibleAsIs(page, 'import-undo');
  await button('Keep import').click();
});

test('a file with one wrong cell is mended in place, also after a reload, and imported', async () => {
  await page.getByRole('link', { name: 'Start another import' }).click();
  await expectHeading('Import people');
  await upload('employees-107.csv');
  await button('Import 106 people').waitFor();
  await expectAccessible(page, 'import-errors');
  await page.reload();
  await button(/^Department, row 80/).click();
  await page.keyboard.type('Sales');
  await page.keyboard.press('Enter');
  await page.getByText('Row 80 is ready to import.').waitFor();
  await button('Import 107 people').click();
  await button('Import now').click();
  await expectHeading('Import complete');
  await page.getByRole('link', { name: 'View imported people' }).click();
  await page.getByText('107 people', { exact: true }).waitFor();
  await clickAt(button('Show all employees'));
  await page.getByText('1,107 people').waitFor();
});

test.each([
  ['name', 'yang neena', 'Neena Yang'],
  ['number', '10004', 'Chirstian Koblick'],
  ['e-mail', 'nyang@example.com', 'Neena Yang'],
])('a person is found by %s', async (_what, words, name) => {
  await page.goto('/employees');
  await page.getByRole('searchbox').fill(words);
  await page.getByText('1 person').waitFor();
  await page.getByRole('link', { name }).waitFor();
  expect(path()).toContain('search=');
});

test('the directory keeps its filters in the address', async () => {
  await page.goto('/employees');
  await page.getByRole('combobox', { name: 'Department' }).click();
  await page.getByRole('option', { name: 'Executive' }).click();
  await page.getByText('3 people').waitFor();
  await page.getByRole('button', { name: /^Number/ }).click();
  await page.getByRole('link', { name: 'Steven King' }).waitFor();
  const address = page.url();
  await page.reload();
  await page.getByText('3 people').waitFor();
  expect(page.url()).toBe(address);
});

test('the profile shows the person, their job and what was recorded', async () => {
  await page.getByRole('link', { name: 'Neena Yang' }).click();
  await expectHeading('Neena Yang');
  await page.getByText('Administration Vice President').first().waitFor();
  for (const tab of ['Job', 'Documents', 'History']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tabpanel', { name: tab }).waitFor();
  }
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Steven King' }).first().click();
  await expectHeading('Steven King');
});

test('the list of imports, and an address that is no page', async () => {
  await page.goto('/imports');
  await page.getByRole('link', { name: 'employees-107.csv' }).waitFor();
  await expectAccessible(page, 'imports');
  await page.getByRole('link', { name: 'employees-107.csv' }).click();
  await expectHeading('Import complete');
  await page.goto('/employees/999999');
  await expectHeading('Page not found');
  await expectAccessible(page, 'not-found');
});

test('on a phone the menu and the filters open over the page', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/employees');
  await button('Open menu').click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Imports' }).waitFor();
  await expectAccessibleAsIs(page, 'menu-390');
  await button('Close menu').click();
  await button('Filters').click();
  await page.getByRole('dialog', { name: 'Filters' }).waitFor();
  await expectAccessibleAsIs(page, 'filters-390');
  await button('Show results').click();
  await page.setViewportSize(desktop);
});

test('the chosen appearance survives a reload', async () => {
  await page.getByRole('button', { name: new RegExp(tenure.email) }).click();
  await page.getByRole('menuitem', { name: 'My profile' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expectAccessibleAsIs(page, 'user-menu');
  await page.reload();
  await expectHeading('Employees');
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
});

/** What this tab stores about the session. */
const remembered = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');

test('signing out ends the session in every tab, and going back shows nothing', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search people/ }).fill('neena');
  await page.getByRole('group', { name: 'People' }).getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await expectHeading(/Neena Yang/);
  expect(await remembered()).toContain('Neena Yang');
  const other = await page.context().newPage();
  await other.goto('/imports');
  await other.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
  await page.getByRole('button', { name: new RegExp(tenure.email) }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expectHeading('Sign in');
  await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await remembered()).not.toContain('Neena');
  await page.goBack();
  await expectHeading('Sign in');
  expect(await page.getByText('Neena Yang').count()).toBe(0);
  await other.close();
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect(problems).toEqual([]);
});
