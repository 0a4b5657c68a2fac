import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill, pick } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const at = '2026-11-20T09:00:00.000Z';
const token = (fields: object = {}) => ({
  id: 5,
  kind: 'service',
  name: 'Nightly',
  hint: 'tnrs_…Ab1z',
  state: 'active',
  permissions: ['employees.view'],
  entity_ids: null,
  created_at: at,
  expires_at: '2027-11-20T09:00:00.000Z',
  last_used_at: at,
  last_used_ip: '192.0.2.7',
  revoked_at: null,
  attention: [],
  allowed_actions: ['update', 'delete'],
  ...fields,
});
const account = (fields: object = {}) => ({
  id: 40,
  name: 'Payroll',
  description: 'Salaries',
  owners: [{ user_id: 1, name: 'Ada Admin' }],
  cidrs: ['192.0.2.0/24'],
  is_enabled: true,
  role_assignments: [{ role_id: 2, role: 'HR', scope: 'all', managed_depth: 'direct', entity_ids: [1] }],
  permissions: ['employees.view', 'employees.view_all'],
  active_tokens: 1,
  last_used_at: null,
  revision: 3,
  created_at: at,
  updated_at: at,
  allowed_actions: ['update', 'roles', 'tokens', 'delete'],
  ...fields,
});
const holder = { user_id: 40, name: 'Payroll', is_service: true };
const both = ['service-accounts.manage', 'tokens.view_all', 'rbac.manage'];

function open(path: string, replies: Parameters<typeof serve>[0] = {}, permissions = both) {
  const service = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/service-accounts': listOf([account()]),
    'GET /api/service-accounts/40': itemOf(account()),
    'GET /api/service-accounts/40/tokens': listOf([token()]),
    'GET /api/tokens': listOf([{ ...token(), account: holder }]),
    'GET /api/profile/tokens': listOf([]),
    'GET /api/roles': listOf([]),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme GmbH' }]),
    ...replies,
  });
  return { service, ...start(path) };
}

test('administrators see service accounts and all tokens with their last use', async () => {
  open('/settings/access-tokens');
  const accounts = await screen.findByRole('region', { name: 'Service accounts' });
  expect(within(accounts).getByRole('link', { name: 'Payroll' })).toBeTruthy();
  const tokens = await screen.findByRole('region', { name: 'All tokens' });
  expect(within(tokens).getAllByRole('row')[1]?.textContent).toContain('tnrs_…Ab1z');
  expect(within(tokens).getByText('from 192.0.2.7')).toBeTruthy();
});

test('a token is revoked after a question', async () => {
  const { service, user } = open('/settings/access-tokens', { 'DELETE /api/tokens/5': { status: 204 } });
  await user.click(await screen.findByRole('button', { name: /Revoke.*Nightly/ }, { timeout: 5_000 }));
  const dialog = await dialogOf('Revoke “Nightly”?');
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  await screen.findByText('Token revoked.');
  expect(service.to('DELETE /api/tokens/5')).toHaveLength(1);
});

test('a new token of a service account is shown once, to copy', async () => {
  const path = 'POST /api/service-accounts/40/tokens';
  const text = `tnrs_${'a'.repeat(49)}`;
  const { service, user } = open('/settings/access-tokens?account=40', {
    [path]: { status: 201, body: { data: token(), message: 'Token created.', token: text } },
  });
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  const dialog = await dialogOf('New access token');
  fill(dialog.getByLabelText('Name *'), 'Nightly');
  await pick(user, dialog.getByRole('combobox', { name: 'Permissions' }), 'View employees');
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  const made = await dialogOf('Copy the token now');
  expect(made.getByText(text)).toBeTruthy();
  expect(service.to(path)[0]?.body).toEqual({
    name: 'Nightly',
    permissions: ['employees.view'],
    entity_ids: null,
    days: 365,
  });
  await user.click(made.getByRole('button', { name: /^Copy.*Token$/ }));
  const [close] = made.getAllByRole('button', { name: 'Close' }).slice(-1);
  await user.click(close as HTMLElement);
  expect(screen.queryByText(text)).toBeNull();
});

test('who makes tokens of their own finds them in the profile; others do not', async () => {
  open('/profile?part=security', {}, ['tokens.create']);
  expect(await screen.findByText('No active tokens.')).toBeTruthy();
});

