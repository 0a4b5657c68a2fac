import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs } from './accessible.ts';
import { openPage } from './browser.ts';
import { journey } from './journey.ts';
import { printed } from './paper.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** People in a group of companies: added, changed concurrently, moved today and tomorrow, one by one and in bulk. */

const { service: demo, browser, page, problems } = await journey('people', startDemo);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const badge = (text: string) => page.locator('[data-tone]').and(page.getByText(text, { exact: true }));
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const person = () => new URL(page.url()).pathname.split('/').at(-1) ?? '';

async function signIn(on: Page, email: string) {
  await on.goto('/login');
  await fillSignIn(on, email);
  await on.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor();
}

async function fillSignIn(on: Page, email: string) {
  await on.getByLabel('Work email').fill(email);
  await on.getByLabel('Password', { exact: true }).fill(demo.password);
  await on.keyboard.press('Enter');
}

async function choose(label: string, text: string | RegExp, within = page.locator('body')) {
  const field = within.getByRole('combobox', { name: label });
  await field.click();
  if (typeof text === 'string') await field.fill(text);
  await page.getByRole('option', { name: text }).first().click();
}

/** Calls the service directly, in the session of a page. */
const ask = (on: Page, method: string, path: string, body?: Record<string, string>) =>
  on.evaluate(
    async ([how, where, content]) => {
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(token) };
      return (await fetch(where, { method: how, headers, ...(content !== '' && { body: content }) })).status;
    },
    [method, path, body ? JSON.stringify(body) : ''] as const,
  );

/** Changes a person as another user would, while the screen still shows the previous state. */
async function elsewhere(id: string, change: Record<string, string>) {
  expect(await ask(page, 'PUT', `/api/employees/${id}`, change)).toBe(200);
}

/** Ends the session of the page from another session of the same person. */
async function endSession() {
  const other = await openPage(browser, demo.address);
  await signIn(other.page, 'hr@northwind.example');
  expect(await ask(other.page, 'DELETE', '/api/profile/sessions')).toBe(204);
  await other.page.context().close();
}

test('HR opens the directory and the form for a new person', async () => {
  await signIn(page, 'hr@northwind.example');
  await page.goto('/employees');
  await heading('Employees').waitFor();
  await page.getByRole('row').nth(5).waitFor();
  await page.getByRole('link', { name: 'Add employee' }).click();
  await heading('Add employee').waitFor();
  expect(new URL(page.url()).pathname).toBe('/employees/new');
});

const identity: [string, string][] = [
  ['First name', 'Wanda'],
  ['Last name', 'Quill'],
  ['Work email', 'wanda.quill@northwind.example'],
  ['Middle name', 'Iris'],
  ['Salutation', 'Dr'],
  ['Display name', 'Dr Wanda Quill'],
  ['Phone', '+44 20 7946 0101'],
  ['Mobile', '+44 7700 900101'],
  ['Personal email', 'wanda@home.example'],
  ['Date of birth', '1990-04-05'],
  ['Nationality', 'Irish'],
  ['Street', '1 Quay Street'],
  ['Address line 2', 'Flat 2'],
  ['Postal code', 'M1 1AA'],
  ['City', 'Manchester'],
  ['State or region', 'Lancashire'],
  ['Country', 'GB'],
  ['Contact name', 'Tom Quill'],
  ['Relationship', 'Brother'],
  ['Contact phone', '+44 7700 900102'],
  ['Bank', 'Northern Bank'],
  ['Branch', 'Manchester'],
  ['Account holder', 'Wanda Quill'],
  ['Account number', '12345678'],
  ['IBAN', 'GB29NWBK60161331926819'],
];

/** Opens all collapsed parts of the form. */
async function unfold() {
  const folded = page.locator('details:not([open]) > summary');
  while ((await folded.count()) > 0) await folded.first().click();
}

async function fillIdentity() {
  await unfold();
  for (const [label, value] of identity)
    await page
      .getByLabel(new RegExp(`^${label}( \\*)?$`))
      .first()
      .fill(value);
  await page.getByLabel('Gender').selectOption('female');
  await page.getByLabel('Marital status').selectOption('single');
}

