import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs, scrollsSideways } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { printed } from './paper.ts';
import { clickAt, tapAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** One evaluation from the self-assessment on a phone, through a dispute, to its completion. */

const { service: demo, browser, page: hr, problems } = await journey('kpi-evaluations', startDemo);
const { page: phone, problems: onPhone } = await openPage(browser, demo.address, {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
});
const { page: lead, problems: ofLead } = await openPage(browser, demo.address);

let address = '';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const saved = (page: Page) => said(page, /^Saved \d\d:\d\d$/);
const item = (page: Page, name: string) => page.getByRole('heading', { level: 2, name }).waitFor();
/** Waits until the badge of the evaluation shows this state. */
const opened = async (page: Page, status: string) => {
  await page.goto(address);
  const badge = page.locator('[data-tone]').filter({ hasText: new RegExp(`^${status}$`) });
  await badge.first().waitFor();
};
const answer = async (page: Page, values: readonly string[]) => {
  for (const value of values) {
    await page.getByLabel('Actual value').fill(value);
    await clickAt(button(page, 'Next item'));
  }
  for (const name of ['Forecast and records', 'Advice to customers']) {
    await item(page, name);
    await page.getByRole('radio', { name: '4', exact: true }).check();
    await saved(page);
    await clickAt(button(page, 'Next item'));
  }
  await item(page, 'Overall');
};

test('on a phone the own evaluation is found, and a value saves itself with its score', async () => {
  await signIn(phone, demo, 'employee@northwind.example');
  await phone.goto('/kpi/evaluations');
  await phone.getByRole('listitem').filter({ hasText: 'Self-assessment' }).getByRole('link').first().click();
  await phone.waitForURL(/\/kpi\/evaluations\/\d+/);
  address = new URL(phone.url()).pathname;
  await item(phone, 'Net revenue');
  await phone.getByLabel('Actual value').fill('262000');
  await said(phone, 'Achievement 104.8%, score 4');
  await saved(phone);
  await expectAccessible(phone, 'kpi-evaluation-self');
  await phone.setViewportSize({ width: 320, height: 640 });
  expect(await scrollsSideways(phone)).toBe(false);
  await phone.setViewportSize({ width: 390, height: 844 });
});

test('what is missing is listed, and each entry leads to its item', async () => {
  await button(phone, /select an item$/).click();
  await expectAccessibleAsIs(phone, 'kpi-evaluation-items');
  await dialog(phone, 'Items').getByRole('link', { name: 'Overall' }).click();
  await button(phone, 'Submit self-assessment').click();
  await dialog(phone, 'Submit your self-assessment?').getByText('Complete 4 items before you submit:').waitFor();
  await expectAccessibleAsIs(phone, 'kpi-evaluation-gaps');
  await phone.getByRole('link', { name: 'New customers: no actual value yet' }).click();
  await item(phone, 'New customers');
});

test('a value that is none is refused at its field, and a reload brings back what was saved', async () => {
  await phone.getByLabel('Actual value').fill('many');
  await said(phone, 'The Actual value field must be a number.');
  await phone.getByLabel('Actual value').fill('13');
  await saved(phone);
  await phone.reload();
  await expect.poll(() => phone.getByLabel('Actual value').inputValue()).toBe('13');
});

test('evidence is a file, a link or a note, and can be taken back', async () => {
  await phone.locator('input[type=file]').setInputFiles({
    name: 'customers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('customer,order\nHarbour Mills,812\n'),
  });
  await phone.getByRole('link', { name: 'Download customers.csv' }).waitFor();
  await button(phone, 'Link').click();
  await phone.getByLabel('Link address').fill('https://intranet.example/customers');
  await button(phone, 'Add link').click();
  await phone.getByRole('link', { name: 'https://intranet.example/customers' }).waitFor();
  await said(phone, '2 of 10');
  await expectAccessible(phone, 'kpi-evaluation-evidence');
  await button(phone, 'Delete https://intranet.example/customers').click();
  await said(phone, '1 of 10');
  await button(phone, 'Undo').click();
  await said(phone, '2 of 10');
});

test('two tabs do not overwrite each other: both versions are shown', async () => {
  const other = await phone.context().newPage();
  await other.goto(`${address}?item=0`);
  await other.getByLabel('Employee comment').waitFor();
  await phone.goto(`${address}?item=0`);
  await phone.getByLabel('Employee comment').fill('A good quarter.');
  await saved(phone);
  await other.getByLabel('Employee comment').fill('A hard quarter.');
  const choice = dialog(other, 'Someone else edited this too');
  await choice.getByText('A good quarter.').waitFor();
  await expectAccessibleAsIs(other, 'kpi-evaluation-conflict');
  await choice.getByRole('radio').nth(1).check();
  await button(other, 'Save selection').click();
  await choice.waitFor({ state: 'hidden' });
  expect(await other.getByLabel('Employee comment').inputValue()).toBe('A good quarter.');
  await other.close();
});

test('the self-assessment is complete and handed in', async () => {
  await phone.goto(address);
  await answer(phone, ['262000', '13', '6']);
  await button(phone, 'How it’s calculated').click();
  await dialog(phone, 'How it’s calculated').getByRole('table').waitFor();
  await expectAccessible(phone, 'kpi-evaluation-explained');
  await phone.keyboard.press('Escape');
  await button(phone, 'Submit self-assessment').click();
  await button(phone, 'Submit').click();
  await said(phone, 'Self-assessment submitted.');
  await said(phone, 'Marta Taylor is writing your review. You’ll see it with your result.');
});

test('the reviewer sees it beside the own scores, and hands in', async () => {
  await signIn(lead, demo, 'lead@northwind.example');
  await lead.goto(address);
  await lead.getByRole('heading', { level: 3, name: 'Self-assessment' }).waitFor();
  await answer(lead, ['262000', '12', '7']);
  await lead.getByLabel('Strengths').fill('Knows every customer by name.');
  await saved(lead);
  await expectAccessible(lead, 'kpi-evaluation-review');
  await button(lead, 'Submit review').click();
  await button(lead, 'Submit').click();
  await said(lead, 'Review submitted.');
});

async function giveResult(comment: string): Promise<void> {
  await hr.getByLabel('HR comment').fill(comment);
  await hr.getByRole('radio', { name: 'High potential' }).check();
  await hr.getByLabel('Reason for the flag').fill('Takes over the team of the north next year.');
  await saved(hr);
  await button(hr, 'Finish HR review').click();
  await button(hr, 'Release result').click();
  await said(hr, 'Result released.');
}

test('HR comments, decides on the flag and gives the result', async () => {
  await signIn(hr, demo, 'hr@northwind.example');
  await opened(hr, 'HR review');
  await expectAccessible(hr, 'kpi-evaluation-hr');
  await giveResult('Both sides agree on what matters.');
});

test('the employee disputes the result', async () => {
  await phone.goto(address);
  await button(phone, 'Dispute result').click();
  await phone.getByLabel('What do you disagree with?').fill('The discounts were decided by the head of sales.');
  await expectAccessibleAsIs(phone, 'kpi-evaluation-dispute');
  await button(phone, 'Dispute').click();
  await said(phone, 'You disputed the result.');
});

test('HR settles it: the review is done again', async () => {
  await opened(hr, 'Disputed');
  await button(hr, 'Resolve dispute').click();
  await hr.getByRole('radio', { name: /^Change scores/ }).check();
  await expectAccessible(hr, 'kpi-evaluation-settle');
  await hr.getByRole('radio', { name: /^Ask for a new review/ }).check();
  await hr.getByLabel('Explanation').fill('Discounts of the head of sales do not count.');
  await dialog(hr, /dispute$/)
    .getByRole('button', { name: 'Resolve dispute' })
    .click();
  await said(hr, 'Dispute resolved.');
});

test('the reviewer changes a score, HR gives the result again, and the employee accepts', async () => {
  await opened(lead, 'Manager review');
  await lead.getByRole('link', { name: /Discount given/ }).click();
  await item(lead, 'Discount given');
  await lead.getByLabel('Actual value').fill('5');
  await saved(lead);
  await button(lead, 'Submit review').click();
  await button(lead, 'Submit').click();
  await said(lead, 'Review submitted.');
  await opened(hr, 'HR review');
  await giveResult('Looked at again without the discounts of others.');
  await phone.goto(address);
  await button(phone, 'Accept result').click();
  await button(phone, 'Accept').click();
  await said(phone, 'You accepted the result.');
  expect(await button(phone, 'Dispute result').count()).toBe(0);
});

test('HR completes it, and the activity keeps every step and the result that was given up', async () => {
  await opened(hr, 'Accepted');
  await button(hr, 'Complete').click();
  await dialog(hr, /^Complete .*’s evaluation/)
    .getByRole('button', { name: 'Complete' })
    .click();
  await said(hr, 'Evaluation completed.');
  await hr.getByRole('tab', { name: 'Activity' }).click();
  await said(hr, 'Dispute resolved');
  await hr.getByText('Previous result', { exact: true }).first().click();
  await expectAccessible(hr, 'kpi-evaluation-activity');
});

test('the evaluation is printed with its result, every item and comment', async () => {
  await hr.getByRole('tab', { name: 'Evaluation' }).click();
  const text = await printed(hr);
  for (const part of ['Completed', 'Result', 'Discount given', 'Looked at again without the discounts of others.'])
    expect(text).toContain(part);
  for (const part of ['Activity', 'Read-only', 'How it’s calculated']) expect(text).not.toContain(part);
});

test('the result is among the reviews of the person, for HR and for the employee', async () => {
  const cycle = await phone.evaluate<string>(
    `fetch('/api${address.replace('/kpi/evaluations', '/kpi-evaluations')}').then((reply) => reply.json()).then(({ data }) => data.cycle.name + '|' + data.employee_id)`,
  );
  const [name = '', id = ''] = cycle.split('|');
  await hr.goto(`/employees/${id}`);
  await clickAt(hr.getByRole('tab', { name: 'Reviews' }));
  const row = hr.getByRole('region', { name: 'All reviews' }).getByRole('row').filter({ hasText: name });
  await row.getByText(/^\d.*% · band [A-D]$/).waitFor();
  await hr.getByRole('region', { name: 'Results over time' }).waitFor();
  await expectAccessible(hr, 'profile-reviews');
  await clickAt(row.getByRole('link', { name }));
  await hr.waitForURL(`**${address}`);
  await phone.goto('/profile');
  await tapAt(phone.getByRole('tab', { name: 'Reviews' }));
  await said(phone, new RegExp(name));
  await phone.getByRole('link', { name }).first().waitFor();
  expect(await scrollsSideways(phone)).toBe(false);
  expect([...problems, ...onPhone, ...ofLead]).toEqual([]);
});
