import { expect, test } from 'vitest';
import { expectAccessible, expectAccessiblePage } from './accessible.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** Programs get access by a personal token, and by a service account with a role and a token; both are revoked. */

const { service: demo, page, problems } = await journey('access-tokens', startDemo);
const admin = 'admin@northwind.example';

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const statusOf = async (token: string, path: string) =>
  (await fetch(`${demo.address}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
const nextPassword = 'Quiet-Harbour-42';
let own = '';
let service = '';

/** Creates a token through its form and returns it. */
async function makeToken(name: string, permissions: readonly string[]): Promise<string> {
  await clickAt(button('New token'));
  const form = dialog('New access token');
  await form.getByLabel('Name').fill(name);
  for (const permission of permissions) {
    await form.getByRole('combobox', { name: 'Permissions' }).fill(permission);
    await page.getByRole('option', { name: permission, exact: true }).click();
  }
  await page.keyboard.press('Escape');
  await form.waitFor();
  await expectAccessiblePage(page, `token-form-${name.toLowerCase()}`);
  await clickAt(form.getByRole('button', { name: 'Create token' }));
  const made = dialog('Copy the token now');
  await made.waitFor();
  const text = (await made.locator('code').textContent()) ?? '';
  await expectAccessiblePage(page, `token-made-${name.toLowerCase()}`);
  await clickAt(made.getByRole('button', { name: 'Close' }).last());
  return text;
}

test('an administrator makes a token of their own, and a program uses it', async () => {
  await signIn(page, demo, admin);
  await page.goto('/profile?part=security');
  await page.getByText('No active tokens.').waitFor();
  own = await makeToken('Reports', ['View employees']);
  expect(own).toMatch(/^tnrp_/);
  await page.getByRole('list', { name: 'Access tokens' }).getByText('Reports').first().waitFor();
  await expectAccessiblePage(page, 'profile-tokens');
  expect(await statusOf(own, '/api/employees')).toBe(200);
  expect(await statusOf(own, '/api/departments')).toBe(403);
});

test('a change of the password names the tokens that stay', async () => {
  await page.getByLabel('Current password').fill(demo.password);
  await page.getByLabel('New password', { exact: true }).fill(nextPassword);
  await page.getByLabel('Confirm new password').fill(nextPassword);
  await clickAt(button('Save password'));
  await page.getByRole('list', { name: 'This access token still works' }).waitFor({ timeout: 60_000 });
  await page
    .getByText(/^by password/)
    .first()
    .waitFor();
  await expectAccessible(page, 'profile-tokens-kept');
  expect(await statusOf(own, '/api/employees')).toBe(200);
});

test('a service account gets a role and a token', async () => {
  await page.goto('/settings/access-tokens');
  await expectAccessiblePage(page, 'access-tokens');
  await clickAt(button('Add service account'));
  const form = dialog('Add service account');
  await form.getByLabel('Name').fill('Payroll');
  await form.getByLabel('Networks').fill('10.0.0.0/33');
  await clickAt(form.getByRole('button', { name: 'Add service account' }));
  await form
    .getByText(/format/i)
    .first()
    .waitFor();
  await form.getByLabel('Networks').fill('127.0.0.0/8\n::1');
  await expectAccessiblePage(page, 'service-account-form');
  await clickAt(form.getByRole('button', { name: 'Add service account' }));
  await page.getByRole('heading', { level: 1, name: 'Payroll' }).waitFor();
  await clickAt(button('Add role'));
  await page.getByLabel('Role').selectOption({ label: 'HR' });
  await clickAt(button('Save'));
  await page.getByText('Roles saved.').waitFor();
  service = await makeToken('Nightly', ['View employees', 'View all employees']);
  expect(service).toMatch(/^tnrs_/);
  expect(await statusOf(service, '/api/employees')).toBe(200);
  await page.reload();
  await page.getByRole('region', { name: 'Tokens' }).getByText('Nightly').first().waitFor();
  await expectAccessiblePage(page, 'service-account');
});

test('all tokens stand in one list, where each can be revoked', async () => {
  await page.goto('/settings/access-tokens');
  const tokens = page.getByRole('region', { name: 'All tokens' });
  await tokens.getByText('Reports').first().waitFor();
  await clickAt(tokens.getByText('2 permissions'));
  await tokens.getByText('View all employees').waitFor();
  await expectAccessiblePage(page, 'access-tokens-all');
  await clickAt(button('Unused'));
  await page.getByText('No unused tokens').waitFor();
  await clickAt(button('Active'));
  await clickAt(button('Revoke Reports'));
  await clickAt(dialog('Revoke “Reports”?').getByRole('button', { name: 'Revoke' }));
  await page.getByText('Token revoked.').waitFor();
  expect(await statusOf(own, '/api/me')).toBe(401);
});

test('a service account that is switched off has no tokens any more', async () => {
  await clickAt(page.getByRole('link', { name: 'Payroll' }));
  await clickAt(button('Turn off…'));
  await clickAt(dialog('Turn off Payroll?').getByRole('button', { name: 'Turn off' }));
  await page.getByText('Turned off.').waitFor();
  expect(await statusOf(service, '/api/me')).toBe(401);
  expect(problems).toEqual([]);
});

test('the sign-in of a person is switched off with a reason, and on again', async () => {
  await page.goto(`/employees?search=${encodeURIComponent('employee@northwind.example')}`);
  await page.getByRole('link', { name: /\w/ }).and(page.locator('tbody a')).first().click();
  await page.getByRole('tab', { name: 'Access' }).click();
  await clickAt(button('Turn off sign-in…'));
  const question = page.getByRole('dialog', { name: /^Turn off .*sign-in\?$/ });
  await question.getByLabel('Reason').fill('Reported a stolen laptop on the phone.');
  await expectAccessible(page, 'sign-in-off-dialog');
  await clickAt(question.getByRole('button', { name: 'Turn off sign-in' }));
  await page.getByText(/Reason: Reported a stolen laptop on the phone\.$/).waitFor();
  await question.waitFor({ state: 'hidden' });
  await expectAccessible(page, 'sign-in-off');
  await clickAt(button('Lift block…'));
  const lift = page.getByRole('dialog', { name: /sign in again\?$/ });
  await clickAt(lift.getByRole('button', { name: 'Lift block' }));
  await page.getByText(/can sign in again\.$/).waitFor();
  expect(problems).toEqual([]);
});
