import { expect, test } from 'vitest';
import { expectAccessible, scrollsSideways } from './accessible.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** A cycle runs with the wrong template in a department; HR replaces it and sees in advance how people are affected. */

const { service: demo, page, problems } = await journey('wrong-template', startDemo);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => page.getByRole('dialog');
const menuItem = (name: string) => page.getByRole('menuitem', { name });

test('the menu of a published department leads to the replacement of its template', async () => {
  await page.goto('/kpi/cycles');
  await page.getByLabel('Work email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await heading('KPI cycles');
  await clickAt(page.getByRole('link', { name: 'Q3 2026', exact: true }));
  await heading('Q3 2026');
  await clickAt(page.getByRole('tab', { name: 'Departments' }));
  await clickAt(button('Actions for Finance'));
  await clickAt(menuItem('Replace template…'));
  await dialog().waitFor();
  await clickAt(page.getByRole('combobox', { name: 'New template' }));
  await page.getByRole('option').first().click();
  await expectAccessible(page, 'kpi-cycle-replace');
  await clickAt(button('Preview'));
});

test('the preview names each person, and a begun evaluation can be ticked', async () => {
  await page.getByRole('table').last().waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
  const box = dialog().getByRole('checkbox').first();
  if (await box.count()) {
    await clickAt(box);
    await page.getByRole('textbox', { name: /Reason/ }).fill('The office template was used by mistake.');
  }
  await expectAccessible(page, 'kpi-cycle-replace-preview');
  await clickAt(button('Replace template'));
  await page.getByText(/with the new template/).waitFor();
});

test('nothing went wrong on the way', () => {
  expect(problems).toEqual([]);
});
