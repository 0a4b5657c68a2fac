import { expect, test } from 'vitest';
import { archiveOf } from '../server/src/testing/archive-fixtures.ts';
import { expectAccessible } from './accessible.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** Documents are imported from a ZIP archive by employee number, a wrong number is corrected, the import is undone. */

const { service: demo, page, problems } = await journey('file-imports', startDemo);

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
let person: { id: number; employee_number: string };

const archive = (files: Readonly<Record<string, string>>) =>
  archiveOf(Object.entries(files).map(([name, content]) => ({ name, content })));

test('an archive is uploaded with type and visibility, and its files are checked', async () => {
  await page.goto('/imports');
  await page.getByLabel('Work email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await clickAt(button('Files'));
  await page.getByRole('link', { name: 'Import files' }).first().click();
  await heading('Import employee files');
  const read = async () => {
    const answer = await fetch('/api/employees?per_page=2&activity_status=active', {
      headers: { Accept: 'application/json' },
    });
    return (await answer.json()) as { data: { id: number; employee_number: string; email: string }[] };
  };
  const { data } = await page.evaluate(read);
  const found = data.find(({ email }) => email !== demo.email);
  if (!found) throw new Error('no person for the files');
  person = found;
  const n = person.employee_number;
  const files = {
    [`${n}/First aid course.csv`]: 'course,day\nFirst aid,2024-03-12\n',
    [`${n}_Equipment.csv`]: 'item,day\nLaptop,2024-01-08\n',
    'Old number/Training plan.csv': 'month,topic\nJanuary,Safety\n',
    [`${n}/Setup.exe`]: 'MZ',
  };
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'files.zip', mimeType: 'application/zip', buffer: archive(files) });
  await page.getByLabel('Type, unless a folder sets it').selectOption('certificate');
  await page.getByLabel('Visible to').selectOption('employee');
  await expectAccessible(page, 'file-imports-new');
  await button('Check file').click();
  await heading('Check results');
  await button('With errors 2').waitFor();
  await expectAccessible(page, 'file-imports-check');
});

test('a wrong number is corrected, and the right files are added', async () => {
  await button(/^Employee number, row 3/).click();
  await page.getByRole('textbox', { name: 'Employee number, row 3' }).fill(person.employee_number);
  await page.keyboard.press('Enter');
  await button('With errors 1').waitFor();
  await button(/^All/).click();
  await page.getByText('Training plan').first().waitFor();
  await expectAccessible(page, 'file-imports-all');
  await button('Change settings').click();
  await heading('Type and visibility');
  await expectAccessible(page, 'file-imports-settings');
  await button('Back to results').click();
  await button('Add 3 files').click();
  await page.getByRole('dialog').getByText('3 files will be added.').waitFor();
  await expectAccessible(page, 'file-imports-confirm');
  await page.getByRole('dialog').getByRole('button', { name: 'Import now' }).click();
  await heading('Import complete');
  await expectAccessible(page, 'file-imports-result');
});

test('they stand with the documents of the person until the import is undone', async () => {
  const result = page.url();
  await page.goto(`/employees/${person.id}?tab=documents`);
  await page.getByText('First aid course').first().waitFor();
  await page.goto(result);
  await button('Undo import').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^3 files will be deleted/).waitFor();
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await heading('Import undone');
  await page.goto(`/employees/${person.id}?tab=documents`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Documents', selected: true }).waitFor();
  await expect.poll(() => page.getByText('First aid course').count()).toBe(0);
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect(problems).toEqual([]);
});
