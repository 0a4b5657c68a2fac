import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { card, complete } from '../../../testing/people.ts';
import { guest, itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const hr = ['employees.view', 'employees.export', 'employees.import', 'entities.view', 'departments.view'];

function service(permissions: readonly string[] = hr) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/employees': listOf([complete]),
    'GET /api/saved-views': listOf([]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/departments': listOf([{ id: 4, name: 'Purchasing' }]),
  });
}

/** The list requests, without the count of people who join later. */
const lists = (served: ReturnType<typeof service>) =>
  served.to('GET /api/employees').filter(({ query }) => query.get('per_page') !== '1');
const asked = (served: ReturnType<typeof service>) => Object.fromEntries(lists(served).at(-1)?.query ?? []);

test('the list is requested with the filters of the address', async () => {
  const served = service();
  start('/employees?search=lena&entity_id=1&activity_status=active&sort_by=employee_number&sort_direction=desc&page=2');
  await screen.findByRole('link', { name: 'Lena Park' });
  expect(asked(served)).toEqual({
    search: 'lena',
    entity_id: '1',
    activity_status: 'active',
    sort_by: 'employee_number',
    sort_direction: 'desc',
    page: '2',
  });
  expect(screen.getByRole('columnheader', { name: /Number/ }).getAttribute('aria-sort')).toBe('descending');
});

test('ignores invalid parameters of the address', async () => {
  const served = service();
  start('/employees?page=-1&per_page=1000&entity_id=x&activity_status=on_leave&sort_by=password&search=');
  await screen.findByRole('link', { name: 'Lena Park' });
  expect(asked(served)).toEqual({});
});

test('typing searches, returns to the first page and updates the address', async () => {
  const served = service();
  const { user, where } = start('/employees?page=3');
  await user.type(await screen.findByRole('searchbox'), ' omar ');
  await waitFor(() => expect(where()).toBe('/employees?search=omar'));
  await waitFor(() => expect(asked(served)).toEqual({ search: 'omar' }));
  expect(lists(served)).toHaveLength(2);
});

test('choosing another company clears the department and reloads its options', async () => {
  const served = service();
  const { user, where } = start('/employees?department_id=4');
  await user.click(await screen.findByRole('combobox', { name: 'Company' }));
  await user.click(await screen.findByRole('option', { name: 'Acme Foods Ltd', hidden: true }));
  await waitFor(() => expect(where()).toBe('/employees?entity_id=1'));
  await waitFor(() => expect(served.to('GET /api/departments').at(-1)?.query.get('entity_id')).toBe('1'));
});

test('a status is chosen with one button, which shows as pressed', async () => {
  service();
  const { user, where } = start('/employees');
  const group = await screen.findByRole('group', { name: 'Status' });
  await user.click(within(group).getByRole('button', { name: 'Probation' }));
  await waitFor(() => expect(where()).toBe('/employees?activity_status=active&employment_lifecycle=probationary'));
  expect(within(group).getByRole('button', { name: 'Probation' }).getAttribute('aria-pressed')).toBe('true');
});

test('people who join later have a view with their number in the chosen company, and a badge', async () => {
  const served = serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/employees': listOf([{ ...complete, activity_status: 'joining' }]),
    'GET /api/saved-views': listOf([]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/entities': listOf([]),
    'GET /api/departments': listOf([]),
  });
  const { user, where } = start('/employees?entity_id=1');
  await user.click(await screen.findByRole('button', { name: 'Joining (1)' }));
  await waitFor(() => expect(where()).toBe('/employees?entity_id=1&activity_status=joining'));
  expect((await screen.findAllByText('Joining')).length).toBeGreaterThan(0);
  const counted = served.to('GET /api/employees').filter(({ query }) => query.get('per_page') === '1');
  expect(counted[0]?.query.get('entity_id')).toBe('1');
});

test('an export uses the filters and the order', async () => {
  service();
  const { user } = start('/employees?search=lena&page=2&sort_by=email');
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  const link = await screen.findByRole('menuitem', { name: 'Export as CSV' });
  await waitFor(() => expect(document.activeElement).toBe(link));
  expect(link.getAttribute('href')).toBe('/api/employees/export?search=lena&sort_by=email&format=csv');
});

test('columns can be hidden, and the choice is stored for the user', async () => {
  const served = service();
  served.replies['PUT /api/profile'] = itemOf({});
  const { user } = start('/employees');
  await screen.findByRole('columnheader', { name: /Department/ });
  await user.click(screen.getByRole('button', { name: 'Columns and density' }));
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Department' }));
  expect(screen.queryByRole('columnheader', { name: /Department/ })).toBeNull();
  expect(served.to('PUT /api/profile').map(({ body }) => body)).toEqual([
    { preferences: { lists: { employees: { columns: ['number', 'entity', 'manager', 'status', 'joined'] } } } },
  ]);
});

