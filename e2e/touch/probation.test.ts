import { expect, test } from 'vitest';
import { phones } from './hand.ts';

/** A probation from the review that HR opens to the decision and its letter, each by finger. */

const { hand, problems } = await phones('touch-probation');
const hr = await hand('hr');
const lead = await hand('lead');

let address = '';
let person = '';

test('HR opens a review, and names who writes it', async () => {
  await hr.open('Probation');
  await hr.tab(/Ending/);
  await hr.page
    .getByRole('button', { name: /^Start review/ })
    .first()
    .waitFor();
  await hr.fits('probation ending');
  await hr.press(/^Start review/);
  await hr.heading(/’s probation$/);
  address = new URL(hr.page.url()).pathname;
  person = ((await hr.page.getByRole('heading', { level: 1 }).textContent()) ?? '').replace('’s probation', '');
  await hr.fits('probation pending');
  await hr.menu('More actions', 'Change reviewer');
  const asked = hr.dialog(`Change ${person}’s reviewer`);
  await hr.pick(/^New reviewer/, 'Marta Taylor', asked);
  await hr.fitsBesideKeys('change reviewer');
  await hr.press('Assign reviewer', asked);
  await hr.sees('Read-only while Marta Taylor writes the assessment.');
});

test('the reviewer finds it, rates and writes, and the page saves itself', async () => {
  await lead.open('Probation');
  await lead.link(person);
  await lead.heading(`${person}’s probation`);
  await lead.fits('probation form');
  await lead.radio('4 – good');
  await lead.write(/^Overall assessment/, 'Learns fast.');
  await lead.radio('Confirm');
  await lead.sees(/^Saved \d\d:\d\d$/);
});

test('the reviewer signs by drawing with a finger, once over', async () => {
  await lead.press('Sign and submit');
  const asked = lead.dialog(`Submit ${person}’s review`);
  await lead.radio('Draw', asked);
  await lead.sees('Draw your signature above.');
  await lead.draw(asked.locator('canvas'));
  await lead.sees('Signature drawn.');
  await lead.press('Clear', asked);
  await lead.sees('Draw your signature above.');
  await lead.draw(asked.locator('canvas'));
  await lead.sees('Signature drawn.');
  await lead.choose(asked.getByRole('checkbox'));
  await expect.poll(() => asked.getByRole('checkbox').isChecked()).toBe(true);
  await lead.fitsBesideKeys('sign');
  await lead.press('Sign and submit', asked);
  await lead.sees('Review submitted.');
  await lead.page.getByRole('img', { name: 'Signature of Marta Taylor' }).waitFor();
  await lead.fits('probation submitted');
});

test('HR sees what the decision does, and signs it by drawing', async () => {
  await hr.goTo(address);
  await hr.press('Decide');
  const asked = hr.dialog(`Decide on ${person}’s probation`);
  await hr.radio('Extend', asked);
  await hr.radio('3', asked.getByRole('group', { name: 'Months' }));
  await asked.getByText(/probation will end on/).waitFor();
  await hr.radio('Confirm', asked);
  await hr.write(/^HR comment/, 'Welcome.', asked);
  await hr.radio('Draw', asked);
  await hr.sees('Draw your signature above.');
  await hr.draw(asked.locator('canvas'));
  await hr.sees('Signature drawn.');
  await hr.choose(asked.getByRole('checkbox'));
  await hr.fitsBesideKeys('decide');
  await hr.press('Sign and confirm', asked);
  await hr.sees('Decision recorded.');
  await hr.sees('Decided');
  await hr.fits('probation decided');
});

test('the letter is taken along, and the words of letters are shown as they will be read', async () => {
  const letter = hr.page.waitForEvent('download');
  await hr.link('Confirmation letter (PDF)');
  expect((await letter).suggestedFilename()).toMatch(/\.pdf$/);
  await hr.link('Verify signatures');
  await hr.sees('All signatures verified');
  await hr.fits('probation verification');
  await hr.goTo('/probation/letters');
  await hr.tab('Termination');
  await hr.fits('probation letters');
  expect(problems).toEqual([]);
});
