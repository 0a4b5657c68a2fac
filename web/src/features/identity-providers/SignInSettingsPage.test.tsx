import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill, pick } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const provider = (fields: object = {}) => ({
  id: 7,
  kind: 'oidc',
  name: 'Acme ID',
  is_enabled: false,
  issuer: 'https://op.acme.example',
  client_id: 'tenure',
  client_auth: 'client_secret_basic',
  has_client_secret: true,
  scopes: ['openid', 'email'],
  entity_ids: null,
  domains: ['acme.example'],
  match_rule: 'verified_email',
  subject_claim: 'sub',
  address_claim: 'email',
  second_factor: 'never',
  second_factor_values: [],
  session_max_hours: null,
  groups_claim: null,
  groups_missing_count: 0,
  return_address: 'https://hr.acme.example/sso/callback/7',
  keys_address: 'https://hr.acme.example/sso/jwks.json',
  backchannel_address: 'https://hr.acme.example/sso/7/backchannel-logout',
  signed_out_address: 'https://hr.acme.example/login',
  sends_logout: true,
  end_session: false,
  can_end_session: false,
  failing: null as object | null,
  sso_url: null,
  certificates: [] as object[],
  subject_attribute: null,
  address_attribute: null,
  acs_address: 'https://hr.acme.example/sso/7/acs',
  metadata_address: 'https://hr.acme.example/sso/7/metadata',
  checked_at: '2026-11-20T09:00:00.000Z',
  tested_at: null,
  linked_count: 3,
  unmatched_count: 1,
  revision: 4,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  allowed_actions: ['update', 'enable', 'delete'],
  ...fields,
});
const tried = {
  id: 31,
  subject: 'f3a1',
  email: 'lena@acme.example',
  name: 'Lena Park',
  tries: 2,
  last_try_at: '2026-11-26T09:00:00.000Z',
};

const roles = [
  { id: 2, name: 'HR', limitable: true, in_departments: true },
  { id: 5, name: 'Employee', limitable: false, in_departments: false },
];
const knownRules = (fields: object = {}) => ({
  groups_claim: 'groups',
  rules: [] as object[],
  seen: [
    { value: 'hr-emea', people: 4 },
    { value: 'hr', people: 2 },
  ],
  known: 4,
  unknown: 1,
  roles,
  entities: null,
  revision: 4,
  ...fields,
});

function open(path: string, replies: Parameters<typeof serve>[0] = {}, permissions = ['identity.manage']) {
  const service = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/identity-providers': listOf([provider()]),
    'GET /api/identity-providers/7': itemOf(provider()),
    'GET /api/identity-providers/7/role-rules': itemOf(knownRules()),
    'GET /api/entities': listOf([
      { id: 1, name: 'Acme GmbH' },
      { id: 2, name: 'Acme Ltd' },
    ]),
    ...replies,
  });
  return { service, ...start(path) };
}

test('without a provider the page says what one is good for, and leads to the form', async () => {
  const { user, where } = open('/settings/sign-in', { 'GET /api/identity-providers': listOf([]) });
  await screen.findByRole('heading', { level: 2, name: 'Everyone signs in with a password' });
  await user.click(screen.getByRole('link', { name: 'Add provider' }));
  await screen.findByRole('heading', { level: 1, name: 'Add provider' });
  expect(where()).toBe('/settings/sign-in?provider=new');
});