test('leaving a form that was begun asks first', async () => {
  await page.getByLabel(/^First name/).fill('Wanda');
  await page.getByRole('link', { name: 'Home' }).click();
  await dialog('Leave without saving?').waitFor();
  await expectAccessibleAsIs(page, 'people-leave');
  await button('Keep editing').click();
  expect(await page.getByLabel(/^First name/).inputValue()).toBe('Wanda');
});

test('what was entered survives the end of the session', async () => {
  await fillIdentity();
  await button('Next: job').click();
  await choose('Company', 'Northwind Holdings');
  // the page notices the end of the session by itself
  await endSession();
  await heading('Sign in').waitFor();
  await fillSignIn(page, 'hr@northwind.example');
  await page.getByText('We’ve restored what you entered.').waitFor();
  expect(await page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('tenure.'))")).toEqual([]);
  await button(/Identity/).click();
  expect(await page.getByLabel(/^Work email/).inputValue()).toBe('wanda.quill@northwind.example');
});

test('a person is added with every field; the one-time password is shown once', async () => {
  await button('Next: job').click();
  // the name of the selected company is loaded again
  await expect.poll(() => page.getByRole('combobox', { name: 'Company' }).inputValue()).toBe('Northwind Holdings');
  await choose('Department', 'Engineering');
  await page.getByLabel('Job title').fill('Engineer');
  await choose('Reports to', 'Rosa');
  await page.getByLabel('Employment type').selectOption('part_time');
  await page.getByRole('textbox', { name: /^Start date/ }).fill('1 Jun 2026');
  await unfold();
  await page.getByLabel('Employee number').fill('WQ-1');
  await page.getByLabel('Grade').fill('T3');
  await page.getByRole('textbox', { name: 'Probation start date' }).fill('2026-06-01');
  await page.getByRole('textbox', { name: 'Probation end date' }).fill('2027-06-01');
  await page.getByRole('switch', { name: /Create one-time password/ }).check();
  await expectAccessible(page, 'people-new-job');
  await button('Save').click();
  await dialog('One-time password').waitFor();
  await expectAccessibleAsIs(page, 'people-one-time-password');
  await button('Done').click();
  await heading('Dr Wanda Quill').waitFor();
  await page.getByText('WQ-1', { exact: true }).first().waitFor();
  expect(await page.getByText('Irish', { exact: true }).count()).toBe(0);
  await clickAt(button('Show private details'));
  for (const text of ['WQ-1', 'Part time', 'Iris', 'Irish', 'Flat 2', 'Tom Quill', 'Northern Bank', '****6819'])
    await page.getByText(text, { exact: true }).first().waitFor();
  await expectAccessible(page, 'people-profile');
});

test('the profile is printed as it is open: with private details, and after hiding them without', async () => {
  const whole = await printed(page);
  for (const part of ['Dr Wanda Quill', 'WQ-1', 'Part time', 'Irish', 'Direct reports']) expect(whole).toContain(part);
  for (const part of ['Write email', 'All people', 'Hide private details']) expect(whole).not.toContain(part);
  await clickAt(button('Hide private details'));
  const closed = await printed(page);
  expect(closed).toContain('WQ-1');
  for (const part of ['Irish', '6819', 'Private details']) expect(closed).not.toContain(part);
});

test('a list is printed without its buttons and the filters that are not set', async () => {
  const list = await page.context().newPage();
  await list.goto('/employees?search=Quill');
  await list.getByRole('row', { name: /Wanda Quill/ }).waitFor();
  const gone = [
    list.getByRole('link', { name: 'Add employee' }),
    list.getByRole('combobox', { name: 'Company' }),
    list.getByText('Rows per page'),
  ];
  for (const one of gone) await one.first().waitFor();
  await list.emulateMedia({ media: 'print' });
  for (const one of gone) expect(await one.first().isVisible()).toBe(false);
  expect(await list.getByRole('row', { name: /Wanda Quill/ }).isVisible()).toBe(true);
  expect(await list.getByRole('searchbox').first().isVisible()).toBe(true);
  await list.close();
});

