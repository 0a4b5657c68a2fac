import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** A person is added, changed and found, each by finger. */

const { hand, problems } = await phones('touch-people');
const hr = await hand('hr');
const { page } = hr;

test('a person is added in two steps', async () => {
  await hr.open('Employees');
  await hr.fits('employees');
  await hr.link('Add employee');
  await hr.heading('Add employee');
  await hr.fits('add employee');
  await hr.write(/^First name/, 'Wanda');
  await hr.write(/^Last name/, 'Quill');
  await hr.write(/^Work email/, 'wanda.quill@northwind.example');
  await hr.press('Next: job');
  await hr.pick('Company', 'Northwind Holdings');
  await hr.pick('Department', 'Engineering');
  await hr.write('Job title', 'Engineer');
  await hr.tap(page.locator('summary', { hasText: 'Sign-in' }));
  await hr.choose(page.getByRole('switch', { name: /Create one-time password/ }));
  await hr.fits('add employee: job');
  await hr.press('Save');
  await hr.sees('One-time password');
  await hr.fits('one-time password');
  await hr.press('Done');
  await hr.heading('Wanda Quill');
  await hr.fits('profile');
});

test('a field is changed, and the change undone', async () => {
  await hr.press(/^Edit\s*Contact$/);
  await hr.fill(page.getByLabel('Phone', { exact: true }), '+44 20 7946 0202');
  await hr.fitsBesideKeys('edit contact');
  await hr.press('Save');
  await hr.sees('+44 20 7946 0202');
  await hr.press('Undo');
  await page.getByText('+44 20 7946 0202').first().waitFor({ state: 'detached' });
});

test('the job is changed from a day on', async () => {
  await hr.tab('Job');
  await hr.press('Change job');
  const change = hr.dialog('Change Wanda Quill’s job');
  await hr.write(/^Effective date/, '2099-03-01', change.getByRole('group').or(change));
  await page.keyboard.press('Tab');
  await hr.pick('Department', 'Finance', change);
  await hr.fitsBesideKeys('change job');
  await hr.press('Save', change);
  await page.getByRole('region', { name: 'Planned' }).getByText('Finance').waitFor();
  await hr.fits('planned change');
});

test('people are filtered by department in the sheet of filters, and a person is found', async () => {
  await hr.goTo('/employees');
  await hr.press('Filters');
  await hr.fits('filters');
  await hr.pick('Department', 'Engineering', hr.dialog('Filters'));
  await page.waitForURL(/department_id=/);
  await hr.tap(hr.dialog('Filters').getByRole('heading'));
  await hr.fits('filters: department');
  await hr.press('Show results', hr.dialog('Filters'));
  await hr.dialog('Filters').waitFor({ state: 'detached' });
  await hr.fill(page.getByRole('searchbox'), 'Wanda Quill');
  await page.waitForURL(/search=/);
  await hr.link(/^Wanda Quill/, page.getByRole('main'));
  await hr.heading('Wanda Quill');
  expect(problems).toEqual([]);
});
