import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill, fillDay, pick } from '../../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const policy = (fields: object) => ({
  entity: null,
  is_own: true,
  sso_required: false,
  sso_provider_ids: [],
  second_factor_from: null,
  session_max_hours: null,
  people_count: 0,
  revision: 1,
  ...fields,
});
const standard = policy({ people_count: 7 });
const acme = policy({ entity: { id: 1, name: 'Acme GmbH' }, is_own: false, people_count: 120 });
const beta = policy({
  entity: { id: 2, name: 'Beta Ltd' },
  sso_required: true,
  sso_provider_ids: [7],
  second_factor_from: '2099-03-01',
  session_max_hours: 8,
  people_count: 1,
  revision: 5,
});
const role = (fields: object = {}) => ({
  id: 2,
  name: 'HR',
  is_system: true,
  second_factor_from: null,
  holders_count: 4,
  without_factor_count: 3,
  revision: 2,
  ...fields,
});
const clear = {
  blockers: [],
  warnings: [],
  unlinked_count: 0,
  unlinked: [],
  not_found_count: 0,
  sessions_to_end: 0,
  without_factor_count: 0,
};

function open(path: string, replies: Parameters<typeof serve>[0] = {}) {
  const service = serve({
    'GET /api/me': signedInAs(['identity.manage']),
    'GET /api/identity-providers': listOf([{ id: 7, name: 'Acme ID' }]),
    'GET /api/sign-in-policies': itemOf({ policies: [standard, acme, beta] }),
    'GET /api/second-factor-demands': itemOf({ is_decided: true, roles: [role()] }),
    ...replies,
  });
  return { service, ...start(path) };
}
const rowsOf = async (name: string) => {
  const [, ...rows] = within(await screen.findByRole('region', { name })).getAllByRole('row');
  return rows.map(({ textContent }) => textContent);
};

test('the rules of companies and roles stand there in words', async () => {
  open('/settings/sign-in?part=rules');
  await screen.findByText('Acme ID only');
  expect(await rowsOf('Companies')).toEqual([
    'All other companiesPassword or providerNot requiredStandard7',
    'Acme GmbHDefault rulePassword or providerNot requiredStandard120',
    'Beta LtdAcme ID onlyRequired from 1 Mar 20998 hours1',
  ]);
  expect(await rowsOf('Roles')).toEqual(['HRNot required43Change… HR']);
});

test('a company gets a rule of its own after its preflight and its name', async () => {
  const preflight = 'POST /api/sign-in-policies/1/preflight';
  const put = 'PUT /api/sign-in-policies/1';
  const { service, user, where } = open('/settings/sign-in?part=rules&rule=1', {
    [preflight]: itemOf({
      ...clear,
      blockers: ['Acme ID wasn’t tested in the last 24 hours.'],
      warnings: ['You aren’t linked to any of these providers yourself.'],
    }),
    [put]: itemOf(policy({ entity: acme.entity, sso_required: true, sso_provider_ids: [7] })),
    'GET /api/sign-in-policies/1/unlinked': listOf([
      { user_id: 9, name: 'Lena Park', email: 'lena@elsewhere.example', is_found: false },
    ]),
  });
  await user.selectOptions(await screen.findByLabelText('Rule'), 'Custom rule');
  await user.selectOptions(screen.getByLabelText('Sign-in'), 'Only through a provider');
  await pick(user, screen.getByRole('combobox', { name: /Providers/ }), 'Acme ID');
  fill(screen.getByLabelText('Longest session (hours)'), '8,5');
  await user.click(screen.getByRole('button', { name: 'Review…' }));
  let dialog = await dialogOf('Save this rule?');
  expect(await dialog.findByText('Acme ID wasn’t tested in the last 24 hours.')).toBeDefined();
  expect(dialog.getByText('You aren’t linked to any of these providers yourself.')).toBeDefined();
  expect(dialog.getByRole('button', { name: 'Save rule' })).toHaveProperty('disabled', true);
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));

  service.replies[preflight] = itemOf({ ...clear, sessions_to_end: 3, unlinked_count: 1, not_found_count: 1 });
  await user.click(screen.getByRole('button', { name: 'Review…' }));
  dialog = await dialogOf('Save this rule?');
  await dialog.findByText('3 open sessions end right away. The people have to sign in again.');
  expect(await dialog.findByText('Lena Park')).toBeDefined();
  fill(dialog.getByLabelText('Type “Acme GmbH” to confirm'), 'acme gmbh');
  await user.click(dialog.getByRole('button', { name: 'Save rule' }));
  expect(await screen.findByText('The rule was saved.')).toBeDefined();
  expect(where()).toBe('/settings/sign-in?part=rules');
  const body = { sso_required: true, sso_provider_ids: [7], second_factor_from: null, session_max_hours: 8.5 };
  expect(service.to(put)[0]?.body).toEqual({ ...body, revision: 1 });
  expect(service.to(preflight)[0]?.body).toEqual(body);
});

