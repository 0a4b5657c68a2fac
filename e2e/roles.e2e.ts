import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** An administrator changes the permissions of managers while one of them works, and finds everything in the log. */

const { service: demo, browser, page, problems } = await journey('roles', startDemo);
const manager = await openPage(browser, demo.address);

const heading = (name: string, on: Page = page) => on.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name });
const box = (permission: string, role: string) => page.getByRole('checkbox', { name: `${permission}: ${role}` });
const entry = (name: string) => manager.page.getByRole('navigation').first().getByRole('link', { name });
const path = () => page.url().slice(demo.address.length);
const toast = (text: string) => page.getByText(text).first().waitFor();

test('the administrator opens the roles from the menu and finds one beside the others', async () => {
  await signIn(page, demo);
  await signIn(manager.page, demo, 'manager@northwind.example');
  await entry('Employees').waitFor();
  expect(await entry('Audit log').count()).toBe(0);
  await clickAt(page.getByRole('navigation').first().getByRole('link', { name: 'Roles' }));
  await heading('Roles');
  await clickAt(page.getByRole('link', { name: 'Manager', exact: true }));
  await heading('Manager');
  await box('View companies', 'Manager').waitFor();
  await expectAccessible(page, 'role');
});

test('a change is shown with how many it reaches before it is saved, and the menu of a holder follows', async () => {
  await page.getByLabel('Find a permission or field').fill('IBAN');
  await box('View private details', 'Manager').waitFor();
  await clickAt(page.getByText(/^Shows \d+ fields$/));
  await page.getByText(/Account number/).waitFor();
  await page.getByLabel('Find a permission or field').fill('audit');
  await expect.poll(path).toMatch(/\?find=audit$/);
  // by keyboard alone
  await box('View the audit log', 'Manager').focus();
  await page.keyboard.press('Space');
  await page.getByText('1 permission added.').waitFor();
  await button('Review and save').focus();
  await page.keyboard.press('Enter');
  const review = page.getByRole('dialog', { name: 'Change the permissions of Manager?' });
  await review.getByText(/^\d+ people gain it$/).waitFor();
  await expectAccessible(page, 'role-review');
  await review.getByRole('button', { name: 'Save' }).click();
  await toast('Manager was updated.');
  // a role with more permissions ends the sessions that began before
  await manager.page.reload();
  await heading('Sign in', manager.page);
  await signIn(manager.page, demo, 'manager@northwind.example');
  await entry('Audit log').click();
  await heading('Audit log', manager.page);
});

