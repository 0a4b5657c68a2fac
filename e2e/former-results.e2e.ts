import { expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** Results from a former system are imported and appear among the reviews of a person, where HR corrects one. */

const { service: demo, page, problems } = await journey('former-results', startDemo);

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
let person: { id: number; employee_number: string };

test('a file is uploaded with its source, and its words are matched with the bands', async () => {
  await page.goto('/imports');
  await page.getByLabel('Work email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await clickAt(button('Former results'));
  await page.getByRole('link', { name: 'Import former results' }).first().click();
  await heading('Import former results');
  const read = async () => {
    const answer = await fetch('/api/employees?per_page=2&activity_status=active', {
      headers: { Accept: 'application/json' },
    });
    return (await answer.json()) as { data: { id: number; employee_number: string; email: string }[] };
  };
  const { data } = await page.evaluate(read);
  const found = data.find(({ email }) => email !== demo.email);
  if (!found) throw new Error('no person for the results');
  person = found;
  const lines = [
    'Employee ID,Review cycle,Rating,Rating scale,Rating label',
    `${person.employee_number},2019,4,1-5,Exceeds expectations`,
    `${person.employee_number},2020,4.5,1-5,Exceeds expectations`,
    `${person.employee_number},2021,7,1-5,`,
  ];
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await page.getByLabel('Source for rows without one').fill('Old HR');
  await expectAccessible(page, 'former-results-new');
  await button('Check file').click();
  await heading('Check results');
  await button('With errors 3').waitFor();
  await expectAccessible(page, 'former-results-check');
  await button(/^Use/).click();
  await button('With errors 1').waitFor();
});

test('the right rows are written', async () => {
  await button('Import 2 results').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Import now' }).click();
  await heading('Import complete');
  await expectAccessible(page, 'former-results-result');
});

test('they stand with the reviews of the person, where HR corrects one', async () => {
  await page.goto(`/employees/${person.id}?tab=reviews`);
  await page.getByRole('region', { name: 'Results over time' }).waitFor();
  await page.getByText('Former result · from Old HR').first().waitFor();
  await expectAccessible(page, 'former-results-profile');
  await button('Correct the former result 2020').click();
  const dialog = page.getByRole('dialog', { name: 'Correct a former result' });
  await dialog.waitFor();
  await expectAccessible(page, 'former-results-correct');
  await dialog.getByLabel('Result', { exact: true }).fill('3.5');
  await dialog.getByLabel(/^Reason/).fill('The personnel file says 3.5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('3.5 on a scale from 1 to 5').waitFor();
});

test('no page had an error, broke the content security policy or left the service', () => {
  expect(problems).toEqual([]);
});
