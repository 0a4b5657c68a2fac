import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** A file is chosen, one cell is corrected with a finger, the people are imported, and the import is undone. */

const { hand, problems } = await phones('touch-import');
const hr = await hand('hr');
const { page } = hr;

const lines = [
  'employee_number,first_name,last_name,email,dept,title',
  'touch-1,Robin,Finger,robin.finger@northwind.example,Night Shift,Packer',
  'touch-2,Alex,Finger,none,Night Shift,Packer',
  'touch-3,Sam,Finger,sam.finger@northwind.example,Night Shift,Packer',
];

test('a file is uploaded with a company for its rows', async () => {
  await hr.open('Imports');
  await hr.link('Import people');
  await hr.heading('Import people');
  await hr.fits('import');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'finger.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await hr.pick('Company for rows without one', 'Northwind Retail');
  await hr.choose(page.getByRole('switch', { name: 'Create missing departments' }));
  await hr.press('Check file');
  await hr.heading('Check results');
  await hr.fits('check results');
});

test('the wrong cell is corrected where it is', async () => {
  await hr.press(/^Work email, row 3/);
  await page.keyboard.type('alex.finger@northwind.example');
  await hr.fits('cell');
  await page.keyboard.press('Enter');
  await hr.sees('Row 3 is ready to import.');
});

test('what will happen is said, and the people are imported', async () => {
  await hr.press('Import 3 people');
  await hr.fits('import confirmation');
  await hr.press('Import now');
  await hr.heading('Import complete');
  await hr.fits('import result');
  await hr.link(/^Open/);
  await hr.heading('Robin Finger');
  await page.goBack();
  await hr.heading('Import complete');
});

test('the import is undone', async () => {
  await hr.press('Undo import');
  await hr.press('Undo import', hr.dialog('Undo this import?'));
  await hr.heading('Import undone');
  await hr.fits('import undone');
  expect(problems).toEqual([]);
});
