import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill } from '../../testing/acts.ts';
import { itemOf, listOf } from '../../testing/service.ts';
import { at, button, open, path, webhook } from '../../testing/webhooks.ts';

test('without one the page says what webhooks are for', async () => {
  open('/settings/webhooks', { 'GET /api/webhooks': listOf([]) });
  await screen.findByText('No webhooks yet');
  expect(screen.getByRole('link', { name: 'Add webhook' }).getAttribute('href')).toContain('webhook=new');
});

test('they are listed with their receiver, why nothing leaves, and their last day', async () => {
  open('/settings/webhooks', {
    'GET /api/webhooks': listOf([
      webhook(),
      webhook({ id: 4, name: 'Access', failures: 3 }),
      webhook({ id: 5, name: 'Door', status: 'disabled', reason: 'gone' }),
      webhook({ id: 6, name: 'Mail', hindrance: 'no_token' }),
    ]),
  });
  const table = await screen.findByRole('region', { name: 'Webhooks' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Payrollpayroll\.acme\.exampleOn276 arrived, 2 failed21/),
    expect.stringMatching(/^Accesspayroll\.acme\.exampleFailing/),
    expect.stringContaining('Disabled: the receiver asked for no more events'),
    expect.stringContaining('Its service account has no token'),
  ]);
});

test('without a service account it leads to them', async () => {
  open('/settings/webhooks?webhook=new', { 'GET /api/webhook-accounts': { body: { data: [] } } });
  await screen.findByText('A webhook needs a service account');
  expect(screen.getByRole('link', { name: 'Go to access tokens' })).toBeDefined();
});

test('a new one is sent as typed, says what is wrong at its field, and shows its secret once', async () => {
  const create = 'POST /api/webhooks';
  const { service, user, where } = open('/settings/webhooks?webhook=new', {
    [create]: { status: 422, body: { message: 'x', errors: { url: ['This address cannot be reached from here.'] } } },
  });
  await user.type(await screen.findByLabelText(/^Name/), 'Payroll');
  await user.type(screen.getByLabelText(/^Address/), 'https://payroll.acme.example/hooks');
  await user.click(await button('Add webhook'));
  await screen.findByText('This address cannot be reached from here.');
  expect(service.to(create)[0]?.body).toEqual({
    name: 'Payroll',
    url: 'https://payroll.acme.example/hooks',
    service_account_id: 9,
  });
  service.replies[create] = { status: 201, body: { data: webhook(), message: '', secret: 'whsec_abc' } };
  await user.click(await button('Add webhook'));
  const dialog = await dialogOf('Copy the secret now');
  expect(dialog.getByText('whsec_abc')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await screen.findByRole('heading', { level: 1, name: 'Payroll' });
  expect(where()).toContain('webhook=3');
});

test('only what changed is sent', async () => {
  const { service, user } = open('/settings/webhooks?webhook=3', { [`PUT ${path}`]: itemOf(webhook({ name: 'Pay' })) });
  fill(await screen.findByLabelText(/^Name/), 'Pay');
  await user.click(await button('Save changes'));
  await screen.findByText('Changes saved.');
  expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ name: 'Pay', revision: 5 });
});

test('who may do less than its account can pause and delete it only', async () => {
  const { user } = open('/settings/webhooks?webhook=3', {
    [`GET ${path}`]: itemOf(webhook({ allowed_actions: ['pause', 'delete'] })),
  });
  await screen.findByText(/its service account has more permissions than you/);
  expect(screen.queryByRole('button', { name: 'New secret…' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Send test' })).toBeNull();
  // the service would refuse its deliveries, so they are not requested
  await user.click(screen.getByRole('tab', { name: 'Deliveries' }));
  await screen.findByText('No access to its deliveries');
});

test('all events are a choice of their own, and none chosen are not all', async () => {
  const put = `PUT ${path}`;
  const { service, user } = open('/settings/webhooks?webhook=3', {
    [put]: { status: 422, body: { message: 'x', errors: { types: ['Select at least one.'] } } },
  });
  const some = await screen.findByRole('radio', { name: 'Selected events' });
  expect(some).toHaveProperty('checked', true);
  await user.click(screen.getByRole('combobox', { name: /^Selected events/ }));
  await user.keyboard('{Backspace}');
  await user.click(await button('Save changes'));
  await screen.findByText('Select at least one.');
  expect(service.to(put)[0]?.body).toEqual({ types: [], revision: 5 });
  await user.click(screen.getByRole('radio', { name: 'All events' }));
  service.replies[put] = itemOf(webhook({ types: null }));
  await user.click(await button('Save changes'));
  await screen.findByText('Changes saved.');
  expect(service.to(put)[1]?.body).toEqual({ types: null, revision: 5 });
});

test('types whose release is gone do not read as all of them', async () => {
  open('/settings/webhooks?webhook=3', { [`GET ${path}`]: itemOf(webhook({ types: [] })) });
  expect(await screen.findByRole('radio', { name: 'Selected events' })).toHaveProperty('checked', true);
});

test('an account that is not offered is shown by its name', async () => {
  open('/settings/webhooks?webhook=3', { 'GET /api/webhook-accounts': { body: { data: [] } } });
  const select = await screen.findByLabelText(/^Service account/);
  expect(
    within(select)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Payroll reader']);
});

test('with a key pair there is a public key, and no secret', async () => {
  const create = 'POST /api/webhooks';
  const made = webhook({ signature: 'v1a', public_key: 'whpk_abc', previous_until: at });
  const { service, user, where } = open('/settings/webhooks?webhook=new', {
    [create]: { status: 201, body: { data: made, message: '', secret: null } },
    [`GET ${path}`]: itemOf(made),
    [`POST ${path}/secret`]: { body: { data: made, message: '', secret: null } },
  });
  fill(await screen.findByLabelText(/^Name/), 'Payroll');
  fill(screen.getByLabelText(/^Address/), 'https://payroll.acme.example/hooks');
  await user.selectOptions(screen.getByLabelText(/^Signature/), 'v1a');
  await user.click(await button('Add webhook'));
  await screen.findByText('whpk_abc');
  expect(where()).toContain('webhook=3');
  expect(service.to(create)[0]?.body).toMatchObject({ signature: 'v1a' });
  expect(screen.getByText('Previous key valid until')).toBeDefined();
  expect(screen.queryByText(/secret/i)).toBeNull();
  await user.click(await button('New key pair…'));
  const dialog = await dialogOf('Create a new key pair for Payroll?');
  await user.click(dialog.getByRole('button', { name: 'Create new key pair' }));
  await screen.findByText('New key pair created.');
});
