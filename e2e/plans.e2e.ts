import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** HR plans job changes and cancels several, defines the criteria of probation reviews, and ends an announcement. */

const { service: demo, browser, page, problems } = await journey('plans', startDemo);
const { page: lead } = await openPage(browser, demo.address, {}, problems);

type Within = Page | Locator;
const heading = (name: string | RegExp, on: Page = page) => on.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp, within: Within = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const link = (name: string | RegExp, within: Within = page) =>
  within.getByRole('link', { name, exact: typeof name === 'string' });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const entry = (name: string) => link(name, page.getByRole('navigation').first());
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const box = (name: string) => page.getByRole('checkbox', { name });
const said = (text: string | RegExp, on: Page = page) => on.getByText(text).first().waitFor();
const path = () => page.url().slice(demo.address.length);

/** Searches for a record in a combobox and selects it. */
async function pick(label: string | RegExp, text: string, within: Within = page): Promise<void> {
  const field = within.getByRole('combobox', { name: label });
  await clickAt(field);
  await field.fill(text);
  await clickAt(page.getByRole('option', { name: text }).first());
}

let people: string[] = [];

/** Plans a move of two selected people to another department. */
async function planMove(): Promise<void> {
  for (const name of people) await clickAt(row(name).getByRole('checkbox'));
  await said('2 selected');
  await clickAt(button('Move'));
  const move = dialog('Move 2 people');
  await pick('Department', 'Finance', move);
  await move.getByRole('textbox', { name: /^Effective date/ }).fill('2099-03-01');
  await clickAt(button('Preview changes', move));
  await move.getByText(/^2 will change/).waitFor();
  await clickAt(button('Move 2 people', move));
  await said('2 moves scheduled for 1 Mar 2099');
}

test('two selected people are moved on a day to come; that is undone and planned again', async () => {
  await signIn(page, demo, 'hr@northwind.example');
  await page.goto('/employees?search=engineer&activity_status=active&entity_id=1');
  const names = page.getByRole('row').getByRole('link', { name: /\w/ });
  await names.nth(2).waitFor();
  people = (await names.allTextContents()).slice(0, 2);
  await planMove();
  await expectAccessibleAsIs(page, 'plans-moved');
  await clickAt(button('Undo', page.getByRole('dialog')));
  await said('2 undone');
  await clickAt(button('Done'));
  await planMove();
  await clickAt(button('Done'));
  for (const name of people) await row(name).getByText('Change planned for 1 Mar 2099').waitFor({ state: 'attached' });
  expect(people).toHaveLength(2);
});

test('the list of planned changes says what becomes of whom, and is filtered', async () => {
  await clickAt(entry('Planned changes'));
  await heading('Planned changes');
  for (const name of people) await row(name).getByText('Finance').waitFor();
  await expectAccessible(page, 'plans');
  await page.getByRole('textbox', { name: 'Effective from' }).fill('2099-03-02');
  await page.keyboard.press('Tab');
  await said('No matching changes');
  expect(path()).toBe('/job-changes?from=2099-03-02');
  await expectAccessible(page, 'plans-no-match');
  await clickAt(button('Clear filters'));
  for (const name of people) await row(name).waitFor();
});

test('several changes are marked, kept, then cancelled together, which is undone', async () => {
  for (const name of people) await clickAt(box(`Select the change for ${name}`));
  await page.getByRole('region', { name: '2 changes selected' }).waitFor();
  await expectAccessible(page, 'plans-chosen');
  await clickAt(button('Cancel 2 changes…'));
  const asked = dialog('Cancel 2 planned changes');
  await asked.getByText('2 changes won’t take effect. The jobs stay as they are.').waitFor();
  await expectAccessibleAsIs(page, 'plans-cancel');
  await clickAt(button('Keep changes'));
  await asked.waitFor({ state: 'detached' });
  await clickAt(button('Cancel 2 changes…'));
  await clickAt(button('Cancel 2 changes', asked));
  await said('2 planned changes cancelled.');
  for (const name of people) await expect.poll(() => row(name).count()).toBe(0);
  await clickAt(button('Undo'));
  for (const name of people) await row(name).getByText('Finance').waitFor();
});

