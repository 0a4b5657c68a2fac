import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** A company is added by finger. */

const { hand, problems } = await phones('touch-structure');
const admin = await hand('admin');

test('a company is added', async () => {
  await admin.open('Departments');
  await admin.fits('companies');
  await admin.menu('More', 'Add company');
  const form = admin.dialog('Add company');
  await admin.write('Name', 'Northwind Labs', form);
  await admin.fitsBesideKeys('add company');
  await admin.press('Add company', form);
  await admin.sees('Northwind Labs was added.');
  expect(problems).toEqual([]);
});
