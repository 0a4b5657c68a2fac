import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { settled } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startTenure } from './service.ts';

/** A company gets departments and their heads, and is viewed as a chart. */

const data = join(import.meta.dirname, '../server/src/testing/data');
const password = 'Quiet-Harbour-42';

const { service: tenure, page, problems } = await journey('structure', startTenure);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = (name: string) => page.getByRole('dialog', { name });
const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
const toast = (text: string) => page.getByText(text, { exact: false }).first().waitFor();
const path = () => page.url().slice(tenure.address.length);

async function choose(department: string, action: string): Promise<void> {
  await clickAt(button(`Actions for ${department}`));
  await clickAt(page.getByRole('menuitem', { name: action, exact: true }));
}

/** The accessible name of the focused element. */
const focused = (): Promise<string | null | undefined> =>
  page.evaluate("document.activeElement?.querySelector('bdi')?.textContent ?? document.activeElement?.textContent");

const expectFocus = async (name: string) => {
  await expect.poll(focused, { timeout: 5_000 }).toBe(name);
};

/** Presses Tab until an element of that name has the focus, as a person without a mouse does. */
async function tabTo(name: RegExp): Promise<void> {
  const passed: string[] = [];
  while (passed.length < 60) {
    await page.keyboard.press('Tab');
    passed.push((await focused()) ?? '');
    if (name.test(passed.at(-1) ?? '')) return;
  }
  throw new Error(`Tab never came to ${name}, only to ${passed.join(', ')}`);
}

test('the administrator signs in and adds the first company', async () => {
  await page.goto('/departments');
  await page.getByLabel('Work email').fill(tenure.email);
  await page.getByLabel('Password', { exact: true }).fill(tenure.oneTimePassword);
  await page.keyboard.press('Enter');
  await heading(/^Welcome, /);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(password);
  await button('Save password').click();
  await heading('Companies and departments');
  await page.getByText('No companies yet').waitFor();
  await expectAccessible(page, 'departments-empty');
  await clickAt(button('Add company'));
  await dialog('Add company').getByLabel('Name').fill('Sample Company');
  await dialog('Add company').getByRole('combobox', { name: 'Country' }).fill('gb');
  await page.getByRole('option', { name: 'United Kingdom (GB)' }).click();
  await expectAccessible(page, 'company-add');
  await dialog('Add company').getByRole('button', { name: 'Add company' }).click();
  await toast('Sample Company was added.');
  await page.getByRole('tab', { name: 'Sample Company', selected: true }).waitFor();
  await page.getByText('No departments yet').waitFor();
});

test('people and their departments come from a file', async () => {
  await page.goto('/imports/new');
  await page.getByText('Sample Company').waitFor({ state: 'attached' });
  await page.locator('input[type=file]').setInputFiles(join(data, 'employees-107.csv'));
  await page.getByRole('switch', { name: 'Create missing departments' }).check();
  await button('Check file').click();
  await heading('Check results');
  await button('Import 106 people').click();
  await button('Import now').click();
  await heading('Import complete');
  expect(path()).toMatch(/^\/imports\/\d+$/);
});

test('departments are added, one below the other; a name that is taken is refused at its field', async () => {
  await page.goto('/departments');
  await row('Purchasing').waitFor();
  await choose('Purchasing', 'Add sub-department…');
  const form = dialog('Add sub-department to Purchasing');
  await form.getByLabel('Name').fill('Sales');
  await form.getByRole('button', { name: 'Add department' }).click();
  await form.getByText('The name has already been taken.').waitFor();
  await expectAccessible(page, 'department-form');
  await form.getByLabel('Name').fill('Fruit');
  await form.getByRole('button', { name: 'Add department' }).click();
  await toast('Fruit was added.');
  expect(await row('Fruit').getAttribute('aria-level')).toBe('2');
  await button('Add department').click();
  await dialog('Add department').getByLabel('Name').fill('Vegetables');
  await page.keyboard.press('Enter');
  await toast('Vegetables was added.');
  expect(await row('Vegetables').getAttribute('aria-level')).toBe('1');
});

test('a department is moved below another one, and the move taken back', async () => {
  await choose('Vegetables', 'Move…');
  await dialog('Move Vegetables').getByRole('combobox', { name: 'Parent department' }).fill('fruit');
  await page.getByRole('option', { name: 'Purchasing › Fruit' }).click();
  await expectAccessibleAsIs(page, 'department-move');
  await dialog('Move Vegetables').getByRole('button', { name: 'Move' }).click();
  await toast('Vegetables was moved.');
  await expect.poll(() => row('Vegetables').getAttribute('aria-level')).toBe('3');
  await button('Undo').last().click();
  await expect.poll(() => row('Vegetables').getAttribute('aria-level')).toBe('1');
});

test('a manager and a team lead are found by name and assigned', async () => {
  for (const [action, title, name] of [
    ['Assign manager…', 'Manager of Purchasing', 'Den Li'],
    ['Assign team lead…', 'Team lead of Purchasing', 'Alexander Khoo'],
  ] as const) {
    await choose('Purchasing', action);
    await dialog(title).getByRole('combobox').fill(name);
    await page.getByRole('option', { name }).click();
    await dialog(title).getByRole('button', { name: 'Save' }).click();
    await toast(`${name} now leads Purchasing.`);
    await row('Purchasing').getByRole('link', { name }).waitFor();
  }
  expect(await row('Purchasing').getByRole('button', { name: 'Assign' }).count()).toBe(0);
});