test('a new provider is sent as entered; an error of its issuer stands at the field', async () => {
  const path = 'POST /api/identity-providers';
  const away = 'The issuer field could not be checked: the address does not answer.';
  const { service, user, where } = open('/settings/sign-in?provider=new', {
    [path]: { status: 422, body: { message: away, errors: { issuer: [away] } } },
  });
  fill(await screen.findByLabelText('Name *'), 'Acme ID');
  fill(screen.getByLabelText('Issuer *'), 'https://op.acme.example');
  fill(screen.getByLabelText('Client ID *'), 'tenure');
  fill(screen.getByLabelText('Client secret'), 'hush');
  fill(screen.getByLabelText('Email domains'), 'acme.example\n@acme.test');
  await pick(user, screen.getByRole('combobox', { name: 'Companies' }), 'Acme Ltd');
  await user.selectOptions(screen.getByLabelText('Counts as two factors'), 'values');
  fill(screen.getByLabelText('Values of amr or acr'), 'mfa hwk');
  fill(screen.getByLabelText('Longest session (hours)'), '8,5');
  await user.click(screen.getByRole('button', { name: 'Add provider' }));
  await waitFor(() => expect(screen.getByLabelText('Issuer *').getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText(away)).toHaveLength(1);
  expect(service.to(path)[0]?.body).toEqual({
    name: 'Acme ID',
    issuer: 'https://op.acme.example',
    client_id: 'tenure',
    client_secret: 'hush',
    domains: ['acme.example', 'acme.test'],
    entity_ids: [2],
    second_factor: 'values',
    second_factor_values: ['mfa', 'hwk'],
    session_max_hours: 8.5,
  });
  service.replies[path] = itemOf(provider());
  await user.click(screen.getByRole('button', { name: 'Add provider' }));
  await screen.findByRole('heading', { level: 1, name: 'Acme ID' });
  expect(where()).toBe('/settings/sign-in?provider=7');
  expect(screen.getByText('https://hr.acme.example/sso/callback/7')).toBeDefined();
});

test('a form without input names each field that lacks a value', async () => {
  const path = 'POST /api/identity-providers';
  const { service, user } = open('/settings/sign-in?provider=new', { [path]: { status: 422, body: { message: '' } } });
  fill(await screen.findByLabelText('Name *'), 'Acme ID');
  await user.click(screen.getByRole('button', { name: 'Add provider' }));
  await waitFor(() => expect(service.to(path)).toHaveLength(1));
  expect(service.to(path)[0]?.body).toEqual({ name: 'Acme ID', issuer: '', client_id: '', client_secret: '' });
});

test('a change sends what changed, with the revision, and keeps the secret', async () => {
  const path = 'PUT /api/identity-providers/7';
  const { service, user } = open('/settings/sign-in?provider=7', {
    [path]: itemOf(provider({ name: 'Acme sign-in', revision: 5 })),
  });
  fill(await screen.findByLabelText('Name *'), 'Acme sign-in');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Changes saved.')).toBeDefined();
  expect(service.to(path)[0]?.body).toEqual({ name: 'Acme sign-in', revision: 4 });
  fill(screen.getByLabelText('Client secret'), 'another');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(service.to(path)[1]?.body).toEqual({ client_secret: 'another', revision: 5 }));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Client secret').value).toBe(''));
  expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('another');
});

test('with a key no secret is asked for or sent, and the address of the keys is shown', async () => {
  const path = 'PUT /api/identity-providers/7';
  const saved = itemOf(provider({ client_auth: 'private_key_jwt', has_client_secret: false, revision: 5 }));
  const { service, user } = open('/settings/sign-in?provider=7', { [path]: saved });
  fill(await screen.findByLabelText('Client secret'), 'typed before');
  expect(screen.queryByText('https://hr.acme.example/sso/jwks.json')).toBeNull();
  await user.selectOptions(screen.getByLabelText('Client authentication'), 'private_key_jwt');
  expect(screen.queryByLabelText('Client secret')).toBeNull();
  service.replies['GET /api/identity-providers/7'] = saved;
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('https://hr.acme.example/sso/jwks.json')).toBeDefined();
  expect(service.to(path)[0]?.body).toEqual({ client_auth: 'private_key_jwt', revision: 4 });
});

test('a field that someone else changed meanwhile is asked about', async () => {
  const path = 'PUT /api/identity-providers/7';
  const { service, user } = open('/settings/sign-in?provider=7', {
    [path]: { status: 422, body: { message: 'Changed meanwhile.', errors: { revision: ['x'] }, revision: 5 } },
  });
  fill(await screen.findByLabelText('Name *'), 'Mine');
  service.replies['GET /api/identity-providers/7'] = itemOf(provider({ name: 'Theirs', revision: 5 }));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  const dialog = await dialogOf('Someone else edited this too');
  expect(dialog.getByText('Theirs')).toBeDefined();
  service.replies[path] = itemOf(provider({ name: 'Mine', revision: 6 }));
  await user.click(dialog.getByRole('button', { name: 'Save selection' }));
  await waitFor(() => expect(service.to(path).at(-1)?.body).toEqual({ name: 'Mine', revision: 5 }));
});

test('an error of one domain stands at the field of all', async () => {
  const bad = 'The domains.1 has already been taken.';
  const { user } = open('/settings/sign-in?provider=7', {
    'PUT /api/identity-providers/7': { status: 422, body: { message: bad, errors: { 'domains.1': [bad] } } },
  });
  const field = await screen.findByLabelText('Email domains');
  fill(field, 'acme.example, acme.test');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText(bad)).toHaveLength(1);
});

