import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, scrollsSideways } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** People without an email address: HR adds one, and records what others acknowledged and answered on paper. */

const { service: demo, browser, page: hr, problems } = await journey('no-sign-in', startDemo);

const today = Temporal.Now.plainDateISO('UTC').toString();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const sheet = { name: 'signed.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') };

type Row = {
  id: number;
  name?: string;
  email?: string | null;
  employee_id?: number;
  employee_acknowledged_at?: string | null;
};
const rowsOf = (path: string) =>
  hr.evaluate(async (address) => {
    const answer = await fetch(address, { headers: { Accept: 'application/json' } });
    return ((await answer.json()) as { data: Row[] }).data;
  }, `/api/${path}`);

/** The records of demo people without an address. */
async function ofPeopleWithout(path: string): Promise<Row[]> {
  const logistics = (await rowsOf('entities')).find(({ name }) => name === 'Northwind Logistics');
  const people = await rowsOf(`employees?per_page=100&entity_id=${logistics?.id}`);
  const ids = people.filter(({ email }) => email === null).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(2);
  return rowsOf(`${path}&per_page=100&employee_id=${ids.join(',')}`);
}

async function choose(label: string, text: string): Promise<void> {
  await hr.getByRole('combobox', { name: label }).click();
  await hr.getByRole('option', { name: text }).first().click();
}

test('HR adds a person without an address, whose profile names no contact and no account', async () => {
  await signIn(hr, demo, 'hr@northwind.example');
  await hr.goto('/employees/new');
  await hr.getByLabel(/^First name/).fill('Ivo');
  await hr.getByLabel(/^Last name/).fill('Kowalski');
  await said(hr, /Leave empty for people without a sign-in/);
  await clickAt(button(hr, 'Next: job'));
  await choose('Company', 'Northwind Logistics');
  await choose('Department', 'Warehouse');
  await clickAt(button(hr, 'Save'));
  await hr.getByRole('heading', { level: 1, name: 'Ivo Kowalski' }).waitFor();
  const summary = hr.getByRole('complementary', { name: 'At a glance' });
  await summary.getByRole('heading', { name: 'Direct reports' }).waitFor();
  expect(await summary.getByRole('heading', { name: 'Work contact' }).count()).toBe(0);
  expect(await hr.locator('a[href^="mailto:"]').count()).toBe(0);
  await expectAccessible(hr, 'no-sign-in-profile');
});

test('the decision on a probation waits for a talk, which the page says', async () => {
  const open = (await ofPeopleWithout('probation-reviews?status=approved')).find(
    ({ employee_acknowledged_at }) => employee_acknowledged_at === null,
  );
  await hr.goto(`/probation/${open?.id}`);
  await said(hr, / has no sign-in\. Discuss the result, then record the acknowledgement/);
  await expectAccessible(hr, 'no-sign-in-review');
});

test('the sheet is required, and with it the acknowledgement is recorded', async () => {
  await clickAt(button(hr, 'Record acknowledgement').first());
  const form = dialog(hr, /^Record .+’s acknowledgement$/);
  await form.getByRole('textbox', { name: /^Date of the conversation/ }).fill(today);
  await clickAt(button(hr, 'Record acknowledgement').last());
  await form.getByText('The file field is required.').waitFor();
  await form.locator('input[type=file]').setInputFiles(sheet);
  await form.getByLabel(/^Comment on the sheet/).fill('I look forward to the team.');
  await expectAccessible(hr, 'no-sign-in-record');
  await clickAt(form.getByRole('button', { name: 'Record acknowledgement' }));
  await said(hr, 'Acknowledgement recorded.');
  await said(hr, /^Acknowledged on paper after a conversation on /);
  await said(hr, 'I look forward to the team.');
  const link = hr.getByRole('link', { name: 'Signed sheet (signed.pdf)' });
  const [download] = await Promise.all([hr.waitForEvent('download'), clickAt(link)]);
  expect(download.suggestedFilename()).toBe('signed.pdf');
  await clickAt(hr.getByRole('tab', { name: 'Activity' }));
  await said(hr, 'Acknowledgement recorded');
});

test('on a phone it reads the same', async () => {
  const { page: phone, problems: onPhone } = await openPage(browser, demo.address, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await signIn(phone, demo, 'hr@northwind.example');
  await phone.goto(new URL(hr.url()).pathname);
  await said(phone, /^Acknowledged on paper after a conversation on /);
  expect(await scrollsSideways(phone)).toBe(false);
  expect(onPhone).toEqual([]);
});

test('the answer to a KPI result is recorded with the signed sheet', async () => {
  const [waiting] = await ofPeopleWithout('kpi-evaluations?status=pending_acceptance');
  await hr.goto(`/kpi/evaluations/${waiting?.id}`);
  await said(hr, / has no sign-in\. Discuss the result, then record the response/);
  await clickAt(button(hr, 'Record response').first());
  const form = dialog(hr, /^Record .+’s response$/);
  await form.getByRole('textbox', { name: /^Date of the conversation/ }).fill(today);
  await clickAt(form.getByRole('radio', { name: 'Accepted' }));
  await form.locator('input[type=file]').setInputFiles(sheet);
  await expectAccessible(hr, 'no-sign-in-answer');
  await clickAt(form.getByRole('button', { name: 'Record response' }));
  await said(hr, 'Response recorded.');
  expect(problems).toEqual([]);
});
