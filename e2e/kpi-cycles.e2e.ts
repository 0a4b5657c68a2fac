import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs, scrollsSideways } from './accessible.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** HR sets up a cycle, resolves what blocks publishing, publishes it and steers it to its results. */

const { service: demo, page, problems } = await journey('kpi-cycles', startDemo);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const toast = (text: string | RegExp) => page.getByText(text).first().waitFor();
const address = () => page.url().slice(demo.address.length);
const next = async (step: string) => {
  await button('Continue').click();
  await page.waitForURL(`**step=${step}**`);
};
/** Selects the first option of a combobox. */
async function choose(name: string | RegExp): Promise<void> {
  await clickAt(page.getByRole('combobox', { name }));
  await page.getByRole('option').first().click();
}

let cycle = '';

test('a cycle is begun: the first step is checked at its fields and stored', async () => {
  await page.goto('/kpi/cycles');
  await page.getByLabel('Work email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await heading('KPI cycles');
  await page.getByRole('row', { name: /^Q3 2026/ }).waitFor();
  await clickAt(link('New cycle'));
  await heading('New KPI cycle');
  await clickAt(button('Continue'));
  await page.getByText('The name field is required.').waitFor();
  await page.getByLabel('Name').fill('Autumn 2026');
  await page.getByRole('textbox', { name: 'Start' }).fill('2026-10-01');
  await expect.poll(() => page.getByRole('textbox', { name: 'End' }).inputValue()).toBe('31 Dec 2026');
  await expectAccessible(page, 'kpi-cycle-new');
  await next('who');
  await heading('Autumn 2026');
  cycle = /cycle=(\d+)/.exec(address())?.[1] ?? '';
});

test('it is found again where it was left, and gets its departments', async () => {
  await button('Save and finish later').click();
  await page.waitForURL(`**/kpi/cycles/${cycle}`);
  await page.getByText('No department takes part yet.', { exact: false }).waitFor();
  await expectAccessible(page, 'kpi-cycle-draft');
  await link('Continue setup').click();
  await next('who');
  for (const name of ['Customs', 'Fleet', 'Purchasing']) await page.getByRole('checkbox', { name }).check();
  await page.getByText(/^3 departments selected/).waitFor();
  await expectAccessible(page, 'kpi-cycle-who');
  await next('templates');
  await page.getByText(/^3 departments still need a template before you can publish\.$/).waitFor();
});

test('departments of a company share a template', async () => {
  await choose('Northwind Logistics: both departments');
  await button('Use for 2 departments').click();
  await page.getByText(/^1 department still needs a template before you can publish\.$/).waitFor();
  await expect.poll(() => page.getByText('Ready', { exact: true }).count()).toBe(2);
  await expectAccessible(page, 'kpi-cycle-templates');
});

const day = (name: string) => page.getByRole('textbox', { name });

test('windows and rules are seen on a line and checked together', async () => {
  await next('dates');
  const [opens, closes] = [day('Opens'), day('Closes')];
  await opens.first().fill('2026-11-20');
  await closes.first().fill('2026-11-10');
  await button('Continue').click();
  await page.getByText(/must be a date after or equal to/).waitFor();
  await closes.first().fill('2099-11-30');
  await opens.last().fill('2026-12-01');
  await closes.last().fill('2099-12-20');
  await page.getByLabel('Manager', { exact: true }).fill('70');
  expect(await page.getByLabel('Self', { exact: true }).inputValue()).toBe('30');
  await expectAccessible(page, 'kpi-cycle-dates');
  await next('review');
  await page.getByText('Manager 70%, self 30%').waitFor();
  await page.getByText('Fix 1 issue before publishing').waitFor();
  await expectAccessible(page, 'kpi-cycle-review');
});

test('what is in the way of publishing is mended from where it is said', async () => {
  await button('Continue to publish').click();
  const asked = dialog('Publish Autumn 2026');
  await asked.getByText('Purchasing has no template.').waitFor();
  expect(await asked.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  await expectAccessibleAsIs(page, 'kpi-cycle-blocked');
  await asked.getByRole('link', { name: 'Select templates' }).click();
  await choose('Template for Purchasing');
  await expect.poll(() => page.getByText('Ready', { exact: true }).count()).toBe(3);
  await page.goto(`/kpi/cycles/${cycle}`);
  await button('Publish').click();
  await asked.getByText(/^Creates \d+ evaluations and notifies \d+ people\.$/).waitFor();
  await asked.getByText('You can’t undo this.', { exact: false }).waitFor();
  await expectAccessibleAsIs(page, 'kpi-cycle-publish');
});

test('it is published, and the board shows the state of each evaluation', async () => {
  const without = dialog('Publish Autumn 2026').getByRole('checkbox', { name: /^Publish without a reviewer for/ });
  if ((await without.count()) > 0) await without.check();
  await dialog('Publish Autumn 2026').getByRole('button', { name: 'Publish' }).click();
  await toast(/^Published\. \d+ evaluations created\.$/);
  const stages = page.getByRole('region', { name: 'Stages' });
  await expect.poll(() => stages.getByRole('link', { name: /Self-assessment$/ }).textContent()).not.toMatch(/^0/);
  await page.getByRole('row', { name: /^Fleet/ }).waitFor();
  await expectAccessible(page, 'kpi-cycle-board');
  await stages.getByRole('link', { name: /Self-assessment$/ }).click();
  await page.waitForURL('**tab=participants&status=self_assessment');
  await page
    .getByRole('row', { name: /Self-assessment/ })
    .first()
    .waitFor();
  await expectAccessible(page, 'kpi-cycle-participants');
});

test('people of a department are reminded once a day', async () => {
  await page.getByRole('tab', { name: 'Overview' }).click();
  await button('Send reminders to Fleet').click();
  const asked = dialog('Send reminders for Autumn 2026');
  await asked.getByText(/^[1-9]\d* open$/).waitFor();
  await expectAccessibleAsIs(page, 'kpi-cycle-remind');
  await asked.getByRole('button', { name: 'Send reminders' }).click();
  await asked.getByText(/^[1-9]\d* reminders? sent for \d+ open steps?\.$/).waitFor();
  await asked.getByRole('button', { name: 'Done' }).click();
  await button('Send reminders to Fleet').click();
  await asked.getByRole('button', { name: 'Send reminders' }).click();
  await asked.getByText(/^0 reminders sent for \d+ open steps?\.$/).waitFor();
  await asked.getByRole('button', { name: 'Done' }).click();
});

test('a window is extended; what was fixed by publishing is not offered', async () => {
  await button('Actions for Autumn 2026').click();
  await page.getByRole('menuitem', { name: 'Edit cycle' }).click();
  const form = dialog('Edit Autumn 2026');
  expect(await form.getByLabel('Improvement plan below').count()).toBe(0);
  await form.getByRole('textbox', { name: 'Closes' }).first().fill('2099-12-05');
  await expectAccessible(page, 'kpi-cycle-edit');
  await form.getByRole('button', { name: 'Save' }).click();
  await toast('Autumn 2026 was saved.');
  await page
    .getByText(/5 Dec 2099/)
    .first()
    .waitFor();
});

test('a cycle with open evaluations is closed by force, with a reason, and opened again', async () => {
  await button('Actions for Autumn 2026').click();
  await page.getByRole('menuitem', { name: 'Close cycle' }).click();
  const asked = dialog('Close Autumn 2026?');
  await asked.getByText(/^\d+ evaluations without a result will be cancelled\.$/).waitFor();
  await expectAccessibleAsIs(page, 'kpi-cycle-close');
  await asked.getByRole('button', { name: 'Close cycle anyway' }).click();
  await asked.getByText('The reason field is required.').waitFor();
  await asked.getByLabel('Reason').fill('It was a trial.');
  await asked.getByRole('button', { name: 'Close cycle anyway' }).click();
  await toast('Autumn 2026 was closed.');
  await button('Actions for Autumn 2026').click();
  await page.getByRole('menuitem', { name: 'Reopen cycle' }).click();
  await dialog('Reopen Autumn 2026').getByLabel('Reason').fill('It goes on after all.');
  await dialog('Reopen Autumn 2026').getByRole('button', { name: 'Reopen cycle' }).click();
  await toast('Autumn 2026 was reopened.');
});

test('results are compared with what was expected, lead to the people and are taken along', async () => {
  await page.goto('/kpi/cycles');
  await link('Q2 2026').click();
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByText(/^\d+ completed results\./).waitFor();
  await page.getByText('Your own result isn’t included.').waitFor();
  await expectAccessible(page, 'kpi-cycle-results');
  await button('View as table').click();
  await page.getByRole('columnheader', { name: 'Band A' }).waitFor();
  await expectAccessible(page, 'kpi-cycle-results-table');
  await button('Export results').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^kpi-results.*\.csv$/);
  expect((await readFile(await download.path())).toString()).toContain('Result in percent');
  await page
    .getByRole('row', { name: /^All results/ })
    .getByRole('link')
    .first()
    .click();
  await page.waitForURL('**band=A**');
  await page
    .getByRole('row', { name: /Completed/ })
    .first()
    .waitFor();
});

test('nothing is wider than a small phone', async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of [
    '/kpi/cycles',
    '/kpi/cycles/new',
    `/kpi/cycles/${cycle}`,
    `/kpi/cycles/${cycle}?tab=departments`,
    `/kpi/cycles/${cycle}?do=edit`,
  ]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
    await expect.poll(() => scrollsSideways(page), { message: path }).toBe(false);
  }
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect(problems).toEqual([]);
});
