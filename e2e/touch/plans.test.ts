import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** Planned changes are listed and cancelled, and a set of criteria is defined, each by finger. */

const { hand, problems } = await phones('touch-plans');
const hr = await hand('hr');
const { page } = hr;

const people = ['Marta Taylor', 'Viktor Murphy'];
const box = (name: string) => page.getByRole('checkbox', { name: `Select the change for ${name}` });

test.each(people)('a change of the job of %s is planned', async (name) => {
  await hr.goTo(`/employees?search=${encodeURIComponent(name)}`);
  await hr.link(new RegExp(`^${name}`), page.getByRole('main'));
  await hr.tab('Job');
  await hr.press('Change job');
  const change = hr.dialog(`Change ${name}’s job`);
  await hr.write(/^Effective date/, '2099-03-01', change.getByRole('group').or(change));
  await page.keyboard.press('Tab');
  await hr.write('Job title', 'Planner', change);
  await hr.press('Save', change);
  await page.getByRole('region', { name: 'Planned' }).getByText('Planner').waitFor();
  expect(await change.count()).toBe(0);
});

test('both are in the list, are cancelled together and planned again', async () => {
  await hr.open('Planned changes');
  await hr.fits('planned changes');
  for (const name of people) await hr.choose(box(name));
  await hr.fits('two planned changes chosen');
  await hr.press('Cancel 2 changes…');
  const asked = hr.dialog('Cancel 2 planned changes');
  await asked.getByText(/^2 changes won’t take effect/).waitFor();
  await hr.fits('cancelling planned changes');
  await hr.press('Cancel 2 changes', asked);
  await hr.sees('2 planned changes cancelled.');
  for (const name of people) await expect.poll(() => box(name).count()).toBe(0);
  await hr.press('Undo');
  for (const name of people) await box(name).waitFor();
});

test('a set of criteria is added', async () => {
  await hr.open('Probation');
  await hr.link('Criteria sets');
  await hr.heading('Criteria sets');
  await hr.fits('criteria sets');
  await hr.press('Add criteria set');
  const form = hr.dialog('Add a criteria set');
  await hr.write('Name', 'Warehouse', form);
  await hr.pick('Company', 'Northwind Retail', form);
  for (const [place, name] of ['Care', 'Teamwork', 'Pace'].entries()) {
    if (place === 2) await hr.press('Add criterion', form);
    await hr.fill(form.getByRole('textbox', { name: `Criterion ${place + 1}`, exact: true }), name);
  }
  await hr.press('Distribute evenly', form);
  await hr.choose(form.getByRole('switch', { name: 'Reviewers can adapt the criteria' }));
  await hr.fitsBesideKeys('criteria set');
  await hr.press('Add set', form);
  await hr.sees('Warehouse was added.');
  await hr.sees('Care 34% · Teamwork 33% · Pace 33%');
});

test('it is changed, and deleted', async () => {
  await hr.link('Warehouse');
  const form = hr.dialog('Edit Warehouse');
  await hr.press('Remove criterion 3', form);
  await hr.press('Distribute evenly', form);
  await hr.press('Save set', form);
  await hr.sees('Care 50% · Teamwork 50%');
  await hr.link('Warehouse');
  await hr.press('Delete set', form);
  await hr.fits('deleting a criteria set');
  await hr.press('Delete set', hr.dialog('Delete Warehouse?'));
  await hr.sees('Warehouse was deleted.');
  await expect.poll(() => page.getByRole('link', { name: 'Warehouse' }).count()).toBe(0);
  expect(problems).toEqual([]);
});
