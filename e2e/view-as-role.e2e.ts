import { expect, test } from 'vitest';
import { expectAccessible, expectAccessiblePage } from './accessible.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** An administrator sees the application as HR of one company, cannot change anything, and stops. */

const { service: demo, page, problems } = await journey('view-as-role', startDemo);
// another tab of the same session
const tab = await page.context().newPage();

const heading = (name: string, on = page) => on.getByRole('heading', { level: 1, name }).waitFor();
const entry = (name: string, on = page) => on.getByRole('navigation').first().getByRole('link', { name, exact: true });
const banner = (on = page) => on.getByRole('status').filter({ hasText: 'You’re viewing Tenure as HR' });
const path = () => page.url().slice(demo.address.length);

test('the page of a role offers to view as it, and the dialog says what that means', async () => {
  await signIn(page, demo);
  await entry('Audit log').waitFor();
  await tab.goto('/roles');
  await heading('Roles', tab);
  await page.goto('/roles/2');
  await clickAt(page.getByRole('button', { name: 'Actions for HR' }));
  await clickAt(page.getByRole('menuitem', { name: 'View as this role…' }));
  const dialog = page.getByRole('dialog', { name: 'View Tenure as HR?' });
  await dialog.getByText('You can’t make changes', { exact: false }).waitFor();
  await clickAt(dialog.getByLabel('Companies'));
  await clickAt(page.getByRole('option', { name: 'Northwind Logistics' }));
  // closes the list
  await clickAt(dialog.getByText('See Tenure as someone', { exact: false }));
  await expectAccessible(page, 'view-as-role-dialog');
  await clickAt(dialog.getByRole('button', { name: 'View as HR' }));
  await banner().waitFor();
  expect(path()).toBe('/');
});

test('the menu is that of the role, and the banner stays on every page', async () => {
  await entry('Employees').waitFor();
  await expect.poll(() => entry('Brand').count()).toBe(0);
  expect(await banner().innerText()).toMatch(/as HR in 1 company \(read-only\) until \d\d:\d\d\./);
  await expectAccessiblePage(page, 'view-as-role-home');
  await page.reload();
  await banner().waitFor();
  await clickAt(entry('Departments'));
  await heading('Departments');
  await banner().waitFor();
  // the other tab is notified
  await banner(tab).waitFor();
});

test('a change is refused with the reason', async () => {
  await clickAt(page.getByRole('button', { name: 'Add department' }));
  const form = page.getByRole('dialog', { name: 'Add department' });
  await form.getByLabel('Name').fill('Night shift');
  await form.getByRole('button', { name: 'Add department' }).click();
  await form.getByText('You’re viewing as HR. Changes are off. Stop viewing to make changes.').waitFor();
  await expectAccessible(page, 'view-as-role-refused');
  await page.keyboard.press('Escape');
});

test('the keyboard stops the view, and the role opens with the own permissions', async () => {
  await page.goto('/');
  await banner().getByRole('button', { name: 'Stop viewing' }).focus();
  await page.keyboard.press('Enter');
  await heading('HR');
  expect(path()).toBe('/roles/2');
  await banner().waitFor({ state: 'detached' });
  await expect.poll(() => banner(tab).count()).toBe(0);
  await page.goto('/audit-log?subject_type=role');
  await page.getByText('Role · Viewing as this role started').first().waitFor();
  await page.getByText('Role · Viewing as this role stopped').first().waitFor();
});

test('the pages were healthy', () => {
  // the refused change is a console error
  expect(problems.filter((problem) => !problem.includes('status of 403'))).toEqual([]);
});
