import { expect, test } from 'vitest';
import { startTenure } from '../service.ts';
import { phones } from './hand.ts';

/** The setup guide of a new installation leads to its first company; the installation gets a brand. Each by finger. */

const { demo, hand, problems } = await phones('touch-set-up', async () => ({ ...(await startTenure()), password: '' }));
const admin = await hand();
const { page } = admin;
const guide = page.getByRole('region', { name: 'Get started' });

test('the administrator signs in for the first time, and the guide is dismissed and brought back', async () => {
  await page.goto('/login');
  await admin.signIn(demo.email, demo.oneTimePassword);
  await admin.heading(/^Welcome, /);
  await admin.savePassword('Quiet-Harbour-42');
  await guide.getByText('0 of 4 steps done').waitFor();
  await admin.fits('guide');
  await admin.press('Dismiss', guide);
  await guide.waitFor({ state: 'detached' });
  await admin.press('Undo');
  await guide.getByText('0 of 4 steps done').waitFor();
  await admin.fits('guide brought back');
});

test('its first step is taken and ticked, and its second one leads to the import', async () => {
  await admin.link('Add a company', guide);
  await admin.write('Name', 'Sample Company');
  await admin.fits('first company');
  await admin.press('Add company');
  await admin.heading('Import people');
  await admin.open('Home');
  await guide.getByText('1 of 4 steps done').waitFor();
  await admin.fits('guide after a step');
  await admin.link('Add your people', guide);
  await admin.heading('Import people');
});

test('help is opened, and leads to the keyboard shortcuts and back', async () => {
  await admin.press('Help');
  const help = admin.dialog('Imports');
  await help.waitFor();
  await admin.fits('help');
  await admin.press('Keyboard shortcuts', help);
  const keys = admin.dialog('Keyboard shortcuts');
  await admin.press('Close', keys);
  await keys.waitFor({ state: 'detached' });
  await admin.press('Close', help);
  await help.waitFor({ state: 'detached' });
});

test('the installation gets a name, a colour and a logo', async () => {
  const picture = await page.locator('svg').first().screenshot();
  await admin.open('Brand');
  await admin.fits('brand');
  await admin.write('Name', 'Acme People');
  await admin.write('Accent colour', '#8a1c4a');
  await admin.press('Save changes');
  await admin.sees('Brand saved');
  const chooser = page.waitForEvent('filechooser');
  await admin.tap(page.getByLabel(/^Choose a file/));
  await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture });
  await admin.press('Save logo');
  await admin.sees('Logo saved');
  await admin.fits('brand with a logo');
  // in the bar at the top, before the preview
  await page.getByText('Acme People', { exact: true }).first().waitFor();
});

test('it is reset', async () => {
  await admin.press('Reset to default');
  await admin.fits('resetting the brand');
  await admin.press('Reset brand', admin.dialog('Reset the brand?'));
  await admin.dialog('Reset the brand?').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  expect(problems).toEqual([]);
});
