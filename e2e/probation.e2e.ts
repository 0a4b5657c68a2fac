import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs, scrollsSideways } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { printed } from './paper.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** One probation from the review that HR opens, through a return, to the decision and the employee's phone. */

const { service: demo, browser, page: hr, problems } = await journey('probation', startDemo);
const { page: lead, problems: ofLead } = await openPage(browser, demo.address);
const { page: phone, problems: onPhone } = await openPage(browser, demo.address, {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
});

const ownPassword = 'Quiet-Harbour-42';
let address = '';
let person = '';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const saved = (page: Page) => said(page, /^Saved \d\d:\d\d$/);
/** Waits until the review is in this state. */
const opened = async (page: Page, status: string) => {
  await page.goto(address);
  await page.getByText(status, { exact: true }).first().waitFor();
};
const attest = (page: Page) => page.getByRole('dialog').getByRole('checkbox').check();

async function draw(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Draw', exact: true }).check();
  const sheet = page.locator('canvas');
  await sheet.waitFor();
  await said(page, 'Draw your signature above.');
  const box = await sheet.boundingBox();
  if (!box) throw new Error('The sheet has no place');
  await page.mouse.move(box.x + 30, box.y + 100);
  await page.mouse.down();
  for (const step of Array.from({ length: 20 }, (_, place) => place))
    await page.mouse.move(box.x + 30 + step * 9, box.y + 90 + Math.sin(step) * 40);
  await page.mouse.up();
  await said(page, 'Signature drawn.');
}

/** Signs with a screenshot of part of the page, in a file with a text appended. */
async function signWithPicture(page: Page): Promise<void> {
  const picture = await page.getByRole('dialog').getByRole('heading').screenshot();
  await page.getByRole('radio', { name: 'Upload image' }).check();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'own.png', mimeType: 'image/png', buffer: Buffer.concat([picture, Buffer.from(note)]) });
  await said(page, 'Your image is ready.');
  const shown = page.getByRole('img', { name: 'Your signature' });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
}
const note = 'Taken at home with my phone';
const isOnlyPicture = (file: Buffer) => file.subarray(1, 4).toString() === 'PNG' && !file.includes(note);

test('HR finds who is due, opens a review with one click and names who writes it', async () => {
  await signIn(hr, demo, 'hr@northwind.example');
  await hr.goto('/probation?tab=ending');
  const row = hr
    .getByRole('row')
    .filter({ has: button(hr, /^Start review/) })
    .last();
  person = (await row.getByRole('link').first().textContent()) ?? '';
  await clickAt(row.getByRole('button', { name: /^Start review/ }));
  await hr.getByRole('heading', { level: 1, name: `${person}’s probation` }).waitFor();
  address = new URL(hr.url()).pathname;
  expect(address).toMatch(/^\/probation\/\d+$/);
  await expectAccessible(hr, 'probation-pending');
  await clickAt(button(hr, 'More actions'));
  await hr.getByRole('menuitem', { name: 'Change reviewer' }).click();
  const asked = dialog(hr, `Change ${person}’s reviewer`);
  await asked.getByRole('combobox', { name: /^New reviewer/ }).fill('Marta Taylor');
  await hr.getByRole('option', { name: /Marta Taylor/ }).click();
  await asked.getByRole('button', { name: 'Assign reviewer' }).click();
  await said(hr, 'Read-only while Marta Taylor writes the assessment.');
});

test('the reviewer finds it among what is to do, and what is written saves itself', async () => {
  await signIn(lead, demo, 'lead@northwind.example');
  await lead.goto('/probation');
  await clickAt(lead.getByRole('link', { name: person }));
  await lead.getByRole('heading', { level: 1, name: `${person}’s probation` }).waitFor();
  await clickAt(button(lead, 'Sign and submit'));
  const missing = dialog(lead, `Submit ${person}’s review`);
  await missing.getByText('Complete 3 items before you sign:').waitFor();
  await expectAccessibleAsIs(lead, 'probation-gaps');
  await clickAt(missing.getByRole('button', { name: 'Add a rating' }));
  await missing.waitFor({ state: 'detached' });
  await lead.getByRole('radio', { name: '4 – good' }).check();
  await saved(lead);
  for (const name of ['Teamwork', 'Knowledge of the products']) {
    await lead.getByLabel('Weight', { exact: true }).fill('50');
    await lead.getByLabel('New criterion').fill(name);
    await button(lead, 'Add').click();
    await lead
      .getByRole('group', { name: `Rating: ${name}` })
      .getByRole('radio', { name: '4' })
      .check();
  }
  await said(lead, 'Complete');
  await lead.getByLabel(/^Overall assessment/).fill('Learns fast.');
  await lead.getByRole('radio', { name: 'Confirm' }).check();
  await saved(lead);
  await lead.reload();
  await expect.poll(() => lead.getByLabel(/^Overall assessment/).inputValue()).toBe('Learns fast.');
  await expectAccessible(lead, 'probation-form');
});

