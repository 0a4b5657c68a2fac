import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** A file with errors is corrected on the screen, imported, followed from another page and undone. */

const { service: demo, page, problems } = await journey('import', startDemo);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const figure = (name: string, count: string) => button(`${name} ${count}`).waitFor();
const path = () => page.url().slice(demo.address.length);
const watch = () => page.getByRole('complementary', { name: 'Imports in progress' });

const header = 'employee_number,first_name,last_name,email,dept,title,badge';
const row = (name: string, index: number, fields: { email?: string; last?: string } = {}) =>
  [`${name}-${index}`, 'Robin', fields.last ?? `Starter${index}`, fields.email ?? `${name}.${index}@northwind.example`]
    .concat('Night Shift', 'Packer', `B${index}`)
    .join(',');

async function upload(name: string, lines: readonly string[]): Promise<void> {
  await page.goto('/imports/new');
  await heading('Import people');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from([header, ...lines].join('\n')) });
  await page.getByRole('combobox', { name: 'Company for rows without one' }).click();
  await page.locator('[role=option]').first().click();
  await page.getByRole('switch', { name: 'Create missing departments' }).check();
  await button('Check file').click();
}

test('a file is checked: what is wrong is shown at its cell', async () => {
  await page.goto('/imports/new');
  await page.getByLabel('Work email').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.keyboard.press('Enter');
  await heading('Import people');
  const lines = Array.from({ length: 6 }, (_, index) => row('new', index));
  lines[2] = row('new', 2, { email: 'nobody' });
  lines[3] = row('new', 3, { last: '' });
  lines[5] = row('new', 4, { email: 'new.5@northwind.example' });
  await upload('starters.csv', lines);
  await heading('Check results');
  await figure('With errors', '4');
  await page.getByText('1 column won’t be imported:').waitFor();
  await expectAccessible(page, 'import-cells');
});

test('cells are mended by keyboard alone, a row is left out, and a reload resumes there', async () => {
  await button(/^Work email, row 4/).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('new.2@northwind.example');
  await expectAccessibleAsIs(page, 'import-cell-open');
  await page.keyboard.press('Enter');
  await page.getByText('Row 4 is ready to import.').waitFor();
  await page.locator('button:focus', { hasText: 'new.2@northwind.example' }).waitFor();
  await page.reload();
  await heading('Check results');
  await figure('With errors', '3');
  await button(/^Last name, row 5/).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Mended');
  await page.keyboard.press('Tab');
  await page.getByText('Row 5 is ready to import.').waitFor();
  // Two rows have the same number; skipping one of them makes the other one valid.
  await button(/^Skip row 7/).click();
  await page.getByText('Row 7 will be skipped.').waitFor();
  await figure('With errors', '0');
  await figure('New', '5');
});

test('what will happen is said, then it is written and can be looked at person by person', async () => {
  await button('Import 5 people').click();
  const dialog = page.getByRole('dialog', { name: 'Import 5 people?' });
  await dialog.getByText('5 people will be added.').waitFor();
  await dialog.getByText(/aren’t emailed/).waitFor();
  await expectAccessibleAsIs(page, 'import-confirm');
  await button('Import now').click();
  await heading('Import complete');
  await clickAt(page.getByRole('link', { name: 'Robin Starter2' }));
  await heading('Robin Starter2');
  await page.goBack();
  await heading('Import complete');
  await clickAt(page.getByRole('link', { name: 'View imported people' }));
  await heading('Employees');
  await page.getByText('5 people', { exact: true }).waitFor();
  await page.getByText('Showing only people added or changed by this import.').waitFor();
  await expectAccessible(page, 'import-people');
  await page.goBack();
  await heading('Import complete');
  await expectAccessible(page, 'import-result');
});

test('taking it back leaves a person who was changed since, and says why; the others go', async () => {
  const id = path().split('/').at(-1);
  const changed = await page.evaluate(`(async () => {
    const rows = await (await fetch('/api/employees/imports/${id}/rows')).json();
    const token = decodeURIComponent(document.cookie.match(/XSRF-TOKEN=([^;]+)/)[1]);
    const answer = await fetch('/api/employees/' + rows.data[0].subject_id, {
      method: 'PUT', headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'X-XSRF-TOKEN': token },
      body: JSON.stringify({ job_title: 'Lead packer' }),
    });
    return answer.status;
  })()`);
  expect(changed).toBe(200);
  await button('Undo import').click();
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await dialog.waitFor({ state: 'detached' });
  await heading('Import partly undone');
  await page.getByText('1 row couldn’t be undone.').waitFor();
  await page.getByText('Row 2: this person was changed after the import.').waitFor();
  await page.getByRole('link', { name: 'Robin Starter0' }).waitFor();
  await page.getByRole('link', { name: 'Robin Starter2' }).waitFor({ state: 'detached' });
  await expectAccessible(page, 'import-partly-undone');
});

