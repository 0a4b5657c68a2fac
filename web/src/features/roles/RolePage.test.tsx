import { adminOnlyPermissions, permissionCatalogue, permissionNames } from '@tenure/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { guest, itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const role = (id: number, name: string, permissions: readonly string[], more: object = {}) => ({
  id,
  name,
  description: null,
  scope: 'managed',
  managed_depth: 'direct',
  is_system: true,
  users_count: 4,
  permissions_count: permissions.length,
  permissions,
  revision: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  allowed_actions: ['update', 'permissions'],
  ...more,
});
const admin = role(1, 'Admin', permissionNames, { scope: 'all', allowed_actions: [] });
const seen = ['departments.view', 'employees.view', 'kpi-evaluation.view', 'kpi-evaluation.review'];
const lead = role(4, 'TeamLead', seen);
const auditor = role(9, 'Auditor', ['audit.view'], {
  is_system: false,
  users_count: 0,
  allowed_actions: ['update', 'permissions', 'delete'],
});
type Sent = { permissions: string[]; revision: number };
const impact = {
  holders: 4,
  gains: [{ permission: 'entities.create', people: 3 }],
  losses: [],
  gaining: 3,
  losing: 0,
};

const open = (
  address: string,
  replies: Parameters<typeof serve>[0] = {},
  permissions = ['rbac.manage', 'employees.view'],
) => {
  const service = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/roles': listOf([admin, lead, auditor]),
    'GET /api/roles/matrix': itemOf({ roles: [admin, lead, auditor] }),
    'GET /api/permissions': listOf(permissionCatalogue),
    'GET /api/roles/4/impact': itemOf(impact),
    ...replies,
  });
  return { service, ...start(address) };
};
const box = (permission: string) => screen.findByRole('checkbox', { name: `${permission}: Team lead` });

test('granting a change permission grants the view permission; the difference and the affected users are shown before saving', async () => {
  const update = 'PUT /api/roles/4/permissions';
  const { service, user } = open('/roles/4', { [update]: itemOf(lead) });
  await user.click(await box('Add companies'));
  expect(((await box('View companies')) as HTMLInputElement).checked).toBe(true);
  expect(screen.getByText('2 permissions added.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Review and save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Change the permissions of Team lead?' });
  expect(await within(dialog).findByText('3 people gain it')).toBeDefined();
  const asked = service.to('GET /api/roles/4/impact').at(-1)?.query;
  expect(asked?.get('gives')?.split(',').sort()).toEqual(['entities.create', 'entities.view']);
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(service.to(update)).toHaveLength(1));
  const [sent] = service.to(update).map(({ body }) => body as Sent);
  expect(sent?.revision).toBe(1);
  expect(new Set(sent?.permissions)).toEqual(new Set([...seen, 'entities.view', 'entities.create']));
  expect(await screen.findByText('Team lead was updated.')).toBeDefined();
});

test('if the number of affected users fails to load, an error is shown with a retry', async () => {
  const failing = { status: 500, body: { message: 'Server Error' } };
  const { service, user } = open('/roles/4', { 'GET /api/roles/4/impact': failing });
  await user.click(await box('Add companies'));
  await user.click(screen.getByRole('button', { name: 'Review and save' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Something went wrong')).toBeDefined();
  expect(dialog.queryByText('…')).toBeNull();
  service.replies['GET /api/roles/4/impact'] = itemOf(impact);
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByText('3 people gain it')).toBeDefined();
});

test('a family is set at once, without permissions reserved for Admin', async () => {
  const { user } = open('/roles/4');
  await user.selectOptions(await screen.findByLabelText('KPI cycles: access level'), 'Full access');
  expect(((await box('Publish KPI cycles')) as HTMLInputElement).checked).toBe(true);
  expect(screen.queryByRole('checkbox', { name: 'Reopen KPI cycles: Team lead' })).toBeNull();
  await user.click(await box('View KPI cycles'));
  expect(((await box('Publish KPI cycles')) as HTMLInputElement).checked).toBe(false);
  expect(screen.queryByText('Unsaved changes')).toBeNull();
});

test('after a concurrent change of the role, both changes are shown and the user’s own are kept', async () => {
  const newer = role(4, 'TeamLead', [...seen, 'audit.view'], { revision: 2 });
  const update = 'PUT /api/roles/4/permissions';
  const refusal = { message: 'Changed', errors: { status: ['Changed'] }, status: 'built_in', revision: 2 };
  const { service, user } = open('/roles/4', { [update]: { status: 422, body: refusal } });
  await user.click(await box('View companies'));
  await user.click(screen.getByRole('button', { name: 'Review and save' }));
  const dialog = await screen.findByRole('dialog');
  service.replies['GET /api/roles/matrix'] = itemOf({ roles: [admin, newer, auditor] });
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Added by them: View the audit log')).toBeDefined();
  expect(within(dialog).getByText('View companies')).toBeDefined();
  service.replies[update] = itemOf(newer);
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(service.to(update)).toHaveLength(2));
  const [, sent] = service.to(update).map(({ body }) => body as Sent);
  expect(sent?.revision).toBe(2);
  expect(sent?.permissions).toContain('audit.view');
  expect(sent?.permissions).toContain('entities.view');
});

test('unsaved changes stay after a failed refetch, and are dropped if the role is no longer visible', async () => {
  const { service, user, queries } = open('/roles/4');
  await user.click(await box('View companies'));
  service.replies['GET /api/roles/matrix'] = { status: 500, body: { message: 'Server Error' } };
  await act(() => queries.refetchQueries());
  expect(screen.queryByRole('heading', { name: 'Something went wrong' })).toBeNull();
  expect(((await box('View companies')) as HTMLInputElement).checked).toBe(true);
  expect(screen.getByRole('button', { name: 'Review and save' })).toBeDefined();
  service.replies['GET /api/roles/matrix'] = { status: 403, body: { message: 'This action is unauthorized.' } };
  await act(() => queries.refetchQueries());
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'View companies: Team lead' })).toBeNull());
});