test('active tokens are shown, those to look at first, and others by their state', async () => {
  const { service, user } = open(
    '/settings/access-tokens',
    {
      'GET /api/tokens': listOf([
        { ...token({ attention: ['ending', 'unused'], entity_ids: [1, 8] }), account: holder },
      ]),
    },
    [...both, 'entities.view'],
  );
  const tokens = await screen.findByRole('region', { name: 'All tokens' });
  expect(within(tokens).getByText('Expires soon')).toBeTruthy();
  expect(within(tokens).getAllByText('Unused')).toHaveLength(1);
  await within(tokens).findByText('Acme GmbH and 1 other company');
  await user.click(within(tokens).getByText('1 permission'));
  expect(within(tokens).getByText('View employees')).toBeTruthy();
  const asked = () => Object.fromEntries(service.to('GET /api/tokens').at(-1)?.query ?? []);
  expect(asked()).toMatchObject({ state: 'active', sort_by: 'attention', sort_direction: 'asc' });
  service.replies['GET /api/tokens'] = listOf([]);
  await user.click(screen.getByRole('button', { name: 'Unused' }));
  await screen.findByText('No unused tokens');
  expect(asked()).toMatchObject({ state: 'active', attention: 'unused' });
  await user.click(screen.getByRole('button', { name: 'Ended' }));
  await screen.findByText('No ended tokens');
  expect(asked()).toMatchObject({ state: 'expired,revoked', sort_by: 'expires_at', sort_direction: 'desc' });
});

test('a role that the account has is named where the list of roles is refused, and the refusal is said', async () => {
  open('/settings/access-tokens?account=40', { 'GET /api/roles': { status: 500, body: { message: 'x' } } });
  const shown = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Role' });
  expect(shown.selectedOptions[0]?.textContent).toBe('HR');
  expect(await screen.findByRole('alert')).toBeTruthy();
});

test('a role and a company beyond the first page of their lists are named', async () => {
  const role = (id: number, name: string) => ({ id, name, scope: 'all', is_system: false });
  const page = (rows: readonly object[]) => {
    const { body } = listOf(rows) as { body: { meta: object } };
    return { body: { ...body, meta: { ...body.meta, total: 140, last_page: 2 } } };
  };
  const [held] = account().role_assignments;
  open('/settings/access-tokens?account=40', {
    'GET /api/service-accounts/40': itemOf(account({ role_assignments: [{ ...held, entity_ids: [130, 131] }] })),
    'GET /api/roles': ({ url }) =>
      page(url.searchParams.get('page') === '2' ? [role(130, 'Zoning')] : [role(2, 'HR'), role(3, 'Audits')]),
    'GET /api/entities': ({ url }) =>
      url.searchParams.get('id') === '130,131'
        ? listOf([
            { id: 131, name: 'Far Ltd' },
            { id: 130, name: 'Yonder Ltd' },
          ])
        : page([{ id: 1, name: 'Acme GmbH' }]),
  });
  for (const name of ['Yonder Ltd', 'Far Ltd']) expect(await screen.findByText(name)).toBeDefined();
  const roles = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Role' });
  await waitFor(() => expect([...roles.options].map(({ text }) => text)).toContain('Zoning'));
});

test('a role of the account shows its departments, and loses them with another company or role', async () => {
  const [held] = account().role_assignments;
  const limits = { entity_ids: [], department_ids: [7], departments: [{ id: 7, name: 'Purchasing' }] };
  const role = (id: number, name: string) => ({ id, name, scope: 'all', is_system: false });
  const { service, user } = open(
    '/settings/access-tokens?account=40',
    {
      'GET /api/service-accounts/40': itemOf(account({ role_assignments: [{ ...held, ...limits }] })),
      'GET /api/roles': listOf([role(2, 'HR'), role(3, 'Audits')]),
      'GET /api/departments': listOf([{ id: 8, name: 'Sales', entity: { id: 1, name: 'Acme GmbH' } }]),
      'PUT /api/service-accounts/40/roles': itemOf(account()),
    },
    [...both, 'departments.view'],
  );
  // the selected department, and its entry in the list
  expect(await screen.findAllByText('Purchasing')).not.toEqual([]);
  expect(screen.getByRole('combobox', { name: 'Companies' }).getAttribute('placeholder')).toBe('');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Role' }), 'Audits');
  expect(screen.queryAllByText('Purchasing')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(service.to('PUT /api/service-accounts/40/roles')[0]?.body).toEqual({
      assignments: [{ role_id: 3, entity_ids: null }],
      revision: 3,
    }),
  );
});
