import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** A KPI cycle goes through its steps and is published; a template is written. Each by finger. */

const { hand, problems } = await phones('touch-cycle');
const hr = await hand('admin');
const { page } = hr;

const next = async (step: string) => {
  await hr.press('Continue');
  await page.waitForURL(`**step=${step}**`);
};
const day = (name: string) => page.getByRole('textbox', { name });

test('a template gets its items and is activated', async () => {
  await hr.open('KPI templates');
  await hr.fits('templates');
  await hr.link('New template');
  await hr.fill(page.getByRole('textbox', { name: /^Name/ }), 'Field engineer');
  for (const [place, name] of ['Orders done', 'Care for tools'].entries()) {
    await hr.press('Add item');
    await hr.fill(page.getByRole('textbox', { name: `Name of Item ${place + 1}` }), name);
  }
  await hr.press('Distribute evenly');
  await hr.sees('Weights add up to 100%');
  await hr.fits('template');
  await hr.press('Move Orders done down');
  await hr.press('Activate');
  await hr.sees('Field engineer is active.');
  await hr.fits('active template');
});

test('a cycle gets its name, its days and its departments', async () => {
  await hr.open('KPI cycles');
  await hr.fits('cycles');
  await hr.link('New cycle');
  await hr.heading('New KPI cycle');
  await hr.write('Name', 'Autumn 2026');
  await hr.fill(day('Start'), '2026-10-01');
  await expect.poll(() => day('End').inputValue()).toBe('31 Dec 2026');
  await hr.fits('cycle: basics');
  await next('who');
  for (const name of ['Customs', 'Fleet']) await hr.choose(page.getByRole('checkbox', { name }));
  await hr.sees(/^2 departments selected/);
  await hr.fits('cycle: departments');
  await next('templates');
});

test('departments share a template, and the windows are set', async () => {
  await hr.tap(page.getByRole('combobox', { name: 'Northwind Logistics: both departments' }));
  await hr.tap(page.getByRole('option'));
  await hr.press('Use for 2 departments');
  await expect.poll(() => page.getByText('Ready', { exact: true }).count()).toBe(2);
  await hr.fits('cycle: templates');
  await next('dates');
  const windows = [
    ['2026-11-20', '2099-11-30'],
    ['2026-12-01', '2099-12-20'],
  ] as const;
  for (const [place, [opens, closes]] of windows.entries()) {
    await hr.fill(day('Opens').nth(place), opens);
    await hr.fill(day('Closes').nth(place), closes);
  }
  await hr.fits('cycle: dates');
  await next('review');
  await hr.fits('cycle: review');
});

test('it is published, and its board followed', async () => {
  await hr.press('Continue to publish');
  const asked = hr.dialog('Publish Autumn 2026');
  await asked.getByText(/^Creates \d+ evaluations and notifies \d+ people\.$/).waitFor();
  await hr.fits('publishing');
  const without = asked.getByRole('checkbox', { name: /^Publish without a reviewer for/ });
  if ((await without.count()) > 0) await hr.choose(without);
  await hr.press('Publish', asked);
  await hr.sees(/^Published\. \d+ evaluations created\.$/);
  await hr.press('Close');
  await hr.fits('board');
  for (const tab of ['Participants', 'Departments', 'Results']) {
    await hr.tab(new RegExp(`^${tab}`));
    await hr.fits(`cycle: ${tab}`);
  }
  expect(problems).toEqual([]);
});