test('a company goes back to the default without typing', async () => {
  const path = 'DELETE /api/sign-in-policies/2';
  const { service, user } = open('/settings/sign-in?part=rules&rule=2', {
    'POST /api/sign-in-policies/2/preflight': itemOf(clear),
    [path]: { status: 204, body: undefined },
  });
  await user.selectOptions(await screen.findByLabelText('Rule'), 'Follow the default');
  await user.click(screen.getByRole('button', { name: 'Review…' }));
  const dialog = await dialogOf('Save this rule?');
  await dialog.findByText('No one is affected right now.');
  await user.click(dialog.getByRole('button', { name: 'Save rule' }));
  await waitFor(() => expect(service.to(path)).toHaveLength(1));
});

test('a role demands a second factor from a day on', async () => {
  const path = 'PUT /api/roles/2/second-factor';
  const { service, user } = open('/settings/sign-in?part=rules', {
    [path]: itemOf(role({ second_factor_from: '2099-01-31' })),
  });
  await user.click(await screen.findByRole('button', { name: /^Change….*HR$/ }));
  const dialog = await dialogOf('Second factor for HR');
  expect(dialog.getByText('3 people with this role have no second factor yet.')).toBeDefined();
  await user.selectOptions(dialog.getByLabelText('Second factor'), 'Required from a date');
  fillDay(dialog.getByLabelText('First day *'), '2099-01-31');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Second factor for HR saved.')).toBeDefined();
  expect(service.to(path)[0]?.body).toEqual({ second_factor_from: '2099-01-31', revision: 2 });
});

test('emergency accounts are chosen among administrators with a second factor', async () => {
  const path = 'PUT /api/break-glass-accounts';
  const account = (user_id: number, name: string, fields: object = {}) => ({
    user_id,
    name,
    email: `${user_id}@acme.example`,
    has_password: true,
    has_second_factor: true,
    last_login_at: null,
    last_used_at: null,
    ...fields,
  });
  const { service, user } = open('/settings/sign-in?part=emergency', {
    'GET /api/break-glass-accounts': itemOf({
      accounts: [account(1, 'Hana Ito')],
      candidates: [account(2, 'Omar Diaz'), account(3, 'Eva Roth', { has_second_factor: false })],
      revision: 4,
    }),
    [path]: itemOf({ accounts: [], candidates: [], revision: 5 }),
  });
  expect(await rowsOf('Emergency account')).toEqual([
    'Hana Ito1@acme.exampleEmergency accountSet upNeverNeverRemove… Hana Ito',
    'Omar Diaz2@acme.exampleAdministratorSet upNeverNeverChoose… Omar Diaz',
    'Eva Roth3@acme.exampleAdministratorMissingNeverNeverNeeds a second factor first',
  ]);
  await user.click(screen.getByRole('button', { name: /^Choose….*Omar Diaz$/ }));
  const dialog = await dialogOf('Make Omar Diaz an emergency account?');
  await user.click(dialog.getByRole('button', { name: 'Make emergency account' }));
  await waitFor(() => expect(service.to(path)[0]?.body).toEqual({ user_ids: [1, 2], revision: 4 }));
});