test('permissions of administrators, and those that are fixed, are not offered', async () => {
  await page.goto('/roles/3?find=reopen');
  await page.getByText('Admin only').waitFor();
  await page.getByLabel('Role', { exact: true }).selectOption('Admin');
  await page.getByText('Admin always has every permission', { exact: false }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
});

test('leaving with changes asks first', async () => {
  await page.goto('/roles/3');
  await page.getByLabel('Companies: access level').selectOption('Full access');
  await page.getByText('4 permissions added.').waitFor();
  await page.getByLabel('Role', { exact: true }).selectOption('HR');
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await heading('HR');
  expect(path()).toBe('/roles/2');
});

test('a name like a built-in one is refused at its field; a copy of a role gets a name of its own', async () => {
  await page.goto('/roles/4?do=duplicate');
  const form = page.getByRole('dialog', { name: 'Duplicate Team lead' });
  await form.getByLabel('Name').fill('Team-Leads');
  await form.getByRole('button', { name: 'Add role' }).click();
  await form.getByText('The name is too similar to the system role Team lead.').waitFor();
  await expectAccessible(page, 'role-duplicate');
  await form.getByLabel('Name').fill('Shift planner');
  await form.getByRole('button', { name: 'Add role' }).click();
  await toast('Shift planner was added.');
  await heading('Shift planner');
  expect(await box('View departments', 'Shift planner').isChecked()).toBe(true);
});

test('the holders of a permission are listed with the role that grants it', async () => {
  await clickAt(button('Who has “View departments”?'));
  const sheet = page.getByRole('dialog', { name: 'Who has “View departments”?' });
  await sheet.getByText('Through Manager').first().waitFor();
  await expectAccessible(page, 'role-holders');
  await sheet.getByLabel('Through role').selectOption('Shift planner');
  await sheet.getByText('No one you have access to has this permission').waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
});

test('a role without holders is deleted', async () => {
  await button('Actions for Shift planner').click();
  await page.getByRole('menuitem', { name: 'Delete role' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Shift planner?' });
  await question.getByRole('button', { name: 'Delete role' }).click();
  await toast('Shift planner was deleted.');
  await heading('Roles');
  expect(await page.getByRole('link', { name: 'Shift planner' }).count()).toBe(0);
});

test('a built-in role for managed people gets the whole reporting line', async () => {
  await page.goto('/roles/4?do=edit');
  const form = page.getByRole('dialog', { name: 'Edit Team lead' });
  await form.getByLabel('Reporting line').selectOption('Direct and indirect reports');
  await expectAccessible(page, 'role-reporting-line');
  await form.getByRole('button', { name: 'Save' }).click();
  await toast('Team lead was saved.');
  await page.getByText('Applies to everyone below the person in the reporting line', { exact: false }).waitFor();
});

test('the audit log shows who changed what, filters by its address, and exports a file', async () => {
  await page.goto('/audit-log');
  await page.getByLabel('Record', { exact: true }).selectOption('Role');
  await page.getByText('Added: View the audit log.').waitFor();
  await expectAccessible(page, 'audit-log');
  await page.getByLabel('Search records').fill('shift');
  await expect.poll(path).toBe('/audit-log?subject_type=role&search=shift');
  await page.getByText('2 entries').waitFor();
  await button('Export').click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('"When (UTC)","Who","Action"');
  expect(lines[1]).toContain('"Deleted","Role"');
  await page.goto('/audit-log?subject_type=export');
  await page.getByText('Export · Created').first().waitFor();
});

test('a phone shows one role at a time, and changes it', async () => {
  const phone = await openPage(browser, demo.address, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await signIn(phone.page, demo);
  await phone.page.goto('/roles/5');
  await heading('Employee', phone.page);
  await phone.page.getByRole('checkbox', { name: 'View departments' }).check();
  await expectAccessibleAsIs(phone.page, 'role-phone');
  await phone.page.getByRole('button', { name: 'Discard' }).click();
  await phone.page.getByLabel('Role', { exact: true }).selectOption('Team lead');
  await heading('Team lead', phone.page);
  expect(phone.problems).toEqual([]);
  await phone.page.close();
});

test('a long description leaves the actions of a role on a small phone', async () => {
  const { page: phone } = await openPage(browser, demo.address, {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    locale: 'de-DE',
  });
  await signIn(phone, demo);
  await phone.goto('/roles');
  await clickAt(phone.getByRole('button', { name: 'Aktionen für HR' }));
  const duplicate = phone.getByRole('menuitem', { name: 'Duplizieren' });
  await duplicate.waitFor();
  expect(await duplicate.isEnabled()).toBe(true);
  await phone.context().close();
});

test('a permission is withdrawn, and a reader of the page learns it at the next step', async () => {
  await page.goto('/roles/3?find=audit');
  await box('View the audit log', 'Manager').uncheck();
  await button('Review and save').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await toast('Manager was updated.');
  await manager.page.goto('/audit-log');
  await manager.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await manager.page.getByRole('table').count()).toBe(0);
  await manager.page.goto('/');
  await entry('Employees').waitFor();
  expect(await entry('Audit log').count()).toBe(0);
});

test('no page did anything a healthy page does not', () => {
  // the manager was refused the log on purpose
  expect(manager.problems.filter((one) => !one.includes('403'))).toEqual([]);
  expect(problems).toEqual([]);
});