test('verified emails are always in the claim email', async () => {
  const { service, user } = open('/settings/sign-in?provider=7', {
    'GET /api/identity-providers/7': itemOf(provider({ match_rule: 'tenant_address', address_claim: 'upn' })),
    'PUT /api/identity-providers/7': itemOf(provider()),
  });
  await user.selectOptions(await screen.findByLabelText('First sign-in'), 'verified_email');
  const claim = screen.getByLabelText<HTMLSelectElement>('Claim with the email');
  expect([claim.value, claim.disabled]).toEqual(['email', true]);
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() =>
    expect(service.to('PUT /api/identity-providers/7')[0]?.body).toEqual({
      match_rule: 'verified_email',
      address_claim: 'email',
      revision: 4,
    }),
  );
});

test('an address without verification is in a claim that the organization assigns', async () => {
  const { service, user } = open('/settings/sign-in?provider=7', {
    'PUT /api/identity-providers/7': itemOf(provider()),
  });
  await user.selectOptions(await screen.findByLabelText('First sign-in'), 'tenant_address');
  const claim = screen.getByLabelText<HTMLSelectElement>('Claim with the email');
  expect([claim.value, [...claim.options].map(({ value }) => value)]).toEqual([
    'preferred_username',
    ['preferred_username', 'upn'],
  ]);
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() =>
    expect(service.to('PUT /api/identity-providers/7')[0]?.body).toEqual({
      match_rule: 'tenant_address',
      address_claim: 'preferred_username',
      revision: 4,
    }),
  );
});

test('the page says that the provider fails and since when, and that it finds people by an address of no proof', async () => {
  const failing = { since: '2026-11-26T09:00:00.000Z', reason: 'refused' };
  open('/settings/sign-in?provider=7', {
    'GET /api/identity-providers/7': itemOf(
      provider({ is_enabled: true, failing, match_rule: 'tenant_address', address_claim: 'email' }),
    ),
  });
  const why = await screen.findByText(/refuses our client ID, secret or scopes.*then test the provider\.$/);
  expect(why.nextElementSibling?.textContent).toMatch(/^Since .*2026/);
  expect(screen.getByText('Failing')).toBeDefined();
  expect(screen.getByText(/^New people are found by the claim email/)).toBeDefined();
});

test('signing out at the provider too is offered where it has an address for that', async () => {
  const path = 'PUT /api/identity-providers/7';
  const { service, user } = open('/settings/sign-in?provider=7', {
    'GET /api/identity-providers/7': itemOf(provider({ can_end_session: true })),
    [path]: itemOf(provider({ can_end_session: true, end_session: true, revision: 5 })),
  });
  const also = await screen.findByRole<HTMLInputElement>('switch', { name: /^Sign people out at the provider too/ });
  expect(screen.getByText('https://hr.acme.example/login')).toBeDefined();
  await user.click(also);
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(service.to(path)[0]?.body).toEqual({ end_session: true, revision: 4 }));
  await waitFor(() => expect(also.checked).toBe(true));
});

test('without such an address it is not offered; the address of the back-channel logout is there to copy', async () => {
  open('/settings/sign-in?provider=7');
  expect(await screen.findByText('https://hr.acme.example/sso/7/backchannel-logout')).toBeDefined();
  await screen.findByLabelText('Name *');
  expect(screen.queryByRole('switch', { name: /^Sign people out/ })).toBeNull();
  expect(screen.queryByText('https://hr.acme.example/login')).toBeNull();
});

test('for a provider that sends no logout the page says what ends access there', async () => {
  open('/settings/sign-in?provider=7', {
    'GET /api/identity-providers/7': itemOf(provider({ sends_logout: false })),
  });
  expect(await screen.findByText(/^Entra ID and Google don’t tell us .*\(SCIM\)\.$/)).toBeDefined();
  expect(screen.queryByText('https://hr.acme.example/sso/7/backchannel-logout')).toBeNull();
});

