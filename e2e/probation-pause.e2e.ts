import { expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** A probation pauses during parental leave and resumes; a company requires interim reviews. */

const { service: demo, page: hr, problems } = await journey('probation-pause', startDemo);
let person = '';
let address = '';

const open = async (action: string, title: string) => {
  await clickAt(hr.getByRole('button', { name: 'Actions' }));
  await clickAt(hr.getByRole('menuitem', { name: action }));
  return hr.getByRole('dialog', { name: title });
};

test('HR pauses a probation that has no review yet', async () => {
  await signIn(hr, demo, 'hr@northwind.example');
  await hr.goto('/probation?tab=ending');
  const row = hr
    .getByRole('row')
    .filter({ has: hr.getByRole('button', { name: /^Start review/ }) })
    .last();
  person = (await row.getByRole('link').first().textContent()) ?? '';
  await clickAt(row.getByRole('link').first());
  await hr.getByRole('heading', { level: 1, name: person }).waitFor();
  address = new URL(hr.url()).pathname;
  const dialog = await open('Pause probation…', `Pause ${person}’s probation`);
  await dialog.getByLabel(/^Reason/).fill('On parental leave from today.');
  await expectAccessible(hr, 'probation-pause');
  await clickAt(dialog.getByRole('button', { name: 'Pause probation' }));
  await hr.getByText(`${person}’s probation was paused.`).first().waitFor();
  await hr.getByText('Probation paused since').waitFor();
});

test('nothing is due while it is paused', async () => {
  await hr.goto('/probation?tab=ending');
  const row = hr.getByRole('row').filter({ hasText: person });
  await row.getByText('Paused', { exact: true }).waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
});

test('a return on the first day is refused, with the reason at its field', async () => {
  await hr.goto(address);
  const dialog = await open('Resume probation…', `Resume ${person}’s probation`);
  await dialog.getByLabel(/^Reason/).fill('Back at work already.');
  await clickAt(dialog.getByRole('button', { name: 'Resume probation' }));
  await dialog.getByText(/^The first day back field must be a date after /).waitFor();
  await expectAccessible(hr, 'probation-resume');
  await clickAt(dialog.getByRole('button', { name: 'Cancel' }));
});

test('a company wants a review in the middle of each probation', async () => {
  await hr.goto('/companies/1?dialog=edit-company');
  const dialog = hr.getByRole('dialog', { name: /^Edit / });
  await clickAt(dialog.getByRole('switch', { name: 'Review at the midpoint' }));
  expect(await dialog.getByRole('switch', { name: 'Review at the midpoint' }).isChecked()).toBe(true);
  await clickAt(dialog.getByRole('button', { name: 'Save' }));
  await hr
    .getByText(/ was saved\.$/)
    .first()
    .waitFor();
  const setting = hr.getByText('Review at the midpoint').locator('xpath=following-sibling::*[1]');
  // the page reloads the company after the message
  await expect.poll(() => setting.textContent()).toBe('Yes');
  expect(problems).toEqual([]);
});