const signInAgain = async ({ user, service, router }: ReturnType<typeof open>) => {
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  service.replies['GET /api/me'] = signedInAs(['rbac.manage', 'employees.view']);
  service.replies['POST /api/login'] = { body: { message: 'Logged in successfully.' } };
  await user.type(await screen.findByLabelText('Work email'), 'hana.ito@acme.example');
  await user.type(screen.getByLabelText('Password'), 'Willow!Harbor42{Enter}');
};

test('unsaved changes survive the end of the session', async () => {
  const update = 'PUT /api/roles/4/permissions';
  const opened = open('/roles/4', { [update]: guest });
  const { user } = opened;
  await user.click(await box('View companies'));
  await user.click(screen.getByRole('button', { name: 'Review and save' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }));
  await signInAgain(opened);
  expect(((await box('View companies')) as HTMLInputElement).checked).toBe(true);
  expect(screen.getByText('1 permission added.')).toBeDefined();
});

test('the unsaved name of a role survives the end of the session', async () => {
  const opened = open('/roles/9?do=edit', { 'PUT /api/roles/9': guest });
  const { user } = opened;
  const name = async () => within(await screen.findByRole('dialog')).findByLabelText<HTMLInputElement>(/Name/);
  await user.type(await name(), ' of books');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await signInAgain(opened);
  expect((await name()).value).toBe('Auditor of books');
});

test('Admin is read-only with a reason, and so is every role for a user who may not change roles', async () => {
  open('/roles/1');
  expect(await screen.findByText(/Admin always has every permission/)).toBeDefined();
  expect(screen.queryAllByRole('checkbox', { name: /: Admin$/ })).toEqual([]);
});

test('a user who may assign roles sees their permissions', async () => {
  open('/roles/4', { 'GET /api/roles/matrix': itemOf({ roles: [{ ...lead, allowed_actions: [] }] }) }, [
    'employees.assign_roles',
  ]);
  expect(await screen.findByText('Only administrators can change a role’s permissions.')).toBeDefined();
  expect(screen.queryAllByRole('checkbox')).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Duplicate' })).toBeNull();
});

test('the holders of a permission are listed with the roles that grant it, and filtered by role', async () => {
  const holder = {
    user_id: 5,
    name: 'Lena Park',
    is_service: false,
    employee: { id: 57, employee_number: 'A-57', name: 'Lena Park' },
    entity: { id: 1, name: 'Acme' },
    department: { id: 4, name: 'Purchasing' },
    may_sign_in: false,
    because: [{ role_id: 4, role: 'TeamLead', scope: 'managed', entities: [{ id: 1, name: 'Acme' }] }],
  };
  const permissionId = permissionCatalogue.find(({ name }) => name === 'departments.view')?.id;
  const path = `GET /api/permissions/${permissionId}/holders`;
  const { service, user, where } = open('/roles/4', { [path]: listOf([holder]) });
  await user.click(await screen.findByRole('button', { name: 'Who has “View departments”?' }));
  const sheet = await screen.findByRole('dialog', { name: 'Who has “View departments”?' });
  expect(where()).toBe(`/roles/4?who=${permissionId}`);
  expect(await within(sheet).findByText('Through Team lead (Acme)')).toBeDefined();
  expect(within(sheet).getByText('Can’t sign in')).toBeDefined();
  await user.selectOptions(within(sheet).getByLabelText('Through role'), 'Team lead');
  await waitFor(() => expect(service.to(path).at(-1)?.query.get('role_id')).toBe('4'));
});