test('a provider is enabled, disabled and deleted after a question', async () => {
  const { service, user, where } = open('/settings/sign-in?provider=7', {
    'POST /api/identity-providers/7/enable': itemOf(provider()),
    'DELETE /api/identity-providers/7': { status: 204 },
  });
  await user.click(await screen.findByRole('button', { name: 'Enable…' }));
  const enabled = { is_enabled: true, revision: 5, allowed_actions: ['update', 'disable', 'delete'] };
  service.replies['GET /api/identity-providers/7'] = itemOf(provider(enabled));
  await user.click((await dialogOf('Enable Acme ID?')).getByRole('button', { name: 'Enable' }));
  expect(await screen.findByText('Acme ID is enabled.')).toBeDefined();
  expect(service.to('POST /api/identity-providers/7/enable')[0]?.body).toEqual({ revision: 4 });
  const demanded = 'This provider can’t be disabled or deleted: a sign-in rule demands it.';
  service.replies['POST /api/identity-providers/7/disable'] = {
    status: 422,
    body: { message: demanded, errors: { provider: [demanded] } },
  };
  await user.click(await screen.findByRole('button', { name: 'Disable…' }));
  const disable = await dialogOf('Disable Acme ID?');
  await user.click(disable.getByRole('button', { name: 'Disable' }));
  expect(await disable.findByText(demanded)).toBeDefined();
  await user.click(disable.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Delete…' }));
  await user.click((await dialogOf('Delete Acme ID?')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Acme ID was deleted.')).toBeDefined();
  expect(where()).toBe('/settings/sign-in');
});

const hr = ['identity.manage', 'employees.view', 'employees.reset_password'];

test('a person who was not found is linked to an employee, or dismissed with a way to undo', async () => {
  const list = 'GET /api/identity-providers/7/unmatched';
  const link = 'POST /api/identity-providers/7/unmatched/31/link';
  const refusal = 'This person can’t be linked to Acme ID.';
  const { service, user } = open(
    '/settings/sign-in?provider=7',
    {
      [list]: listOf([tried, { ...tried, id: 32, name: null, email: null, subject: 'b2' }]),
      [link]: { status: 422, body: { message: refusal, errors: { employee_id: [refusal] } } },
      'GET /api/employees': listOf([
        {
          id: 57,
          display_name: 'Lena Park-Otto',
          employee_number: 'A-1',
          job_title: 'Buyer',
          department: { id: 1, name: 'Sales' },
        },
      ]),
    },
    hr,
  );
  await user.click(await screen.findByRole('button', { name: /^Link…\s*Lena Park$/ }));
  expect(screen.queryByRole('link', { name: /^Add…/ })).toBeNull();
  const dialog = await dialogOf('Link Lena Park');
  await pick(user, dialog.getByRole('combobox', { name: /^Employee/ }), /Lena Park-Otto/);
  await user.click(dialog.getByRole('button', { name: 'Link' }));
  expect(await dialog.findByText(refusal)).toBeDefined();
  service.replies[link] = itemOf({ id: 31, employee_id: 57 });
  await user.click(dialog.getByRole('button', { name: 'Link' }));
  expect(await screen.findByText('Lena Park was linked.')).toBeDefined();
  expect(service.to(link).at(-1)?.body).toEqual({ employee_id: 57 });
  const table = within(screen.getByRole('region', { name: 'People who tried to sign in' }));
  await user.click(await screen.findByRole('button', { name: /^Dismiss\s*b2$/ }));
  await waitFor(() => expect(table.queryAllByText('b2')).toEqual([]));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect((await table.findAllByText('b2')).length).toBeGreaterThan(0);
  expect(service.asked.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('who may add people adds one who was not found', async () => {
  const list = { 'GET /api/identity-providers/7/unmatched': listOf([tried]) };
  open('/settings/sign-in?provider=7', list, [...hr, 'employees.create']);
  const add = await screen.findByRole('link', { name: /^Add…\s*Lena Park$/ });
  expect(add.getAttribute('href')).toBe('/employees/new?provider=7&tried=31');
});

test('who may not see the people of the provider sees no list', async () => {
  const nothing = { status: 404, body: { message: 'Not found.' } };
  open('/settings/sign-in?provider=7', { 'GET /api/identity-providers/7/unmatched': nothing }, hr);
  await screen.findByLabelText('Name *');
  await waitFor(() => expect(screen.queryByText('People who tried to sign in')).toBeNull());
});

test.each([
  [true, 'Yes: the provider says when people signed in'],
  [false, /^No: auth_time is missing\./],
  [null, null],
])('a test shows whether people can confirm actions at the provider (%s)', async (confirms, text) => {
  open('/settings/sign-in?provider=7', {
    'GET /api/identity-providers/7': itemOf(provider({ tested_at: '2026-11-26T09:00:00.000Z' })),
    'GET /api/identity-providers/7/test-result': itemOf({
      tested_at: '2026-11-26T09:00:00.000Z',
      claims: [{ name: 'sub', value: 'f3a1' }],
      subject: 'f3a1',
      address: null,
      factors: 1,
      confirms,
      found: null,
    }),
  });
  await screen.findByText('Counts as');
  if (text === null) expect(screen.queryByText('Confirms actions')).toBeNull();
  else expect(screen.getByText(text)).toBeDefined();
});