test('a user without write permissions sees no export, no import and no filters beyond their permissions', async () => {
  const served = service(['employees.view']);
  served.replies['GET /api/employees'] = listOf([card]);
  start('/employees');
  await screen.findByRole('link', { name: 'Lena Park' });
  expect(screen.getByRole('searchbox')).toBeDefined();
  for (const name of ['Export', 'Import']) expect(screen.queryByRole('button', { name })).toBeNull();
  for (const name of ['Company', 'Department']) expect(screen.queryByRole('combobox', { name })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Imports' })).toBeNull();
  expect(screen.getByText('Active', { selector: 'td *' })).toBeDefined();
});

test('an empty directory, no match, refusal and failure each have their own state', async () => {
  const served = service();
  served.replies['GET /api/employees'] = listOf([]);
  const { user } = start('/employees?search=x');
  await screen.findByText('No matching employees');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await screen.findByText('No employees yet');
  served.replies['GET /api/employees'] = { status: 500, body: { message: 'Server Error', request_id: 'r-42' } };
  await user.click(screen.getByRole('button', { name: 'Inactive' }));
  await screen.findByText(/logged the error as r-42/);
  served.replies['GET /api/employees'] = listOf([complete]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Lena Park' })).toBeDefined();
});

test('a revoked permission applies at once, and its entry leaves the navigation', async () => {
  const served = service();
  const { user } = start('/employees');
  await screen.findByRole('link', { name: 'Imports' });
  served.replies['GET /api/me'] = signedInAs(['employees.view']);
  served.replies['GET /api/employees'] = { status: 403, body: { message: 'This action is unauthorized.' } };
  await user.click(screen.getByRole('button', { name: 'Inactive' }));
  await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' });
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Imports' })).toBeNull());
});

test('a password reset during work asks for a new password', async () => {
  const served = service();
  const { user, where } = start('/employees');
  await screen.findByRole('link', { name: 'Lena Park' });
  served.replies['GET /api/me'] = signedInAs(hr, { must_change_password: true });
  served.replies['GET /api/employees'] = { status: 403, body: { message: 'Password change required.' } };
  await user.click(screen.getByRole('button', { name: 'Inactive' }));
  await screen.findByRole('heading', { level: 1, name: 'Choose your password' });
  expect(where()).toMatch(/^\/new-password\?next=/);
});

test('an unknown address keeps the navigation', async () => {
  service();
  start('/nothing/here');
  await screen.findByRole('heading', { level: 1, name: 'Page not found' });
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeDefined();
});

test('a guest sees no navigation', async () => {
  const served = service();
  served.replies['GET /api/me'] = guest;
  start('/nothing/here');
  await screen.findByLabelText('Work email');
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('lists the people of one import, says so and links back to all people', async () => {
  const served = service();
  const { user, where } = start('/employees?import_id=41');
  await screen.findByText('Showing only people added or changed by this import.');
  expect(served.to('GET /api/employees').map(({ query }) => query.get('import_id'))).toContain('41');
  expect(screen.getByRole('link', { name: 'Open import' }).getAttribute('href')).toBe('/imports/41');
  await user.click(screen.getByRole('button', { name: 'Show all employees' }));
  await waitFor(() => expect(where()).toBe('/employees'));
});

test('the menu of a row offers what the service allows, and opens each step on the profile', async () => {
  const served = service([...hr, 'employees.reset_password']);
  const invited = {
    ...complete,
    user: { ...complete.user, has_password: false },
    allowed_actions: ['job-history', 'separate', 'reset-password'],
  };
  served.replies['GET /api/employees'] = listOf([invited, { ...card, id: 58, display_name: 'Jon Reed' }]);
  const { user } = start('/employees');
  await user.click(await screen.findByRole('button', { name: 'Actions for Lena Park' }));
  const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  await screen.findByRole('menuitem', { name: 'Open profile' });
  expect(items()).toEqual(['Open profile', 'Email', 'Invite…', 'Change job…', 'End employment…', 'Reset password…']);
  expect(screen.getByRole('menuitem', { name: 'Change job…' }).getAttribute('href')).toBe('/employees/57?do=job');
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Actions for Jon Reed' }));
  await waitFor(() => expect(items()).toEqual(['Open profile', 'Email']));
});
