import { permissionCatalogue, permissionNames } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { dialogOf, fill } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { german, start } from '../../testing/start.tsx';

const role = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  description: 'Looks at figures',
  scope: 'managed',
  managed_depth: 'direct',
  is_system: false,
  users_count: 0,
  permissions_count: 1,
  permissions: ['departments.view'],
  revision: 3,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  allowed_actions: ['update', 'permissions', 'delete'],
  ...more,
});
const lead = role(4, 'TeamLead', { is_system: true, users_count: 4, allowed_actions: ['update', 'permissions'] });
const auditor = role(9, 'Auditor');
const admin = role(1, 'Admin', { is_system: true, permissions: permissionNames, allowed_actions: [] });

beforeEach(() => sessionStorage.clear());

function open(address: string, replies: Parameters<typeof serve>[0] = {}, permissions = ['rbac.manage']) {
  const served = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/roles': listOf([lead, auditor]),
    'GET /api/roles/matrix': itemOf({ roles: [admin, lead, auditor] }),
    'GET /api/permissions': listOf(permissionCatalogue),
    ...replies,
  });
  const bodies = (call: string) => served.to(call).map(({ body }) => body);
  return { served, bodies, ...start(address) };
}

const refused = (errors: Record<string, string[]>, more: object = {}) => ({
  status: 422,
  body: { message: 'No.', errors, ...more },
});

