import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { openPage } from './browser.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startTenure } from './service.ts';

/** An administrator follows the setup guide of a new installation, sets its brand, and assigns and withdraws roles. */

const { service: tenure, browser, page, problems } = await journey('set-up', startTenure);
const guest = await openPage(browser, tenure.address);

const password = 'Quiet-Harbour-42';
const heading = (name: string | RegExp, on: Page = page) => on.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const link = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('link', { name, exact: typeof name === 'string' });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const toast = (text: string) => page.getByText(text).first().waitFor();
const menu = (on: Page = page) => on.getByRole('navigation').first();
const guide = page.getByRole('region', { name: 'Get started' });

async function home(progress: string): Promise<void> {
  await clickAt(link('Home', menu()));
  await heading(/^Hello/);
  await guide.getByText(progress).waitFor();
}
const isTicked = (step: string) =>
  guide
    .getByRole('listitem')
    .filter({ has: link(step), hasText: 'Done' })
    .waitFor();

async function signIn(on: Page, email: string, oneTimePassword: string): Promise<void> {
  await on.getByLabel('Work email').fill(email);
  await on.getByLabel('Password', { exact: true }).fill(oneTimePassword);
  await clickAt(button('Sign in', on));
  await heading(/^Welcome, /, on);
  await on.getByLabel('New password', { exact: true }).fill(password);
  await on.getByLabel('Confirm new password').fill(password);
  await clickAt(button('Save password', on));
  await heading(/^Hello/, on);
}

test('home shows what to do first; the guide is dismissed, and that undone', async () => {
  await page.goto('/login');
  await signIn(page, tenure.email, tenure.oneTimePassword);
  await guide.getByText('0 of 4 steps done').waitFor();
  await expectAccessible(page, 'guide');
  await clickAt(button('Dismiss', guide));
  await guide.waitFor({ state: 'detached' });
  await clickAt(button('Undo'));
  await guide.getByText('0 of 4 steps done').waitFor();
});

test('the first step leads to the first company, and is ticked', async () => {
  await clickAt(link('Add a company', guide));
  await heading('Add your first company');
  await page.getByLabel('Name').fill('Sample Company');
  await clickAt(button('Add company'));
  await heading('Import people');
  await home('1 of 4 steps done');
  await isTicked('Add a company');
  expect(await link('Add a company', guide).getAttribute('href')).toBe('/departments');
});

const people = [
  'employee_number,first_name,last_name,email,dept,title',
  's-1,Ada,Long,ada.long@acme.example,Office,Head of office',
  's-2,Ben,Short,ben.short@acme.example,Office,Clerk',
];

test('the second one brings people in from a file', async () => {
  await clickAt(link('Add your people', guide));
  await heading('Import people');
  await page.getByText('Sample Company').waitFor({ state: 'attached' });
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(people.join('\n')) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('switch', { name: 'Create missing departments' }).check();
  await clickAt(button('Check file'));
  await clickAt(button('Import 2 people'));
  await clickAt(button('Import now'));
  await heading('Import complete');
  await home('2 of 4 steps done');
  await isTicked('Add your people');
  await expectAccessible(page, 'guide-half');
});

test('the third one gives a person a role in one company', async () => {
  await clickAt(link('Assign roles', guide));
  await heading('Employees');
  await clickAt(link(/^Ada Long/));
  await heading('Ada Long');
  await clickAt(page.getByRole('tab', { name: 'Access' }));
  await clickAt(button('Change roles'));
  await clickAt(button('Add role'));
  await page.getByLabel('Role', { exact: true }).last().selectOption('HR');
  await clickAt(page.getByRole('combobox', { name: 'Companies' }).last());
  await clickAt(page.getByRole('option', { name: 'Sample Company' }));
  await page.keyboard.press('Escape');
  await page.getByText('Added: HR').waitFor();
  await expectAccessible(page, 'roles-of-a-person');
  await clickAt(button('Save'));
  await toast('Ada Long’s roles were changed.');
  await page.getByText('Everyone · Sample Company').waitFor();
  await home('3 of 4 steps done');
  await isTicked('Assign roles');
});

test('with the last one, a KPI cycle, the guide is gone', async () => {
  await clickAt(link('Start a KPI cycle', guide));
  await heading('New KPI cycle');
  await page.getByLabel('Name').fill('Autumn 2026');
  await field('Start').fill('2026-10-01');
  await clickAt(button('Continue'));
  await heading('Autumn 2026');
  await clickAt(link('Home', menu()));
  await heading(/^Hello/);
  await page.getByText('Headcount').first().waitFor();
  await expect.poll(() => guide.count()).toBe(0);
});

test('help is about the page it is opened from, and leads to the keyboard shortcuts', async () => {
  await clickAt(button('Help'));
  await dialog('Home').getByText('Get started').waitFor();
  // at another width the header is another one, whose help is closed
  await expectAccessibleAsIs(page, 'help');
  await clickAt(button('Keyboard shortcuts', dialog('Home')));
  await dialog('Keyboard shortcuts').waitFor();
  await expectAccessibleAsIs(page, 'help-shortcuts');
  await page.keyboard.press('Escape');
  await dialog('Keyboard shortcuts').waitFor({ state: 'detached' });
  await clickAt(button(/^Close/, dialog('Home')));
  await dialog('Home').waitFor({ state: 'detached' });
  await clickAt(link('Roles', menu()));
  await heading('Roles');
  await clickAt(button('Help'));
  await dialog('Roles')
    .getByText(/A role is a set of permissions/)
    .waitFor();
  await clickAt(button(/^Close/, dialog('Roles')));
  await dialog('Roles').waitFor({ state: 'detached' });
});

