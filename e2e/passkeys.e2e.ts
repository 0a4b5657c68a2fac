import type { CDPSession, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessibleAsIs, expectAccessiblePage } from './accessible.ts';
import { openPage } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { stage, stepwise } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** Passkeys with Chromium's virtual authenticators: added, used in every way, lost and removed. */

const { service: demo, browser } = await stage(() => startDemo({ STEP_UP_MINUTES: '0.3' }));
stepwise('passkeys', browser);

const employee = 'employee@northwind.example';
const problems: string[] = [];
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

type Device = { cdp: CDPSession; authenticatorId: string };
type Credential = { credentialId: string; isResidentCredential: boolean; privateKey: string; signCount: number };

/** Gives a page a device that stores passkeys; it verifies its user unless told otherwise. */
async function deviceOf(page: Page, knows = true, copies: readonly Credential[] = []): Promise<Device> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: knows,
      automaticPresenceSimulation: true,
    },
  });
  for (const credential of copies)
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: counted(credential) });
  return { cdp, authenticatorId };
}
let uses = 0;
/** Passkeys count their uses, so a copy continues from the count of the previous one. */
const counted = <T extends object>(credential: T) => ({ ...credential, signCount: (uses += 10) });
const kept = async ({ cdp, authenticatorId }: Device) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

/** Raises the counters on the device to include the uses of its copies. */
async function goOnCounting(device: Device) {
  const { cdp, authenticatorId } = device;
  for (const credential of await kept(device)) {
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: counted(credential) });
  }
}

/** A page in a browser context of its own. */
async function open(path: string) {
  const { page } = await openPage(browser, demo.address, {}, problems);
  await page.goto(path);
  return page;
}
async function typePassword(page: Page) {
  await page.getByLabel('Work email').fill(employee);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await clickAt(button(page, 'Sign in'));
}
const security = async (page: Page) => {
  await page.goto('/profile?part=security');
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
};

/** Waits for the effect of an action. A session older than 18 seconds has to be confirmed first. */
async function proving(page: Page, done: Locator) {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await done.or(dialog).first().waitFor();
  if (!(await dialog.isVisible())) return;
  const passkey = dialog.getByRole('button', { name: 'Use your passkey' });
  const password = dialog.getByLabel('Password', { exact: true });
  await passkey.or(password).first().waitFor();
  if (await password.isVisible()) {
    await password.fill(demo.password);
    await page.keyboard.press('Enter');
  } else await clickAt(passkey);
  await done.waitFor();
}

const own = await open('/login');
let laptop: Device;
let phone: Device;

test('a device that does not know its person makes no passkey', async () => {
  await signIn(own, demo, employee);
  await security(own);
  await expectAccessiblePage(own, 'passkeys-none');
  laptop = await deviceOf(own, false);
  await clickAt(button(own, 'Add passkey'));
  await own.getByLabel('Name').fill('Laptop');
  await expectAccessiblePage(own, 'passkeys-add');
  await clickAt(button(own, 'Continue'));
  await proving(own, own.getByText(/That didn’t work on this device|No passkey was used/));
  expect(await kept(laptop)).toEqual([]);
});

test('with one that knows it, the passkey is added, and recovery codes with it', async () => {
  const { cdp, authenticatorId } = laptop;
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await clickAt(button(own, 'Continue'));
  const list = own.getByRole('list', { name: 'Recovery codes' });
  await proving(own, list);
  expect(await list.locator('code').count()).toBe(10);
  await expectAccessiblePage(own, 'passkeys-codes');
  await clickAt(button(own, 'I’ve saved my codes'));
  await own.locator('bdi', { hasText: 'Laptop' }).waitFor();
  const [made] = await kept(laptop);
  expect(made).toMatchObject({ isResidentCredential: true, rpId: 'localhost' });
});

test('a device that has one already is not added again', async () => {
  await clickAt(button(own, 'Add passkey'));
  await clickAt(button(own, 'Continue'));
  await proving(own, own.getByText('This device already has a passkey for your account.'));
  expect(await kept(laptop)).toHaveLength(1);
  await clickAt(button(own, 'Cancel'));
});

test('the passkey signs in without an address', async () => {
  const page = await open('/login');
  await button(page, 'Sign in with a passkey').waitFor();
  await expectAccessiblePage(page, 'passkeys-sign-in');
  await deviceOf(page, true, await kept(laptop));
  await clickAt(button(page, 'Sign in with a passkey'));
  await heading(page, /^Hello/);
  await page.context().close();
});

