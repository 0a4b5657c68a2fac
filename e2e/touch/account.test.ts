import { expect, test } from 'vitest';
import { mailServer } from '../../server/src/testing/mail-server.ts';
import { startDemo } from '../service.ts';
import { phones } from './hand.ts';

/** A first sign-in by one-time password, a new password by link, and the user's own profile, each by finger. */

const { received, port } = await mailServer();
const { hand, problems } = await phones('touch-account', () => startDemo({ SMTP_URL: `smtp://127.0.0.1:${port}` }));
const hr = await hand('hr');
const own = await hand();
const email = 'employee@northwind.example';
const ownPassword = 'Quiet-Harbour-42';
let oneTime = '';

test('HR resets a password on paper, and it is shown once', async () => {
  await hr.goTo(`/employees?search=${encodeURIComponent(email)}`);
  await hr.tap(hr.page.getByRole('main').getByRole('listitem').getByRole('link'));
  await hr.tab('Access');
  await hr.press('Reset password…');
  const question = hr.page.getByRole('dialog');
  await hr.radio(/^On paper|one-time/i, question);
  await hr.fits('reset password');
  await hr.tap(question.getByRole('button').last());
  oneTime = (await hr.page.locator('code').first().textContent()) ?? '';
  await hr.fits('one-time password');
  await hr.press('Done');
});

test('the person signs in with it and chooses a password', async () => {
  await own.page.goto('/login');
  await own.fits('sign-in');
  await own.signIn(email, oneTime);
  await own.heading(/^Welcome, /);
  await own.fits('first sign-in');
  await own.savePassword(ownPassword);
  await own.heading(/^Hello/);
});

test('the own profile is changed, and the device looks as its owner likes', async () => {
  await own.press('Open menu');
  await own.press(new RegExp(email));
  await own.tap(own.page.getByRole('menuitem', { name: 'My profile' }));
  await own.heading('My profile');
  await own.fits('own profile');
  await own.press(/^Edit\s*Contact/);
  await own.write('Mobile', '+44 7700 900123');
  await own.press('Save');
  await own.sees('+44 7700 900123');
  await own.goTo('/profile?part=settings');
  await own.press('Dark');
  await own.button('Dark').and(own.page.locator('[aria-pressed=true]')).waitFor();
  await own.fits('settings');
});

test('signing out, and a new password by the link of a mail', async () => {
  await own.press('Open menu');
  await own.press(new RegExp(email));
  await own.tap(own.page.getByRole('menuitem', { name: 'Sign out' }));
  await own.heading('Sign in');
  await hr.press('Reset password…');
  await hr.press('Send link', hr.dialog(/^Reset .*’s password$/));
  await hr.sees(/^A link was sent to/);
  const mail = () => received.find(({ to, source }) => to.includes(email) && source.includes('/reset#'));
  await expect.poll(() => mail()?.subject, { timeout: 30_000 }).toBe('Choose a new password');
  await own.page.goto(/\/reset#[\w-]+/.exec(mail()?.source ?? '')?.[0] ?? '');
  await own.heading('Choose a new password');
  await own.fits('new password');
  await own.savePassword(`${ownPassword}-again`);
  await own.heading('Your new password is saved');
  await own.link('Go to sign-in');
  await own.signIn(email, `${ownPassword}-again`);
  await own.heading(/^Hello/);
  expect(problems).toEqual([]);
});
