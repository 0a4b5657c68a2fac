import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** A manager leaves, and the manager's responsibilities are reassigned, each by finger. */

const { hand, problems } = await phones('touch-offboarding');
const hr = await hand('hr');
const { page } = hr;
const name = 'Marta Taylor';

test('the end of an employment is planned', async () => {
  await hr.goTo('/employees?search=Marta%20Taylor');
  await hr.link(/^Marta Taylor/, page.getByRole('main'));
  await hr.heading(name);
  await hr.menu('Actions', 'End employment…');
  await hr.fill(page.getByRole('textbox', { name: 'Last working day' }), '2099-06-30');
  await hr.write(/^Reason/, 'Moves to another city');
  await hr.fitsBesideKeys('end employment');
  await hr.press('End employment');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('HR finds the task, and sees what is left to do', async () => {
  await hr.goTo('/tasks?search=Marta%20Taylor');
  await hr.fits('task of off-boarding');
  await hr.link(`Reassign ${name}’s responsibilities`);
  await hr.heading(`${name}’s responsibilities`);
  await hr.fits('responsibilities');
});

test('two are selected and go together', async () => {
  const boxes = page.getByRole('checkbox', { name: /^Select (KPI evaluation|Direct report|Probation review)/ });
  const before = await boxes.count();
  for (const place of [0, 1]) await hr.choose(boxes.nth(place));
  await hr.press('Reassign 2 selected…');
  const asked = hr.dialog(/^Reassign 2 responsibilities/);
  await hr.tap(asked.getByRole('combobox', { name: /^New owner/ }));
  await hr.tap(page.getByRole('option'));
  await hr.fitsBesideKeys('reassign');
  await hr.press('Reassign', asked);
  await hr.sees('2 responsibilities reassigned.');
  await expect.poll(() => boxes.count()).toBeLessThan(before);
  expect(problems).toEqual([]);
});