test('two tabs do not overwrite each other: both versions are shown', async () => {
  const other = await lead.context().newPage();
  await other.goto(address);
  await other.getByLabel(/^Strengths/).waitFor();
  await lead.getByLabel(/^Strengths/).fill('Listens well.');
  await expect.poll(() => lead.locator('output', { hasText: /^Saved/ }).count()).toBe(1);
  await lead.waitForTimeout(1_500);
  await other.getByLabel(/^Strengths/).fill('Speaks well.');
  const choice = dialog(other, 'Someone else edited this too');
  await choice.getByText('Listens well.').waitFor();
  await expectAccessibleAsIs(other, 'probation-conflict');
  await choice.getByRole('radio').nth(1).check();
  await button(other, 'Save selection').click();
  await choice.waitFor({ state: 'hidden' });
  await other.close();
});

test('the reviewer signs with the typed name and hands it in', async () => {
  await lead.goto(address);
  await button(lead, 'Sign and submit').click();
  const asked = dialog(lead, `Submit ${person}’s review`);
  await asked.getByLabel(/^Your full name/).waitFor();
  await expectAccessibleAsIs(lead, 'probation-sign');
  await asked.getByRole('button', { name: 'Sign and submit' }).click();
  await said(lead, 'Tick the box to confirm before you sign.');
  await attest(lead);
  await asked.getByRole('button', { name: 'Sign and submit' }).click();
  await said(lead, 'Review submitted.');
  await said(lead, /^Read-only: the review was submitted/);
});

test('HR sends it back with a reason, which the reviewer reads', async () => {
  await opened(hr, 'With HR');
  await expectAccessible(hr, 'probation-submitted');
  await button(hr, 'Send back').click();
  const asked = dialog(hr, 'Send back to the reviewer');
  await asked.getByLabel(/^Reason/).fill('Short');
  await asked.getByRole('button', { name: 'Send back' }).click();
  await asked.getByText('The reason field must be at least 10 characters.').waitFor();
  await asked.getByLabel(/^Reason/).fill('Please say more about the first customers.');
  await asked.getByRole('button', { name: 'Send back' }).click();
  await said(hr, 'Review sent back.');
  await opened(lead, 'Sent back');
  await said(lead, 'Sent back by HR: Please say more about the first customers.');
  await said(lead, 'No longer valid');
});

test('the reviewer corrects it and signs by drawing', async () => {
  await lead.getByLabel(/^Overall assessment/).fill('Learns fast, and won three customers alone.');
  await saved(lead);
  await button(lead, 'Sign and submit').click();
  await draw(lead);
  await expectAccessibleAsIs(lead, 'probation-draw');
  await lead.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await said(lead, 'Draw your signature above.');
  await lead.getByRole('radio', { name: 'Type', exact: true }).check();
  await draw(lead);
  await attest(lead);
  await lead.getByRole('dialog').getByRole('button', { name: 'Sign and submit' }).click();
  await said(lead, 'Review submitted.');
  await lead.getByRole('img', { name: 'Signature of Marta Taylor' }).waitFor();
});

test('HR sees what a decision does before it is signed, and confirms with a picture of a signature', async () => {
  await opened(hr, 'With HR');
  await button(hr, 'Decide').click();
  const asked = dialog(hr, `Decide on ${person}’s probation`);
  await asked.getByText(/employment (is|will be) confirmed from/).waitFor();
  await asked.getByRole('radio', { name: 'Extend' }).check();
  await asked.getByRole('group', { name: 'Months' }).getByRole('radio', { name: '3' }).check();
  await asked.getByText(/probation will end on/).waitFor();
  await asked.getByRole('radio', { name: 'Confirm' }).check();
  await expectAccessible(hr, 'probation-decide');
  await asked.getByLabel(/^HR comment/).fill('Welcome.');
  await signWithPicture(hr);
  await attest(hr);
  const sent = hr.waitForRequest(/\/approve$/);
  await button(hr, 'Sign and confirm').click();
  const { signature } = (await sent).postDataJSON() as { signature: { image: string } };
  expect(isOnlyPicture(Buffer.from(signature.image.split(',')[1] ?? '', 'base64'))).toBe(true);
  await said(hr, 'Decision recorded.');
  await said(hr, 'Decided');
  const kept = hr.getByRole('img', { name: /^Signature of/ }).last();
  const points = await hr.evaluate(
    async (address) => [...new Uint8Array(await (await fetch(address)).arrayBuffer())],
    (await kept.getAttribute('src')) ?? '',
  );
  expect(isOnlyPicture(Buffer.from(points))).toBe(true);
});

