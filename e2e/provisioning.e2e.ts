import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleAsIs, expectAccessiblePage, scrollsSideways } from './accessible.ts';
import { desktop } from './browser.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/**
 * An identity provider is connected by SCIM: from the empty page to a person whose sign-in the provider switched off.
 */

const { service: demo, page, problems } = await journey('provisioning', startDemo);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name: string) => page.getByRole('dialog', { name });
const tab = (name: string | RegExp) => page.getByRole('tab', { name });
let token = '';
let userId = '';

/** A request as an identity provider sends it. */
async function scim(method: string, path: string, body: object) {
  const answer = await fetch(`${demo.address}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { id: string; active: boolean } };
}
const addUser = (fields: object = {}) =>
  scim('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'lead@directory.example',
    displayName: 'Team Lead at the directory',
    emails: [{ value: 'lead@directory.example', type: 'work' }],
    active: true,
    ...fields,
  });

test('an administrator reads a guide and adds a connection', async () => {
  await signIn(page, demo);
  await clickAt(page.getByRole('link', { name: 'Provisioning', exact: true }));
  await page.getByText('No identity provider is connected').waitFor();
  await expectAccessible(page, 'provisioning-none');
  await clickAt(page.getByRole('link', { name: 'Guide for Okta' }));
  await page.getByRole('heading', { level: 1, name: 'Connect Okta' }).waitFor();
  await page.goBack();
  await clickAt(page.getByRole('link', { name: 'Add connection' }));
  await page.getByLabel('Name').fill('E');
  await clickAt(button('Add connection'));
  await page
    .getByText(/at least 2 characters/)
    .first()
    .waitFor();
  await expectAccessiblePage(page, 'provisioning-new');
  await page.getByLabel('Name').fill('Entra ID');
  await clickAt(button('Add connection'));
  await page.getByRole('heading', { level: 1, name: 'Entra ID' }).waitFor();
  await page.getByText('Without a token, no request is answered.').waitFor();
});

test('the token is shown once, and the first request is a rehearsal', async () => {
  await clickAt(button('Create token'));
  const made = dialog('Copy the token now');
  token = (await made.locator('code').textContent()) ?? '';
  expect(token).toMatch(/^tnrc_/);
  await expectAccessibleAsIs(page, 'provisioning-token');
  await clickAt(made.getByRole('button', { name: 'Close' }).last());
  expect((await addUser()).status).toBe(201);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Entra ID' }).waitFor();
  await page.getByRole('button', { name: 'Save changes' }).first().waitFor();
  await expectAccessiblePage(page, 'provisioning-settings');
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize(desktop);
  await clickAt(tab('Requests'));
  await page.getByText('No account found: waiting').waitFor();
  await expectAccessiblePage(page, 'provisioning-requests');
  await clickAt(tab('Attributes'));
  await page.getByRole('region', { name: 'Attributes and their owners' }).waitFor();
  await expectAccessiblePage(page, 'provisioning-owners');
  await clickAt(tab('Guide'));
  await page.getByText(`${demo.address}/scim/v2?aadOptscim062020`).waitFor();
  await expectAccessiblePage(page, 'provisioning-guide');
});

test('the dry run ends after a look at what it would have done', async () => {
  await clickAt(button('End dry run…'));
  const ask = dialog('End the dry run of Entra ID?');
  await ask.getByText('Based on the latest requests, no one’s sign-in would be turned off.').waitFor();
  expect(await ask.getByRole('button', { name: 'End dry run' }).isDisabled()).toBe(true);
  await ask.getByLabel('Type Entra ID to confirm').fill('Entra ID');
  await expectAccessibleAsIs(page, 'provisioning-live');
  await clickAt(ask.getByRole('button', { name: 'End dry run' }));
  await page.getByText('The dry run of Entra ID has ended.').waitFor();
});

test('a user without an account waits, and is linked to an employee', async () => {
  const { status, body } = await addUser();
  expect(status).toBe(201);
  userId = body.id;
  await page.goto('/people-waiting');
  await clickAt(tab('Added by a provider'));
  await page.getByText('Team Lead at the directory').first().waitFor();
  await expectAccessiblePage(page, 'people-provisioned');
  await page.goto('/settings/provisioning');
  await page.getByRole('region', { name: 'Connections' }).waitFor();
  await expectAccessible(page, 'provisioning-list');
  await clickAt(page.getByRole('link', { name: 'Entra ID' }));
  await clickAt(tab('Waiting people (1)'));
  await expectAccessiblePage(page, 'provisioning-waiting');
  await clickAt(button(/^Link… Team Lead at the directory/));
  const link = dialog('Link Team Lead at the directory');
  await link.getByRole('combobox', { name: 'Employee' }).fill('lead@northwind.example');
  await clickAt(page.getByRole('option', { name: /Team Lead/ }));
  await clickAt(link.getByRole('button', { name: 'Link' }));
  await page.getByText('Team Lead at the directory was linked.').waitFor();
  await page.getByText('No one is waiting').waitFor();
});

test('another one is added as an employee, with what the provider knows', async () => {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  const { status } = await addUser({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    userName: 'nora@directory.example',
    displayName: 'Nora Newcomer',
    name: { givenName: 'Nora', familyName: 'Newcomer' },
    title: 'Buyer',
    emails: [{ value: 'nora@directory.example', type: 'work' }],
    [enterprise]: { employeeNumber: 'DIR-7', department: 'Operations' },
  });
  expect(status).toBe(201);
  await page.goto('/people-waiting?kind=provisioned');
  await expectAccessible(page, 'people-provisioned-add');
  await clickAt(page.getByRole('link', { name: /^Add… Nora Newcomer/ }));
  await page.getByText(/^We’ve filled in what Entra ID knows about Nora Newcomer/).waitFor();
  expect(await page.getByLabel('First name').inputValue()).toBe('Nora');
  await expectAccessiblePage(page, 'newcomer');
  await clickAt(button('Next: job'));
  await page.getByRole('combobox', { name: 'Company', exact: true }).waitFor();
  expect(await page.getByLabel('Employee number').inputValue()).toBe('DIR-7');
  await expectAccessibleAsIs(page, 'newcomer-job');
  for (const name of ['Company', 'Department']) {
    const field = page.getByRole('combobox', { name, exact: true });
    if ((await field.inputValue()) !== '') continue;
    await clickAt(field);
    await clickAt(page.getByRole('option').first());
  }
  await clickAt(button('Save'));
  await page.getByText('Nora Newcomer was added.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Nora Newcomer' }).waitFor();
  await page.getByRole('tab', { name: 'Access' }).click();
  await page.getByText('Turned on and off by').waitFor();
});

test('the provider switches the person off, whose page says so; an administrator lifts it', async () => {
  const { status, body } = await scim('PATCH', `/Users/${userId}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  });
  expect([status, body.active]).toEqual([200, false]);
  const person = await page.evaluate(async () => {
    const answer = await fetch('/api/employees?search=lead%40northwind.example');
    return ((await answer.json()) as { data: { id: number }[] }).data[0]?.id;
  });
  await page.goto(`/employees/${person}?tab=access`);
  await page.getByText(/^Sign-in turned off by Entra ID since/).waitFor();
  await page.getByText('Turned on and off by').waitFor();
  await expectAccessiblePage(page, 'person-blocked');
  await clickAt(button('Lift block…'));
  await clickAt(page.getByRole('dialog').getByRole('button', { name: 'Lift block' }));
  await page.getByText(/can sign in again\.$/).waitFor();
  await page.getByText(/^Sign-in turned off by Entra ID/).waitFor({ state: 'hidden' });
});

test('no page had an error or left the service', () => expect(problems).toEqual([]));