test('a department with people is not deleted, and says why; an empty one is', async () => {
  await choose('Sales', 'Delete…');
  const refused = dialog('Delete Sales?');
  await refused.getByText(/^\d+ people still belong to it\./).waitFor();
  await expectAccessibleAsIs(page, 'department-delete-refused');
  expect(await refused.getByRole('button', { name: 'Delete department' }).count()).toBe(0);
  // the dialog has a cross with the same name
  await refused.getByRole('button', { name: 'Close' }).last().click();
  await choose('Sales', 'Deactivate');
  await page
    .getByRole('alert')
    .getByText(/Sales still has \d+ active people/)
    .waitFor();
  await choose('Vegetables', 'Delete…');
  await dialog('Delete Vegetables?').getByRole('button', { name: 'Delete department' }).click();
  await toast('Vegetables was deleted.');
  await expect.poll(() => row('Vegetables').count()).toBe(0);
});

test('a count leads to exactly these people', async () => {
  const count = await row('Sales')
    .getByRole('link', { name: /people$/ })
    .textContent();
  await row('Sales')
    .getByRole('link', { name: /people$/ })
    .click();
  await heading('Employees');
  await page.getByText(count ?? '', { exact: true }).waitFor();
  expect(path()).toMatch(/department_id=\d+/);
});

test('the page of a department and of a company', async () => {
  await page.goto('/departments');
  await row('Purchasing').getByRole('link', { name: 'Purchasing' }).click();
  await heading('Purchasing');
  await page.getByRole('link', { name: /^Fruit/ }).waitFor();
  await page.getByRole('link', { name: 'Sample Company' }).click();
  await page.getByRole('link', { name: 'Details' }).click();
  await heading('Sample Company');
  expect(path()).toMatch(/\/companies\/\d+/);
});

test('the chart is read, opened and left with the keyboard alone', async () => {
  await page.goto('/org-chart');
  await page
    .getByRole('button', { name: /Steven King/ })
    .first()
    .waitFor();
  await tabTo(/^Steven King$/);
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).not.toBe('Steven King');
  const first = await focused();
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  await expectFocus('Steven King');
  await page.keyboard.press('Enter');
  await dialog('Person').getByText('Steven King').waitFor();
  expect(path()).toMatch(/person=\d+/);
  await expectAccessibleAsIs(page, 'org-chart-drawer');
  await page.keyboard.press('Escape');
  await dialog('Person').waitFor({ state: 'detached' });
  // the page continues at the address without the person
  await page.waitForURL(({ searchParams }) => !searchParams.has('person'));
  await settled(page);
  await expectFocus('Steven King');
  await page.keyboard.press(' ');
  await expect.poll(() => page.locator('[data-card]').count()).toBe(1);
  await page.keyboard.press(' ');
  await expect.poll(() => page.locator('[data-card]').count()).toBeGreaterThan(5);
});

test('a person deep in the chart is found, with all managers above', async () => {
  await page.getByRole('combobox', { name: 'Find a person' }).fill('khoo');
  await page.getByRole('option', { name: /Alexander Khoo/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('[data-card][data-found]').getByText('Alexander Khoo').waitFor();
  expect(path()).toMatch(/focus=\d+/);
  await page.reload();
  await page.locator('[data-card][data-found]').getByText('Alexander Khoo').waitFor();
});

test('the outline says the same, with the keyboard alone', async () => {
  await tabTo(/^Outline$/);
  await page.keyboard.press('Enter');
  await page.getByRole('treeitem', { name: /Alexander Khoo/, selected: true }).waitFor();
  await expectAccessible(page, 'org-outline');
  await tabTo(/^Alexander Khoo$/);
  await page.keyboard.press('Home');
  await expectFocus('Steven King');
  await page.keyboard.type('alex');
  await expect.poll(focused).toMatch(/^Alex/);
  await page.keyboard.press('Enter');
  await dialog('Person').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused).toMatch(/^Alex/);
});

const fileOf = async (download: Download): Promise<Buffer> => readFile(await download.path());

test('the chart is taken along as SVG and PNG, drawn here', async () => {
  await page.goto('/org-chart?by=department');
  await page
    .getByRole('button', { name: /Sample Company/ })
    .first()
    .waitFor();
  await expectAccessible(page, 'org-chart-departments');
  const taken = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('More chart actions')
        .click()
        .then(() => page.getByRole('menuitem', { name }).click()),
    ]);
    return { name: download.suggestedFilename(), content: await fileOf(download) };
  };
  const svg = await taken('Download as SVG');
  expect(svg.name).toMatch(/^org-chart-\d{4}-\d\d-\d\d\.svg$/);
  expect(svg.content.toString()).toContain('>Sample Company<');
  const png = await taken('Download as PNG');
  expect(png.content.subarray(1, 4).toString()).toBe('PNG');
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect(problems).toEqual([]);
});