test('a set of criteria is added to a company; weights that are not whole are refused', async () => {
  await clickAt(entry('Probation'));
  await clickAt(link('Criteria sets'));
  await heading('Criteria sets');
  await clickAt(button('Add criteria set').first());
  const form = dialog('Add a criteria set');
  await form.getByRole('textbox', { name: 'Name' }).fill('Office');
  await pick('Company', 'Northwind Logistics', form);
  await form.getByRole('textbox', { name: 'Criterion 1', exact: true }).fill('Care');
  await form.getByRole('textbox', { name: 'Criterion 2', exact: true }).fill('Teamwork');
  await form.getByRole('textbox', { name: 'Weight of criterion 2' }).fill('60');
  await form.getByText('10% over').waitFor();
  await clickAt(button('Add set', form));
  await form.getByText(/100/).first().waitFor();
  await expectAccessible(page, 'criteria-set-refused');
  await clickAt(button('Distribute evenly', form));
  await form.getByText('Complete').first().waitFor();
  await clickAt(button('Add set', form));
  await said('Office was added.');
  await row('Office').getByText('Care 50% · Teamwork 50%').waitFor();
  await expectAccessible(page, 'criteria-sets');
});

test('it gets a third criterion, and reviewers may not adapt it', async () => {
  await clickAt(link('Office'));
  const form = dialog('Edit Office');
  await clickAt(button('Add criterion', form));
  await form.getByRole('textbox', { name: 'Criterion 3', exact: true }).fill('Pace');
  await clickAt(button('Distribute evenly', form));
  await clickAt(form.getByRole('switch', { name: 'Reviewers can adapt the criteria' }));
  await expectAccessible(page, 'criteria-set');
  await clickAt(button('Save set', form));
  await said('Office was saved.');
  await row('Office').getByText('Care 34% · Teamwork 33% · Pace 33%').waitFor();
  await row('Office').getByText('Reviewers can’t change it').waitFor();
  expect(path()).toBe('/probation/criteria');
});

let review = '';

test('a review of the company begins with them, and the reviewer only rates them', async () => {
  await page.goto('/probation?tab=ending&entity_id=3');
  await clickAt(button(/^Start review/).first());
  await heading(/’s probation$/);
  review = path();
  await clickAt(button('More actions'));
  await clickAt(page.getByRole('menuitem', { name: 'Change reviewer' }));
  await pick(/^New reviewer/, 'Marta Taylor', page.getByRole('dialog'));
  await clickAt(button('Assign reviewer'));
  await said('Read-only while Marta Taylor writes the assessment.');
  await signIn(lead, demo, 'lead@northwind.example');
  await lead.goto(review);
  await heading(/’s probation$/, lead);
  await said('Set by HR. Rate each one.', lead);
  await expectAccessible(lead, 'criteria-fixed');
  for (const name of ['Care', 'Teamwork', 'Pace'])
    await lead
      .getByRole('group', { name: `Rating: ${name}` })
      .getByRole('radio', { name: '4' })
      .check();
  await said(/^Saved \d\d:\d\d$/, lead);
  expect(await lead.getByLabel('New criterion').count()).toBe(0);
});

test('the set is deleted; the open review keeps its criteria', async () => {
  await page.goto('/probation/criteria');
  await clickAt(link('Office'));
  await clickAt(button('Delete set', dialog('Edit Office')));
  const asked = dialog('Delete Office?');
  await asked.getByText(/^New reviews of Northwind Logistics will no longer start with it\./).waitFor();
  await expectAccessible(page, 'criteria-set-delete');
  await clickAt(button('Delete set', asked));
  await said('Office was deleted.');
  await expect.poll(() => row('Office').count()).toBe(0);
  await lead.reload();
  await lead.getByRole('group', { name: 'Rating: Pace' }).waitFor();
});

test('an announcement for a day to come is changed and deleted', async () => {
  await clickAt(entry('Announcements'));
  await clickAt(button('New announcement'));
  const form = dialog('New announcement');
  await form.getByLabel(/^Title/).fill('Summer party');
  await form.getByLabel(/^Text/).fill('On the roof.');
  await clickAt(form.getByRole('checkbox', { name: 'All companies' }));
  await form.getByRole('textbox', { name: 'First day' }).fill('2099-07-01');
  await form.getByRole('textbox', { name: 'Last day' }).fill('2099-07-02');
  await clickAt(button('Publish announcement', form));
  await row('Summer party').getByText('Planned').waitFor();
  await clickAt(link('Summer party'));
  await dialog('Edit Summer party')
    .getByLabel(/^Title/)
    .fill('Garden party');
  await expectAccessible(page, 'announcement-edit');
  await clickAt(button('Save announcement'));
  await said('Garden party was saved.');
  await clickAt(link('Garden party'));
  await clickAt(button('Delete announcement', dialog('Edit Garden party')));
  await dialog('Delete Garden party?').getByText('It won’t be shown. You can’t undo this.').waitFor();
  await clickAt(button('Delete announcement', dialog('Delete Garden party?')));
  await said('Garden party was deleted.');
  await expect.poll(() => row('Garden party').count()).toBe(0);
});

test('no page did anything a healthy page does not', () => {
  expect(problems).toEqual([]);
});