test('a device without one, and one that does not know the person, sign no one in', async () => {
  const empty = await open('/login');
  await deviceOf(empty);
  await clickAt(button(empty, 'Sign in with a passkey'));
  await empty.getByRole('alert').waitFor();
  await empty.context().close();
  const strange = await open('/login');
  await deviceOf(strange, false, await kept(laptop));
  await clickAt(button(strange, 'Sign in with a passkey'));
  await strange.getByRole('alert').waitFor();
  expect(new URL(strange.url()).pathname).toBe('/login');
  await strange.context().close();
});

test('after the password, the passkey is the second step', async () => {
  const page = await open('/login');
  await typePassword(page);
  await heading(page, 'Two-step sign-in');
  await button(page, 'Use your passkey').waitFor();
  await expectAccessiblePage(page, 'passkeys-second-step');
  await deviceOf(page, true, await kept(laptop));
  await clickAt(button(page, 'Use your passkey'));
  await heading(page, /^Hello/);
  await page.context().close();
});

test('the browser suggests the passkey in the field of the address', async () => {
  const { page } = await openPage(browser, demo.address, {}, problems);
  await deviceOf(page, true, await kept(laptop));
  await page.goto('/login');
  await heading(page, /^Hello/);
  expect(new URL(page.url()).pathname).toBe('/');
  await page.context().close();
});

test('a copy that counts less than the passkey did is refused', async () => {
  const page = await open('/login');
  const before = uses;
  uses = 0;
  await deviceOf(page, true, await kept(laptop));
  uses = before;
  await clickAt(button(page, 'Sign in with a passkey'));
  await page.getByText('The passkey was not accepted.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
  await page.context().close();
});

test('a second device is added once the person confirmed with the first', async () => {
  // in this test a confirmation is valid for 18 seconds
  await own.waitForTimeout(19_000);
  await security(own);
  await clickAt(button(own, 'Add passkey'));
  await own.getByLabel('Name').fill('Phone');
  await clickAt(button(own, 'Continue'));
  await own.getByText('You signed in a while ago. Use your passkey to continue.').waitFor();
  await expectAccessibleAsIs(own, 'passkeys-confirm');
  await goOnCounting(laptop);
  // the laptop confirms, and the phone is used from here on
  await clickAt(button(own, 'Use your passkey'));
  await own.getByText('This device already has a passkey for your account.').waitFor();
  const { cdp, authenticatorId } = laptop;
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  phone = await deviceOf(own);
  await clickAt(button(own, 'Continue'));
  await proving(own, own.locator('bdi', { hasText: 'Phone' }));
  expect(await kept(phone)).toHaveLength(1);
});

test('with two passkeys the password can be switched off, and on again', async () => {
  await clickAt(own.getByRole('button', { name: 'Turn off Password' }));
  await expectAccessiblePage(own, 'passkeys-password-off');
  await clickAt(own.getByRole('dialog').getByRole('button', { name: 'Turn off' }));
  await proving(own, own.getByText('You can’t sign in with your password, only with your passkeys.'));
  const page = await open('/login');
  await typePassword(page);
  await page.getByText('These credentials do not match our records.').waitFor();
  await page.context().close();
  await clickAt(own.getByRole('button', { name: 'Turn on Password' }));
  await proving(own, own.getByText('You can also sign in with your password.'));
});

test('passkeys are renamed and removed', async () => {
  await clickAt(own.getByRole('button', { name: 'Rename Phone' }));
  await own.getByRole('textbox', { name: 'Name' }).fill('Old phone');
  await clickAt(button(own, 'Save'));
  await expectAccessiblePage(own, 'passkeys-two');
  await clickAt(own.getByRole('button', { name: 'Remove Old phone' }));
  await clickAt(own.getByRole('dialog', { name: 'Remove Old phone?' }).getByRole('button', { name: 'Remove' }));
  await proving(own, own.getByText('Passkey removed.'));
  const page = await open('/login');
  await deviceOf(page, true, await kept(phone));
  await clickAt(button(page, 'Sign in with a passkey'));
  await page.getByText('The passkey was not accepted.').waitFor();
  await page.context().close();
  // the refusals that ask for a confirmation are expected
  expect(problems.filter((problem) => !problem.includes('a status of 403'))).toEqual([]);
});