test('one answer reads the dates of a file, and one correction replaces a wrong company in all rows', async () => {
  const lines = Array.from({ length: 6 }, (_, index) =>
    [`Robin,Day${index}`, `day.${index}@northwind.example`, 'Nowhere Ltd', 'Sales', `${12 + index}.05.2026`].join(','),
  );
  await page.goto('/imports/new');
  await heading('Import people');
  const content = ['first_name,last_name,email,company,dept,start date', ...lines].join('\n');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'days.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await clickAt(button('Check file'));
  await heading('Check results');
  await figure('With errors', '6');
  await page.getByText(/^These dates look like DD\.MM\.YYYY/).waitFor();
  await expectAccessible(page, 'import-problems');
  await clickAt(button(/^Read as DD\.MM\.YYYY/));
  await page.getByText(/^These dates look like/).waitFor({ state: 'detached' });
  await clickAt(button(/^Fix all/));
  const company = page.getByRole('combobox', { name: 'Company for 6 rows' });
  await company.fill('');
  await clickAt(page.getByRole('option', { name: 'Northwind Retail' }));
  await expectAccessibleAsIs(page, 'import-replace');
  await clickAt(button('Replace in 6 rows'));
  await figure('New', '6');
  await clickAt(button('Undo'));
  await figure('With errors', '6');
  // The cell offers the departments of its row's company.
  await clickAt(button(/^Company, row 2/));
  await page.keyboard.type('Northwind Ret');
  // the suggestions for the typed text, which arrive a moment later
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await clickAt(page.getByRole('option', { name: 'Northwind Retail' }));
  await page.getByText('Row 2 is ready to import.').waitFor();
  await clickAt(button('Discard'));
  await clickAt(page.getByRole('dialog').getByRole('button', { name: 'Discard' }));
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
});

test('a large import is followed on other pages until it ends, and its result is opened from there', async () => {
  await upload(
    'many.csv',
    Array.from({ length: 2_500 }, (_, index) => row('many', index)),
  );
  await button('Import 2,500 people').click({ timeout: 60_000 });
  await button('Import now').click();
  await page.getByText(/of 2,500 rows/).waitFor();
  await page.getByRole('link', { name: 'Org chart' }).first().click();
  await watch().locator('bdi', { hasText: 'many.csv' }).waitFor();
  await expectAccessible(page, 'import-watch');
  await page.getByRole('link', { name: 'Employees' }).first().click();
  await watch().getByText('Import complete').waitFor({ timeout: 90_000 });
  await watch()
    .getByRole('link', { name: /^View results/ })
    .click();
  await heading('Import complete');
  await figure('Created', '2,500');
  await watch().waitFor({ state: 'hidden' });
});

test('it is taken back, and the history says so', async () => {
  await button('Undo import').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('heading', { level: 1, name: 'Import undone' }).waitFor({ timeout: 90_000 });
  await page.goto('/imports');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Undone');
  await page.getByRole('link', { name: 'starters.csv' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'many.csv' }).waitFor();
  expect(path()).toContain('status=undone');
  await expectAccessible(page, 'imports-filtered');
});

test('after too many requests a page counts down and comes by itself', async () => {
  let refusals = 0;
  await page.route('**/api/employees/imports?*', (route) => {
    if (route.request().url().includes('status=processing') || refusals > 0) return route.continue();
    refusals += 1;
    return route.fulfill({
      status: 429,
      headers: { 'Retry-After': '3', 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: 'Too Many Attempts.' }),
    });
  });
  await page.goto('/imports');
  await page.getByText(/try again in \d seconds?/).waitFor();
  await expectAccessibleAsIs(page, 'too-many');
  await page.getByRole('link', { name: 'starters.csv' }).waitFor();
  expect(refusals).toBe(1);
});

test('without a network the page stays, says so, and goes on by itself', async () => {
  await page.context().setOffline(true);
  await page.getByText(/You’re offline/).waitFor();
  await expectAccessible(page, 'offline');
  await page.getByRole('link', { name: 'starters.csv' }).waitFor();
  await page.context().setOffline(false);
  await page.getByText('You’re back online.').waitFor();
});

test('while the service is away, a screen that is not loaded yet says so, and opens afterwards', async () => {
  await page.route('**/*', (route) => route.abort());
  await clickAt(page.getByRole('link', { name: 'Org chart', exact: true }));
  await heading('Can’t reach Tenure');
  await expectAccessible(page, 'unreachable');
  await clickAt(button('Try again'));
  await heading('Can’t reach Tenure');
  await page.unroute('**/*');
  await clickAt(button('Try again'));
  await heading('Org chart');
});

test('no page had an error, broke the content security policy or left the service', () => {
  const provoked = /status of 429|ERR_INTERNET_DISCONNECTED|ERR_FAILED|The service is away/;
  expect(problems.filter((problem) => !provoked.test(problem))).toEqual([]);
});
