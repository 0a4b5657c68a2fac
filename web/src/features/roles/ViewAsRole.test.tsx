import { permissionCatalogue, permissionNames } from '@tenure/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

// loaded before the first test, since a busy machine delays each of their three loading steps
await Promise.all([import('./RolePage.tsx'), import('./RoleDialogs.tsx'), import('./ViewAsRole.tsx')]);

const role = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  description: null,
  scope: 'all',
  managed_depth: 'direct',
  is_system: true,
  users_count: 1,
  permissions_count: 1,
  permissions: ['employees.view'],
  revision: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  allowed_actions: ['update', 'permissions'],
  ...more,
});
const all = [role(1, 'Admin', { permissions: permissionNames }), role(2, 'HR'), role(5, 'Employee', { scope: 'own' })];
const until = new Date(Date.now() + 30 * 60_000).toISOString();
const view = (more: object = {}) => ({ role_id: 2, role: 'HR', entity_ids: null, until, ...more });
const own = ['rbac.manage', 'employees.view', 'entities.view', 'audit.view'];

type Me = { body: { data: object } };
const me = (viewing: object | null, permissions: string[]) => {
  const { body } = signedInAs(permissions) as Me;
  return { body: { data: { ...body.data, viewing } } };
};

/** The application of an administrator with a service that knows whether the session is viewing as a role. */
function open(address: string, viewing: object | null = null) {
  let now = viewing;
  const service = serve({
    'GET /api/me': () => (now ? me(now, ['employees.view']) : me(null, own)),
    'GET /api/roles': listOf(all),
    'GET /api/roles/matrix': itemOf({ roles: all }),
    'GET /api/permissions': listOf(permissionCatalogue),
    'GET /api/entities': listOf([
      { id: 11, name: 'North' },
      { id: 12, name: 'South' },
    ]),
    'GET /api/actionable-items': listOf([]),
    'POST /api/roles/2/view': ({ body }) => {
      now = view(body as object);
      return itemOf(now);
    },
    'DELETE /api/role-view': () => {
      now = null;
      return { status: 204 };
    },
  });
  const setView = (next: object | null) => {
    now = next;
  };
  return { service, setView, ...start(address) };
}
const menu = () => within(screen.getAllByRole('navigation')[0] as HTMLElement);
const banner = () => screen.findByText(/^You’re viewing Tenure as HR/);

afterEach(() => {
  vi.useRealTimers();
});

test('the role is chosen from its menu with companies; home opens with the permissions of the role', async () => {
  const { service, user, where } = open('/roles/2');
  await user.click(await screen.findByRole('button', { name: 'Actions for HR' }));
  await user.click(await screen.findByRole('menuitem', { name: 'View as this role…' }));
  const dialog = await screen.findByRole('dialog', { name: 'View Tenure as HR?' });
  expect(await within(dialog).findByText(/You can’t make changes/)).toBeDefined();
  await user.click(within(dialog).getByRole('combobox', { name: 'Companies' }));
  await user.click(await screen.findByRole('option', { name: 'South', hidden: true }));
  await user.click(within(dialog).getByRole('button', { name: 'View as HR' }));
  expect((await banner()).textContent).toMatch(
    /^You’re viewing Tenure as HR in 1 company \(read-only\) until \d\d:\d\d\.$/,
  );
  expect(service.to('POST /api/roles/2/view')[0]?.body).toEqual({ entity_ids: [12] });
  expect(where()).toBe('/');
  await waitFor(() => expect(menu().queryByRole('link', { name: 'Roles' })).toBeNull());
  expect(menu().getByRole('link', { name: 'Employees' })).toBeDefined();
  expect((await banner()).closest('output')).not.toBeNull();
});

test('nothing read before a view stays in the cache, nor what was read in one', async () => {
  const { queries, user } = open('/roles/2?do=view');
  await user.click(await screen.findByRole('button', { name: 'View as HR' }));
  await banner();
  const paths = () =>
    queries
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.data !== undefined)
      .map(({ queryKey }) => queryKey[0]);
  await waitFor(() => expect(paths()).not.toContain('/roles/matrix'));
  queries.setQueryData(['/employees', {}], { data: ['seen as HR'] });
  await user.click(screen.getByRole('button', { name: 'Stop viewing' }));
  await waitFor(() => expect(screen.queryByText(/^You’re viewing/)).toBeNull());
  expect(await screen.findByRole('heading', { level: 1, name: 'HR' })).toBeDefined();
  expect(paths()).not.toContain('/employees');
});

test('stopping opens the role again with the own permissions', async () => {
  const { service, user, where } = open('/', view());
  await user.click(await screen.findByRole('button', { name: 'Stop viewing' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'HR' })).toBeDefined();
  expect([where(), service.to('DELETE /api/role-view').length]).toEqual(['/roles/2', 1]);
  expect(menu().getByRole('link', { name: 'Roles' })).toBeDefined();
});

test('a role for the own record has no companies, Admin is not offered', async () => {
  const { user } = open('/roles');
  await user.click(await screen.findByRole('button', { name: 'Actions for Admin' }));
  expect(await screen.findByRole('menuitem', { name: 'Duplicate' })).toBeDefined();
  expect(screen.queryByRole('menuitem', { name: 'View as this role…' })).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Actions for Employee' }));
  await user.click(await screen.findByRole('menuitem', { name: 'View as this role…' }));
  const dialog = await screen.findByRole('dialog', { name: 'View Tenure as Employee?' });
  expect(await within(dialog).findByRole('button', { name: 'View as Employee' })).toBeDefined();
  expect(within(dialog).queryByRole('combobox')).toBeNull();
});

test('a refused start shows the reason and stays', async () => {
  const { service, user, where } = open('/roles/2?do=view');
  const refusal = 'You can only view as a role whose permissions you have yourself.';
  service.replies['POST /api/roles/2/view'] = {
    status: 422,
    body: { message: refusal, errors: { role: [refusal] } },
  };
  await user.click(await screen.findByRole('button', { name: 'View as HR' }));
  expect((await screen.findByRole('alert')).textContent).toBe(refusal);
  expect(where()).toBe('/roles/2?do=view');
});

test('a refused change shows why, in the words of the service', async () => {
  const { service, user } = open('/roles/2', null);
  await user.click(await screen.findByRole('button', { name: 'Actions for HR' }));
  // the view began elsewhere, and this page does not know about it yet
  const refusal = 'You’re viewing as HR. Changes are off. Stop viewing to make changes.';
  service.replies['PUT /api/roles/2'] = { status: 403, body: { message: refusal, explained: true } };
  service.replies['GET /api/me'] = me(view(), own);
  await user.click(await screen.findByRole('menuitem', { name: 'Edit name and scope' }));
  const form = await screen.findByRole('dialog', { name: 'Edit HR' });
  await user.type(within(form).getByRole('textbox', { name: 'Description' }), 'Runs it');
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  expect((await within(form).findByRole('alert')).textContent).toBe(refusal);
  await banner();
});

test('the end by time is noticed, and what the role saw is read again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { service, setView } = open('/roles/2', view());
  await banner();
  const before = service.to('GET /api/me').length;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(service.to('GET /api/me')).toHaveLength(before);
  // the service's clock is behind, so the page asks again
  await act(() => vi.advanceTimersByTimeAsync(30 * 60_000));
  await banner();
  setView(null);
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  await waitFor(() => expect(screen.queryByText(/^You’re viewing/)).toBeNull());
  expect(menu().getByRole('link', { name: 'Roles' })).toBeDefined();
});