test('the employee acknowledges the result on a phone, with an own signature', async () => {
  await opened(hr, 'Decided');
  await hr.getByRole('link', { name: person }).first().click();
  await hr
    .getByRole('link', { name: /^until/ })
    .first()
    .waitFor();
  const email = (await hr.locator('a[href^="mailto:"]').first().getAttribute('href'))?.slice('mailto:'.length) ?? '';
  await hr.goto(`${new URL(hr.url()).pathname}?tab=access`);
  await button(hr, 'Reset password…').click();
  await dialog(hr, /^Reset .*’s password$/)
    .getByRole('button')
    .last()
    .click();
  const oneTime = (await hr.locator('code').textContent()) ?? '';
  await phone.goto('/login');
  await phone.getByLabel('Work email').fill(email);
  await phone.getByLabel('Password', { exact: true }).fill(oneTime);
  await phone.keyboard.press('Enter');
  await phone.getByLabel('New password', { exact: true }).fill(ownPassword);
  await phone.getByLabel('Confirm new password').fill(ownPassword);
  await phone.keyboard.press('Enter');
  await phone.waitForURL('**/');
  await phone.goto('/probation');
  await phone.getByRole('link', { name: person }).click();
  await phone.waitForURL(/\/probation\/\d+/);
  await said(phone, 'Learns fast, and won three customers alone.');
  await expectAccessible(phone, 'probation-result');
  await button(phone, 'Acknowledge decision').click();
  await phone.getByLabel('Comment (optional)').fill('Thank you.');
  await expectAccessibleAsIs(phone, 'probation-acknowledge');
  await attest(phone);
  await button(phone, 'Acknowledge').click();
  await said(phone, 'Decision acknowledged.');
  await phone.setViewportSize({ width: 320, height: 640 });
  expect(await scrollsSideways(phone)).toBe(false);
});

test('the letter is a PDF', async () => {
  await opened(hr, 'Decided');
  const waiting = hr.waitForEvent('download');
  await hr.getByRole('link', { name: 'Confirmation letter (PDF)' }).click();
  const file = await readFile(await (await waiting).path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
});

test('the review is printed with decision, assessment and signatures, without what leads elsewhere', async () => {
  const text = await printed(hr);
  for (const part of ['Decided by', 'Assessment', 'Signatures', 'No longer valid', 'Acknowledged on'])
    expect(text).toContain(part);
  for (const part of ['All reviews', 'Verify signatures', 'Read-only', '(PDF)']) expect(text).not.toContain(part);
});

test('the check of the signatures says that everything matches, and what no longer counts', async () => {
  await hr.getByRole('link', { name: 'Verify signatures' }).click();
  await said(hr, 'All signatures verified');
  await said(hr, 'No longer valid, so it isn’t compared.');
  expect(await hr.getByText('The record hasn’t changed since it was signed.').count()).toBe(3);
  expect(await hr.getByText('The signature image is unchanged.').count()).toBe(2);
  await expectAccessible(hr, 'probation-verify');
});

test('the activity keeps every step', async () => {
  await hr.goto(`${address}?tab=activity`);
  for (const step of ['Opened', 'Submitted', 'Sent back', 'Decided', 'Acknowledged'])
    await hr.getByRole('tabpanel').getByText(step).first().waitFor();
  await expectAccessible(hr, 'probation-activity');
});

test('HR words a letter anew, and leaving it unsaved is asked about', async () => {
  await hr.goto('/probation/letters?kind=extension');
  await hr.getByLabel(/^Text/).waitFor();
  await hr.getByLabel(/^Title/).fill('More time for you');
  await hr.getByLabel(/^Text/).press('Control+End');
  await button(hr, 'Extension in months').click();
  expect(await hr.getByLabel(/^Text/).inputValue()).toMatch(/\{\{extension_months\}\}$/);
  await hr.getByRole('tab', { name: 'Termination' }).click();
  await dialog(hr, 'Leave without saving?').waitFor();
  await button(hr, 'Keep editing').click();
  await button(hr, 'Save template').click();
  await said(hr, 'Template saved.');
  await said(hr, 'Custom text');
});

test('no page had a fault', () => {
  expect([...problems, ...ofLead, ...onPhone]).toEqual([]);
});