test('a role is assigned from its page', async () => {
  await clickAt(link('Manager'));
  await heading('Manager');
  await clickAt(button('Assign role…'));
  await dialog('Assign Manager').waitFor();
  await expectAccessible(page, 'assign-role');
  await dialog('Assign Manager').getByRole('combobox', { name: 'Person' }).fill('ben');
  await clickAt(page.getByRole('option', { name: /Ben Short/ }));
  await heading('Ben Short');
  await page.getByText('Added: Manager').waitFor();
  await clickAt(button('Save'));
  await toast('Ben Short’s roles were changed.');
  await page.getByText('Direct reports and departments they manage · all companies').waitFor();
});

test('the assignment is undone, made again and taken away', async () => {
  const held = page.getByRole('listitem').filter({ hasText: 'departments they manage' });
  await clickAt(button('Undo'));
  await held.waitFor({ state: 'detached' });
  await clickAt(button('Change roles'));
  await clickAt(button('Add role'));
  await page.getByLabel('Role', { exact: true }).last().selectOption('Manager');
  await clickAt(button('Save'));
  await held.waitFor();
  await clickAt(button('Change roles'));
  await clickAt(button('Remove role').last());
  await page.getByText('Removed: Manager').waitFor();
  await clickAt(button('Save'));
  await expect.poll(() => held.count()).toBe(0);
});

/** Clicks where a logo is dropped or chosen, and uploads a screenshot of part of the page. */
async function chooseLogo(): Promise<void> {
  const picture = await page.locator('svg').first().screenshot();
  const chooser = page.waitForEvent('filechooser');
  await clickAt(page.getByLabel(/^Drop a logo here/));
  await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture });
}
const logo = (on: Page) => on.locator('img[src*=logo]').first();

test('the installation gets a name, a colour and a logo', async () => {
  await clickAt(link('Brand', menu()));
  await heading('Brand');
  await field('Name').fill('Acme People');
  await field('Accent colour').fill('#8a1c4a');
  await clickAt(button('Save changes'));
  await toast('Brand saved');
  await chooseLogo();
  await expectAccessible(page, 'brand-logo-chosen');
  await clickAt(button('Save logo'));
  await toast('Logo saved');
  await menu().getByText('Acme People').waitFor();
  await logo(page).waitFor();
  await expectAccessible(page, 'brand-set');
});

test('a guest sees them where one signs in', async () => {
  await guest.page.goto('/login');
  await heading('Sign in', guest.page);
  expect(await guest.page.title()).toContain('Acme People');
  await logo(guest.page).waitFor();
  await expectAccessible(guest.page, 'sign-in-branded');
});

async function openBrandOfCompany(): Promise<void> {
  await clickAt(link('Departments', menu()));
  await clickAt(link('Details'));
  await heading('Sample Company');
  await clickAt(button('More actions'));
  await clickAt(page.getByRole('menuitem', { name: 'Brand' }));
  await heading('Brand of Sample Company');
}

test('a company gets a brand of its own and a letterhead, which show while they are written', async () => {
  await openBrandOfCompany();
  expect(await field('Name').getAttribute('placeholder')).toBe('Acme People');
  await field('Name').fill('Sample People');
  await field('Accent colour').fill('#1c3f8a');
  await field('Address').fill('Quay 1, Sampleton');
  await field('Registration line').fill('HRB 1234');
  await field('Footer').fill('sample.example');
  const letter = page.getByRole('region', { name: 'Letterhead preview' });
  for (const text of ['Sample People', 'Quay 1, Sampleton', 'HRB 1234', 'sample.example'])
    await letter.getByText(text).waitFor();
  await expectAccessible(page, 'brand-company');
  await clickAt(button('Save changes'));
  await toast('Brand saved');
});

test('a person of the company sees it after signing in', async () => {
  await clickAt(link('Employees', menu()));
  await clickAt(link(/^Ada Long/));
  await clickAt(page.getByRole('tab', { name: 'Access' }));
  await clickAt(button('Reset password…'));
  await clickAt(button('Create password', dialog('Reset Ada Long’s password')));
  const oneTimePassword = (await page.locator('code').first().textContent()) ?? '';
  await clickAt(button('Done'));
  await signIn(guest.page, 'ada.long@acme.example', oneTimePassword);
  await menu(guest.page).getByText('Sample People').waitFor();
  expect(await guest.page.title()).toContain('Sample People');
});

test('the brands are reset, and everyone sees Tenure again', async () => {
  const reset = async (title: string) => {
    await clickAt(button('Reset to default'));
    await expectAccessibleAsIs(page, 'brand-reset');
    await clickAt(button('Reset brand', dialog(title)));
    await dialog(title).waitFor({ state: 'detached' });
    expect(await field('Name').inputValue()).toBe('');
  };
  await openBrandOfCompany();
  await reset('Reset the brand of Sample Company?');
  await clickAt(link('Brand', menu()));
  await heading('Brand');
  await clickAt(button('Remove logo'));
  await toast('Logo removed');
  await reset('Reset the brand?');
  await menu().getByText('Tenure', { exact: true }).waitFor();
  await guest.page.reload();
  await heading(/^Hello/, guest.page);
  await menu(guest.page).getByText('Tenure', { exact: true }).waitFor();
});

test('no page did anything a healthy page does not', () => {
  expect(guest.problems).toEqual([]);
  expect(problems).toEqual([]);
});
