import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** A role is copied, gets a permission, and is assigned to a person, each by finger. */

const { hand, problems } = await phones('touch-roles');
const admin = await hand('admin');
const { page } = admin;

test('a role is duplicated', async () => {
  await admin.open('Roles');
  await admin.fits('roles');
  await admin.link('Team lead', page.getByRole('main'));
  await admin.heading('Team lead');
  await admin.fits('role');
  await admin.menu('Actions for Team lead', 'Duplicate');
  const form = admin.dialog('Duplicate Team lead');
  await admin.write('Name', 'Shift planner', form);
  await admin.fitsBesideKeys('duplicate role');
  await admin.press('Add role', form);
  await admin.heading('Shift planner');
});

test('it gets a permission, after who gains it is shown', async () => {
  await admin.choose(page.getByRole('checkbox', { name: 'View the audit log' }));
  await admin.sees('1 permission added.');
  await admin.fits('changed role');
  await admin.press('Review and save');
  const review = admin.dialog('Change the permissions of Shift planner?');
  await admin.fits('review of a role');
  await admin.press('Save', review);
  const toast = page.locator('output', { hasText: 'Shift planner was updated.' });
  await toast.waitFor();
  await admin.link('Employees', page.getByRole('navigation', { name: 'Shortcuts' }));
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await admin.fits('list beside a toast');
  expect(await toast.isVisible()).toBe(true);
});

test('it is given to a person', async () => {
  await admin.fill(page.getByRole('searchbox'), 'Viktor Murphy');
  await page.waitForURL(/search=/);
  await admin.link(/^Viktor Murphy/, page.getByRole('main'));
  await admin.tab('Access');
  await admin.fits('access');
  await admin.press('Change roles');
  await admin.press('Add role');
  // a phone shows the options of a native select itself
  await page.getByLabel('Role', { exact: true }).last().selectOption('Shift planner');
  await admin.fits('change roles');
  await admin.press('Save');
  await admin.sees(/roles were changed\.$/);
  expect(problems).toEqual([]);
});
