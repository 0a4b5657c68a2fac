import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** A company is added, and departments to another one, each by finger. */

const { hand, problems } = await phones('touch-structure');
const admin = await hand('admin');

/** The selected tab is fully on the screen, even if it was not selected by a tap. */
async function expectTabInSight(name: string): Promise<void> {
  const tab = admin.page.getByRole('tab', { name, selected: true });
  await tab.waitFor();
  const right = async () => {
    const box = await tab.boundingBox();
    return box ? box.x + box.width : Infinity;
  };
  await expect.poll(right).toBeLessThanOrEqual(390);
}

test('a company is added', async () => {
  await admin.open('Departments');
  await admin.fits('companies');
  await admin.menu('More', 'Add company');
  const form = admin.dialog('Add company');
  await admin.write('Name', 'Zulu Foods', form);
  await admin.fitsBesideKeys('add company');
  await admin.press('Add company', form);
  await admin.sees('Zulu Foods was added.');
  await expectTabInSight('Zulu Foods');
});

test('the tab of another company is tapped, and a department added there', async () => {
  await admin.tab('Northwind Retail');
  await expectTabInSight('Northwind Retail');
  await admin.fits('departments of a company');
  await admin.press('Add department');
  const form = admin.dialog('Add department');
  await admin.write('Name', 'Pop-up shops', form);
  await admin.fitsBesideKeys('add department');
  await admin.press('Add department', form);
  await admin.sees('Pop-up shops was added.');
});

test('a department below it is added from its menu', async () => {
  await admin.menu('Actions for Pop-up shops', 'Add sub-department…');
  const form = admin.dialog('Add sub-department to Pop-up shops');
  await admin.write('Name', 'Market stalls', form);
  await admin.press('Add department', form);
  await admin.sees('Market stalls was added.');
  expect(problems).toEqual([]);
});