test('a phone shows one role at a time', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  const { user, where } = open('/roles/4');
  expect(await screen.findByRole('checkbox', { name: 'View departments' })).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
  await user.selectOptions(screen.getByLabelText('Role'), 'Auditor');
  await waitFor(() => expect(where()).toBe('/roles/9'));
});

test('a role is copied, without permissions reserved for Admin', async () => {
  const { service, user, where } = open('/roles', {
    'GET /api/roles/1': itemOf(admin),
    'POST /api/roles': { status: 201, body: { data: auditor, message: '' } },
  });
  await user.click(await screen.findByRole('button', { name: 'Actions for Admin' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  const dialog = await screen.findByRole('dialog', { name: 'Duplicate Admin' });
  const name = within(dialog).getByLabelText(/Name/);
  expect((name as HTMLInputElement).value).toBe('Admin (copy)');
  await user.clear(name);
  await user.type(name, 'Auditor');
  await user.click(within(dialog).getByRole('button', { name: 'Add role' }));
  await waitFor(() => expect(where()).toBe('/roles/9'));
  const body = service.to('POST /api/roles')[0]?.body as { permissions: string[] };
  expect(body).toMatchObject({ name: 'Auditor', scope: 'all', description: '' });
  expect(body.permissions).toHaveLength(permissionNames.length - adminOnlyPermissions.length);
});

test('a refused name is shown at its field', async () => {
  const refusal = { message: 'x', errors: { name: ['The name is too similar to the system role Admin.'] } };
  const { user } = open('/roles', { 'POST /api/roles': { status: 422, body: refusal } });
  await user.click(await screen.findByRole('button', { name: 'Add role' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add role' });
  await user.type(within(dialog).getByLabelText(/Name/), 'Adm1n');
  await user.click(within(dialog).getByRole('button', { name: 'Add role' }));
  expect(await within(dialog).findByText('The name is too similar to the system role Admin.')).toBeDefined();
});

test('a role with holders cannot be deleted, and its dialog says so', async () => {
  const held = { ...auditor, users_count: 2, allowed_actions: ['update', 'permissions'] };
  const { user } = open('/roles', { 'GET /api/roles': listOf([held]) });
  await user.click(await screen.findByRole('button', { name: 'Actions for Auditor' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete role' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Auditor?' });
  expect(within(dialog).getByText(/2 people still have this role/)).toBeDefined();
  expect(within(dialog).queryByRole('button', { name: 'Delete role' })).toBeNull();
  expect(within(dialog).getByRole('link', { name: '2 people' }).getAttribute('href')).toBe('/employees?role_id=9');
});

test.each([
  { text: 'IBAN', found: ['View private details'] },
  { text: 'date of birth', found: ['View private details'] },
  { text: 'bank', found: ['View private details'] },
])('the search for “$text” finds the permission that shows it', async ({ text, found }) => {
  open(`/roles/4?find=${encodeURIComponent(text)}`);
  await screen.findByText(found[0] as string);
  const shown = screen.getAllByRole('button', { name: /^Who has/ });
  expect(shown).toHaveLength(found.length);
  expect(screen.getByText(/^Shows \d+ fields$/)).toBeDefined();
});

test('a role is assigned from its page: the person is selected, and their access page continues', async () => {
  const { user, where } = open(
    '/roles/4',
    {
      'GET /api/employees': listOf([{ id: 23, display_name: 'Omar Diaz', department: { id: 4, name: 'Purchasing' } }]),
    },
    ['rbac.manage', 'employees.view', 'employees.assign_roles'],
  );
  await user.click(await screen.findByRole('button', { name: 'Assign role…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign Team lead' }));
  await user.click(await dialog.findByRole('combobox', { name: 'Person' }));
  await user.click(await screen.findByRole('option', { name: /Omar Diaz/, hidden: true }));
  await waitFor(() => expect(where()).toBe('/employees/23?tab=access&role=4'));
});