test('an e-mail address that is taken is said before and after saving', async () => {
  const own = page.url();
  await page.goto('/employees/new');
  await page.getByLabel(/^First name/).fill('Wanda');
  await page.getByLabel(/^Last name/).fill('Quill');
  await page.getByLabel(/^Work email/).fill('wanda.quill@northwind.example');
  await page.getByText('Possible duplicate').waitFor();
  await page.getByText('This email is already in use.').waitFor();
  await button('Next: job').click();
  await choose('Company', 'Northwind Holdings');
  await choose('Department', 'Engineering');
  await button('Save').click();
  await page.locator('input[type=email]:focus').waitFor();
  await page.getByText('The email has already been taken.').waitFor();
  expect(new URL(page.url()).search).toBe('?step=identity');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await button('Discard changes').click();
  await heading('Employees').waitFor();
  await page.goto(own);
});

test('two people change the same record: both versions are shown and nothing is lost', async () => {
  await button('Show private details').click();
  await button('Hide private details').waitFor();
  await button(/^Edit\s*Contact$/).click();
  await page.getByLabel('Phone', { exact: true }).fill('+44 20 7946 0202');
  await page.getByLabel('Mobile', { exact: true }).fill('+44 7700 900202');
  await elsewhere(person(), { phone: '+44 20 7946 0303', personal_email: 'wanda@elsewhere.example' });
  await button('Save').click();
  await dialog('Someone else edited this too').waitFor();
  await expectAccessibleAsIs(page, 'people-conflict');
  await page.getByRole('radio', { name: /Their version/ }).check();
  await button('Save selection').click();
  await page.getByText('Saved.').waitFor();
  for (const text of ['+44 20 7946 0303', '+44 7700 900202', 'wanda@elsewhere.example'])
    await page.getByText(text, { exact: true }).first().waitFor();
});

test('a move is planned for a day to come, cancelled, and planned again by undoing that', async () => {
  await page.getByRole('tab', { name: 'Job' }).click();
  await button('Change job').click();
  const change = dialog('Change Dr Wanda Quill’s job');
  await change.getByRole('textbox', { name: /^Effective date/ }).fill('2099-03-01');
  await choose('Department', 'Finance', change);
  await expectAccessibleAsIs(page, 'people-change-job');
  await change.getByRole('button', { name: 'Save' }).click();
  const planned = page.getByRole('region', { name: 'Planned' });
  await planned.getByText('Finance').waitFor();
  await expectAccessible(page, 'people-job');
  await planned.getByRole('button', { name: /Cancel change/ }).click();
  await page.getByText('Planned change cancelled.').waitFor();
  await button('Undo').click();
  await planned.getByText('Finance').waitFor();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByText('Engineering', { exact: true }).first().waitFor();
});

test('the end of an employment says what follows, and can be withdrawn', async () => {
  await button('Actions').click();
  await page.getByRole('menuitem', { name: 'End employment…' }).click();
  await page.getByRole('textbox', { name: 'Last working day' }).fill('2099-06-30');
  await page.getByLabel(/^Reason/).fill('Moves to another city');
  await expectAccessibleAsIs(page, 'people-separate');
  await button('End employment').click();
  await badge('Leaving').waitFor();
  await button('Actions').click();
  await page.getByRole('menuitem', { name: 'Cancel departure…' }).click();
  await page.getByLabel(/^Reason/).fill('Stays after all');
  await button('Cancel departure').click();
  await badge('Probation').waitFor();
});