describe('the list', () => {
  test('text and scope filter it; an empty result offers to show all again', async () => {
    const { served, user, where } = open('/roles?page=2', { 'GET /api/roles': listOf([]) });
    await screen.findByText('No matching roles');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Scope' }), 'Everyone');
    await waitFor(() => expect(where()).toBe('/roles?scope=all'));
    fill(screen.getByRole('searchbox', { name: 'Search roles' }), 'aud');
    await waitFor(() => expect(where()).toBe('/roles?scope=all&search=aud'));
    expect(Object.fromEntries(served.to('GET /api/roles').at(-1)?.query ?? [])).toEqual({
      scope: 'all',
      search: 'aud',
    });
    await user.click(screen.getByRole('button', { name: 'Show all roles' }));
    await waitFor(() => expect(where()).toBe('/roles'));
  });

  test('a header sorts, and the order is in the address', async () => {
    const { user, where } = open('/roles');
    await user.click(await screen.findByRole('button', { name: /^Name/ }));
    await waitFor(() => expect(where()).toBe('/roles?sort_by=name&sort_direction=desc'));
  });

  test('a user who may not manage roles has no actions and no button to add one', async () => {
    open('/roles', { 'GET /api/roles': listOf([{ ...auditor, allowed_actions: [] }]) }, ['employees.assign_roles']);
    await screen.findByRole('link', { name: 'Auditor' });
    expect(screen.queryByRole('button', { name: 'Add role' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Actions for Auditor' })).toBeNull();
  });

  test('failure and refusal each have their own state', async () => {
    const { served, user } = open('/roles', {
      'GET /api/roles': { status: 500, body: { message: 'Server Error', request_id: 'r-1' } },
    });
    await screen.findByText(/logged the error as r-1/);
    served.replies['GET /api/roles'] = { status: 403, body: { message: 'This action is unauthorized.' } };
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' })).toBeDefined();
  });
});

describe('the form', () => {
  test('the scope of a new role is explained, and its permissions start as a copy of another role', async () => {
    const { bodies, user, where } = open('/roles', {
      'GET /api/roles/4': itemOf(lead),
      'GET /api/roles/9': itemOf(auditor),
      'POST /api/roles': { status: 201, body: { data: auditor, message: '' } },
    });
    await user.click(await screen.findByRole('button', { name: 'Add role' }));
    const dialog = await dialogOf('Add role');
    expect(dialog.getByText('Applies to the person’s own record only.')).toBeDefined();
    await user.selectOptions(dialog.getByLabelText(/^Scope/), 'Reports and departments');
    expect(
      dialog.getByText('Applies to the person’s direct reports and the departments they manage or lead.'),
    ).toBeDefined();
    await user.selectOptions(dialog.getByLabelText('Reporting line'), 'Direct and indirect reports');
    expect(
      dialog.getByText(
        'Applies to everyone below the person in the reporting line and to the departments they manage or lead.',
      ),
    ).toBeDefined();
    fill(dialog.getByLabelText(/^Name/), 'Buyer');
    await user.selectOptions(await dialog.findByLabelText(/^Copy permissions from/), 'Team lead');
    await user.click(dialog.getByRole('button', { name: 'Add role' }));
    await screen.findByText('Auditor was added.');
    await waitFor(() => expect(where()).toBe('/roles/9'));
    expect(bodies('POST /api/roles')).toEqual([
      {
        name: 'Buyer',
        description: '',
        scope: 'managed',
        managed_depth: 'tree',
        permissions: ['departments.view'],
      },
    ]);
  });

  test('name and scope of a built-in role are fixed; only a changed description is sent', async () => {
    const { bodies, user } = open('/roles/4?do=edit', { 'PUT /api/roles/4': itemOf(lead) });
    const dialog = await dialogOf('Edit Team lead');
    expect(dialog.getByLabelText(/^Name/)).toHaveProperty('disabled', true);
    expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'Team lead');
    expect(dialog.getByLabelText(/^Scope/)).toHaveProperty('disabled', true);
    expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    fill(dialog.getByLabelText('Description'), 'Leads a team');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Team lead was saved.');
    expect(bodies('PUT /api/roles/4')).toEqual([{ description: 'Leads a team', revision: 3 }]);
  });

  test('only a role for managed people has a reporting line, a built-in one too', async () => {
    const { bodies, user } = open('/roles/4?do=edit', { 'PUT /api/roles/4': itemOf(lead) });
    const dialog = await dialogOf('Edit Team lead');
    await user.selectOptions(dialog.getByLabelText('Reporting line'), 'Direct and indirect reports');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Team lead was saved.');
    expect(bodies('PUT /api/roles/4')).toEqual([{ managed_depth: 'tree', revision: 3 }]);
  });

  test('with another scope the reporting line is not sent', async () => {
    const { bodies, user } = open('/roles', {
      'GET /api/roles/9': itemOf(auditor),
      'POST /api/roles': { status: 201, body: { data: auditor, message: '' } },
    });
    await user.click(await screen.findByRole('button', { name: 'Add role' }));
    const dialog = await dialogOf('Add role');
    await user.selectOptions(dialog.getByLabelText(/^Scope/), 'Reports and departments');
    await user.selectOptions(dialog.getByLabelText('Reporting line'), 'Direct and indirect reports');
    await user.selectOptions(dialog.getByLabelText(/^Scope/), 'Everyone');
    expect(dialog.queryByLabelText('Reporting line')).toBeNull();
    fill(dialog.getByLabelText(/^Name/), 'Buyer');
    await user.click(dialog.getByRole('button', { name: 'Add role' }));
    await screen.findByText('Auditor was added.');
    expect(bodies('POST /api/roles')).toEqual([{ name: 'Buyer', description: '', scope: 'all', permissions: [] }]);
  });

  test('two changes of the same name are shown side by side, and the choice is sent', async () => {
    const { bodies, user } = open('/roles/9?do=edit', {
      'GET /api/roles/9': itemOf({ ...auditor, name: 'Checker', revision: 8 }),
      'PUT /api/roles/9': ({ body }) =>
        (body as { revision: number }).revision === 8
          ? itemOf({ ...auditor, name: 'Controller', revision: 9 })
          : refused({ status: ['Changed.'] }, { revision: 8 }),
    });
    fill((await dialogOf('Edit Auditor')).getByLabelText(/^Name/), 'Controller');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const conflict = await dialogOf('Someone else edited this too');
    expect(conflict.getByText('Checker')).toBeDefined();
    await user.click(conflict.getByRole('button', { name: 'Save selection' }));
    await screen.findByText('Controller was saved.');
    expect(bodies('PUT /api/roles/9').at(-1)).toEqual({ name: 'Controller', revision: 8 });
  });
});

describe('deleting', () => {
  test('a role without holders is deleted after a confirmation; a refusal keeps it', async () => {
    const { served, user, where } = open('/roles/9?do=delete', { 'DELETE /api/roles/9': refused({ id: ['In use.'] }) });
    const dialog = await dialogOf('Delete Auditor?');
    expect(served.to('DELETE /api/roles/9')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Delete role' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('In use.');
    served.replies['DELETE /api/roles/9'] = { status: 204 };
    await user.click(dialog.getByRole('button', { name: 'Delete role' }));
    await screen.findByText('Auditor was deleted.');
    await waitFor(() => expect(where()).toBe('/roles'));
  });
});

describe('the table of permissions', () => {
  const box = (permission: string) =>
    screen.findByRole<HTMLInputElement>('checkbox', { name: `${permission}: Auditor` });

  test('unsaved changes are discarded at once; leaving with them asks first', async () => {
    const { served, user, where } = open('/roles/9');
    await user.click(await box('View companies'));
    await user.click(screen.getByRole('link', { name: 'Roles' }));
    await user.click((await dialogOf('Leave without saving?')).getByRole('button', { name: 'Keep editing' }));
    expect(where()).toBe('/roles/9');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect((await box('View companies')).checked).toBe(false);
    expect(screen.queryByText('Unsaved changes')).toBeNull();
    expect(served.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a refused set of permissions keeps the changes and shows the reason', async () => {
    const { user } = open('/roles/9', {
      'GET /api/roles/9/impact': itemOf({ holders: 0, gains: [], losses: [], gaining: 0, losing: 0 }),
      'PUT /api/roles/9/permissions': refused({ permissions: ['Not all of them.'] }),
    });
    await user.click(await box('View companies'));
    await user.click(await box('View departments'));
    await user.click(screen.getByRole('button', { name: 'Review and save' }));
    const dialog = await dialogOf('Change the permissions of Auditor?');
    expect(await dialog.findByText('No one has this role yet.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Not all of them.');
    await user.click(dialog.getByRole('button', { name: 'Back' }));
    expect((await box('View companies')).checked).toBe(true);
    expect((await box('View departments')).checked).toBe(false);
  });

  test('permissions are searched by text, and other roles can be hidden', async () => {
    const { user, where } = open('/roles/9');
    await box('View companies');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toContain('Team lead');
    await user.click(screen.getByRole('switch', { name: 'Compare with other roles' }));
    await waitFor(() => expect(where()).toBe('/roles/9?alone=true'));
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).not.toContain('Team lead');
    fill(screen.getByRole('searchbox', { name: 'Find a permission or field' }), 'zzz');
    await screen.findByText('No matching permissions');
    await waitFor(() => expect(where()).toBe('/roles/9?alone=true&find=zzz'));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Team lead');
    await waitFor(() => expect(where()).toBe('/roles/4?find=zzz&alone=true'));
  });
});

test('a search for holders returns to the first page, and an empty result is shown', async () => {
  const permissionId = permissionCatalogue.find(({ name }) => name === 'departments.view')?.id;
  const path = `GET /api/permissions/${permissionId}/holders`;
  const { served, user } = open(`/roles/4?who=${permissionId}`, {
    [path]: ({ url }) =>
      url.searchParams.has('search')
        ? listOf([])
        : listOf([
            {
              user_id: 5,
              name: 'Root',
              employee: null,
              entity: null,
              department: null,
              may_sign_in: true,
              because: [],
            },
          ]),
  });
  const sheet = within(await screen.findByRole('dialog', { name: 'Who has “View departments”?' }));
  await sheet.findByText('System account (not an employee)');
  expect(sheet.queryByRole('link', { name: 'Root' })).toBeNull();
  fill(sheet.getByRole('searchbox', { name: 'Search people' }), 'lena');
  await sheet.findByText('No one you have access to has this permission');
  expect(Object.fromEntries(served.to(path).at(-1)?.query ?? [])).toEqual({ search: 'lena', page: '1' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a seeded description is in the language of the reader, and one that was changed is as it was written', async () => {
  const roles = [role(3, 'Manager', { description: 'Manages a department' }), role(4, 'TeamLead'), auditor];
  serve({ 'GET /api/me': signedInAs(['rbac.manage']), 'GET /api/roles': listOf(roles) });
  start('/roles', german);
  const table = within(await screen.findByRole('table'));
  expect(table.getByText('Leitet eine Abteilung')).toBeDefined();
  expect(table.getAllByText('Looks at figures')).toHaveLength(2);
});
