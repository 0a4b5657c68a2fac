import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** Home, reports, announcements, tasks, notifications and their settings, and the chart as an outline, by finger. */

const { hand, problems } = await phones('touch-home');
const hr = await hand('hr');
const employee = await hand('employee');
const { page } = hr;

test('HR looks at the figures, and at one as a table', async () => {
  await hr.heading(/^Hello/);
  await hr.fits('home of HR');
  await hr.press('Table: Length of service');
  await page.getByRole('row', { name: /^5\+ years/ }).waitFor();
  await hr.open('Reports');
  await hr.fits('reports');
  await hr.press('Table: Headcount over time');
  await hr.fits('report as a table');
});

test('HR publishes an announcement', async () => {
  await hr.open('Announcements');
  await hr.fits('announcements');
  await hr.press('New announcement');
  const form = hr.dialog('New announcement');
  await hr.write(/^Title/, 'Fire drill', form);
  await hr.write(/^Text/, 'On Tuesday at 10:00.', form);
  await hr.choose(form.getByRole('checkbox', { name: 'All companies' }));
  await hr.fitsBesideKeys('new announcement');
  await hr.press('Publish announcement', form);
  await page.getByRole('link', { name: 'Fire drill' }).waitFor();
});

test('an employee hides it, and arranges the page', async () => {
  await employee.page.reload();
  const drill = employee.page.getByRole('article', { name: 'Fire drill' });
  await employee.press('Hide Fire drill', drill);
  await drill.waitFor({ state: 'detached' });
  await employee.press('Arrange page');
  const dialog = employee.dialog('Arrange your home page');
  await employee.choose(dialog.getByRole('checkbox', { name: 'Announcements' }));
  await employee.press('Move up: My team', dialog);
  await employee.fits('arranging home');
  await employee.press('Done', dialog);
  await employee.page.getByRole('region', { name: 'Announcements' }).waitFor({ state: 'detached' });
  await employee.fits('home of an employee');
});

test('a task is done in the list', async () => {
  await hr.goTo('/tasks?kind=kpi_close');
  await hr.fits('tasks');
  const tasks = page.getByRole('main').locator('[data-task]');
  const before = await tasks.count();
  await hr.press(/^Mark as done: /);
  await expect.poll(() => tasks.count()).toBe(before - 1);
  await hr.press('Undo');
  await expect.poll(() => tasks.count()).toBe(before);
});

test('a notification is read, removed and brought back, and one kind is switched off', async () => {
  await employee.link(/^Notifications/, employee.page.getByRole('navigation', { name: 'Shortcuts' }));
  await employee.heading('Notifications');
  await employee.fits('notifications');
  await employee.press(/^Remove: /);
  await employee.sees('Notification removed.');
  await employee.press('Undo');
  await employee.goTo('/profile?part=notifications');
  const choice = employee.page.getByRole('switch', { name: 'KPI evaluation cancelled: In Tenure' });
  await employee.choose(choice);
  await expect.poll(() => choice.isChecked()).toBe(false);
  await employee.fits('own notifications');
  await hr.open('Notification settings');
  await hr.fits('notification settings');
  const mail = page.getByRole('switch', { name: 'KPI evaluation completed: Email' });
  await hr.choose(mail);
  await hr.sees('Saved: KPI evaluation completed');
});

test('a group of notifications opens by a button below its words', async () => {
  await hr.goTo('/notifications');
  const group = page.locator('[data-many]').first();
  const words = await group.locator('b').boundingBox();
  const button = await hr.button(/^Show all/, group).boundingBox();
  expect(button?.y).toBeGreaterThanOrEqual((words?.y ?? 0) + (words?.height ?? 0));
  await hr.press(/^Show all/, group);
  await hr.fits('a group of notifications');
});

test('the organisation is read as an outline', async () => {
  await hr.open('Org chart');
  await hr.fits('outline');
  await page.getByRole('treeitem').first().waitFor();
  expect(problems).toEqual([]);
});