test('forty people are moved together; the two who were changed meanwhile are refused', async () => {
  await page.goto('/employees?per_page=30&activity_status=active&entity_id=1&employment_lifecycle=confirmed');
  await page.getByRole('row').nth(30).waitFor();
  const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox') });
  const idOf = async (place: number) =>
    (await rows.nth(place).getByRole('link').first().getAttribute('href'))?.split('/').at(-1) ?? '';
  const changed = [await idOf(3), await idOf(4)];
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await button('Next page').click();
  await page.getByText('31–').waitFor();
  for (let place = 1; place <= 10; place += 1) await rows.nth(place).getByRole('checkbox').check();
  await page.getByText('40 selected').waitFor();
  await expectAccessible(page, 'people-chosen');
  await button('Move').click();
  const move = dialog('Move 40 people');
  await choose('Department', 'Customer Success', move);
  await move.getByRole('button', { name: 'Preview changes' }).click();
  await move.getByText(/40 will change|39 will change/).waitFor();
  await expectAccessibleAsIs(page, 'people-move');
  for (const id of changed) await elsewhere(id, { grade: 'T9' });
  await move.getByRole('button', { name: /^Move \d+ people$/ }).click();
  await page.getByText('2 failed').waitFor();
  await expectAccessibleAsIs(page, 'people-moved');
  await button('Done').click();
  await page.goto('/employees?per_page=100&search=');
});

test('a filter takes two departments by pointer; a chip removes one, and the menu of a row leads to a step', async () => {
  await page.goto('/employees?search=engineer');
  await page.getByRole('row').nth(1).waitFor();
  await clickAt(page.getByRole('combobox', { name: 'Department' }));
  for (const name of ['Engineering', 'Finance']) await clickAt(page.getByRole('option', { name, exact: true }).first());
  const chip = (name: string) => page.getByRole('button', { name: new RegExp(`^Department: ${name}`) });
  await chip('Finance').waitFor();
  await page.keyboard.press('Escape');
  await clickAt(chip('Finance'));
  await chip('Finance').waitFor({ state: 'detached' });
  await chip('Engineering').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Engineer' }).nth(1);
  await clickAt(row.getByRole('button', { name: /^Actions for / }));
  await expectAccessibleAsIs(page, 'people-row-menu');
  await clickAt(page.getByRole('menuitem', { name: 'Change job…' }));
  await dialog(/^Change .*’s job$/).waitFor();
  await page.keyboard.press('Escape');
});

test('a view is saved for all users; a manager sees with it fewer people and columns', async () => {
  await page.goto('/employees?joined_from=2000-01-01');
  await page.getByRole('row').nth(5).waitFor();
  await button('Columns and density').click();
  await page.getByRole('menuitemcheckbox', { name: 'Grade' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Grade' }).waitFor();
  await button(/^View/).click();
  await expectAccessibleAsIs(page, 'people-views');
  await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill('Joined this century');
  await page.getByRole('switch', { name: /Share with everyone/ }).check();
  await button('Save').click();
  await button(/^View:\s*Joined this century/).waitFor();
  const all = await page.getByText(/^\d+ people$/).textContent();

  const other = await openPage(browser, demo.address);
  await signIn(other.page, 'manager@northwind.example');
  await other.page.goto('/employees');
  await other.page.getByRole('button', { name: /^View/ }).click();
  await other.page.getByRole('menuitem', { name: /Joined this century/ }).click();
  await other.page.getByRole('button', { name: /^View:\s*Joined this century/ }).waitFor();
  await other.page.getByRole('row').nth(1).waitFor();
  const fewer = await other.page.getByText(/^\d+ (people|person)$/).textContent();
  expect(Number.parseInt(fewer ?? '', 10)).toBeLessThan(Number.parseInt(all ?? '', 10));
  expect(other.problems).toEqual([]);
  await other.page.context().close();
});

test('an employee is offered no column of other people’s employment, and nothing to change', async () => {
  const other = await openPage(browser, demo.address);
  await signIn(other.page, 'employee@northwind.example');
  await other.page.goto('/employees');
  await other.page.getByRole('row').nth(1).waitFor();
  expect(await other.page.getByRole('checkbox').count()).toBe(0);
  expect(await other.page.getByRole('link', { name: 'Add employee' }).count()).toBe(0);
  await other.page.context().close();
});

test('no page had an error or broke the content security policy', () => {
  expect(problems).toEqual([]);
});
