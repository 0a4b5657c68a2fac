import { permissionNames } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import english from '@tenure/contract/locales/en/browser/permissions.json';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const person = { ...complete, allowed_actions: ['update', 'roles', 'reset-password'] };
const acme = { id: 1, name: 'Acme Foods Ltd' };
const employeeRole = { role_id: 5, role: 'Employee', scope: 'own', entities: null };
const managerRole = { role_id: 3, role: 'Manager', scope: 'managed', entities: [acme] };
const held = {
  employee: { id: 57, employee_number: 'ACME-057', name: 'Lena Park' },
  user_id: 61,
  assignments: [
    { ...employeeRole, removable: true },
    { ...managerRole, removable: false },
  ],
  assignable: [
    { ...employeeRole, limitable: false },
    { role_id: 4, role: 'TeamLead', scope: 'managed', limitable: true, entities: [acme] },
  ],
  former: [],
  permissions: [
    { name: 'employees.view', group: 'employees', label: 'See people', because: [employeeRole, managerRole] },
  ],
  manages: { departments: [{ id: 4, name: 'Purchasing' }], direct_reports: 2 },
};
const explained = {
  employee: held.employee,
  user: { id: 70, name: 'Omar Diaz', employee_id: 23, may_sign_in: true },
  answers: [
    {
      action: 'view',
      permission: 'employees.view',
      allowed: true,
      because: [
        {
          role: { id: 3, name: 'Manager' },
          permission: 'employees.view',
          scope: 'department',
          entities: null,
          department: { id: 4, name: 'Purchasing' },
        },
      ],
      missing: null,
    },
    {
      action: 'update',
      permission: 'employees.update',
      allowed: false,
      because: [],
      missing: { reason: 'permission', message: 'None of the roles includes this permission.' },
    },
  ],
};

const open = (replies: Parameters<typeof serve>[0] = {}, search = '') => {
  const service = serve({
    'GET /api/me': signedInAs(['employees.view', 'employees.assign_roles', 'employees.reset_password']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': itemOf(person),
    'GET /api/employees/57/roles': itemOf(held),
    'GET /api/employees/57/access': itemOf(explained),
    'GET /api/employees': listOf([{ ...complete, id: 23, display_name: 'Omar Diaz', user: { id: 70 } }]),
    ...replies,
  });
  return { service, ...start(`/employees/57?tab=access${search}`) };
};

test('every permission has a label', () => {
  const texts = english.permission as Record<string, Record<string, string>>;
  const missing = permissionNames.filter((name) => {
    const [group = '', verb = ''] = name.split('.');
    return texts[group]?.[verb] === undefined;
  });
  expect(missing).toEqual([]);
});

test('permissions are shown with their roles, and roles with their reach', async () => {
  open();
  expect(await screen.findByText('from the roles Employee, Manager (Acme Foods Ltd)')).toBeDefined();
  expect(screen.getByText('Direct reports and departments they manage · Acme Foods Ltd')).toBeDefined();
  expect(screen.getByText('Manages: Purchasing. 2 direct reports.')).toBeDefined();
});

test('only assignable roles are offered, others stay, and the change can be undone', async () => {
  const { service, user } = open({ 'PUT /api/employees/57/roles': itemOf({ ...person, revision: 2 }) });
  await user.click(await screen.findByRole('button', { name: 'Change roles' }));
  const form = screen.getByRole('form', { name: 'Roles' });
  const [first, second] = within(form).getAllByLabelText<HTMLSelectElement>('Role');
  expect(second?.disabled).toBe(true);
  expect([...(first?.options ?? [])].map(({ text }) => text)).toEqual(['Select a role', 'Employee', 'Team lead']);
  await user.selectOptions(first as HTMLSelectElement, 'Team lead');
  within(form).getByText('Added: Team lead');
  within(form).getByText('Removed: Employee');
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  await screen.findByText('Lena Park’s roles were changed.');
  const manager = { role_id: 3, entity_ids: [1] };
  expect(service.to('PUT /api/employees/57/roles').at(-1)?.body).toEqual({
    assignments: [{ role_id: 4, entity_ids: null }, manager],
    revision: 1,
  });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(service.to('PUT /api/employees/57/roles').at(-1)?.body).toEqual({
      assignments: [{ role_id: 5, entity_ids: null }, manager],
      revision: 2,
    }),
  );
});

test('places outside the scope of the user are a number, and are sent back by their ids', async () => {
  const far = { ...managerRole, entities: [acme, { id: 8, name: null }, { id: 9, name: null }], removable: false };
  const { service, user } = open({
    'GET /api/employees/57/roles': itemOf({ ...held, assignments: [held.assignments[0], far] }),
    'PUT /api/employees/57/roles': itemOf({ ...person, revision: 2 }),
  });
  await screen.findByText(/ · Acme Foods Ltd and 2 companies or departments outside your scope$/);
  await user.click(screen.getByRole('button', { name: 'Change roles' }));
  const form = within(screen.getByRole('form', { name: 'Roles' }));
  expect(form.getByText('#8')).toBeTruthy();
  await user.selectOptions(form.getAllByLabelText('Role')[0] as HTMLSelectElement, 'Team lead');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Lena Park’s roles were changed.');
  expect(service.to('PUT /api/employees/57/roles').at(-1)?.body).toMatchObject({
    assignments: [{ role_id: 4 }, { role_id: 3, entity_ids: [1, 8, 9] }],
  });
});

const former = [{ role_id: 4, role: 'TeamLead', scope: 'managed', entities: [acme] }];
const returned = { 'GET /api/employees/57/roles': itemOf({ ...held, former }) };

test('the former roles of a rehired person can be given again in the form', async () => {
  const { service, user } = open({ ...returned, 'PUT /api/employees/57/roles': itemOf({ ...person, revision: 2 }) });
  await screen.findByText('Roles before they left: Team lead (Acme Foods Ltd)');
  await user.click(screen.getByRole('button', { name: 'Restore roles' }));
  const form = screen.getByRole('form', { name: 'Roles' });
  within(form).getByText('Added: Team lead');
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  await screen.findByText('Lena Park’s roles were changed.');
  expect(service.to('PUT /api/employees/57/roles').at(-1)?.body).toEqual({
    assignments: [
      { role_id: 5, entity_ids: null },
      { role_id: 3, entity_ids: [1] },
      { role_id: 4, entity_ids: [1] },
    ],
    revision: 1,
  });
});

test('former roles are declined by keeping the present ones', async () => {
  const { service, user } = open({ ...returned, 'PUT /api/employees/57/roles': itemOf(person) });
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await screen.findByText('Lena Park’s earlier roles are no longer suggested.');
  expect(service.to('PUT /api/employees/57/roles').at(-1)?.body).toEqual({
    assignments: [
      { role_id: 5, entity_ids: null },
      { role_id: 3, entity_ids: [1] },
    ],
    revision: 1,
  });
});

test('a user who may not assign roles sees no proposal', async () => {
  open({ ...returned, 'GET /api/employees/57': itemOf({ ...person, allowed_actions: ['update'] }) });
  await screen.findByText('Manages: Purchasing. 2 direct reports.');
  expect(screen.queryByText(/Roles before the return/)).toBeNull();
});

const hr = { role_id: 2, role: 'HR', scope: 'all', managed_depth: 'direct', entities: [] };
const sales = { id: 8, name: 'Sales', entity: acme };
const inDepartments = {
  ...held,
  assignments: [{ ...hr, departments: [{ id: 8, name: 'Sales' }], removable: true }],
  assignable: [{ role_id: 2, role: 'HR', scope: 'all', limitable: true, entities: null, in_departments: true }],
};

test('a role is limited to departments, which stay named and can be changed', async () => {
  const { service, user } = open({
    'GET /api/employees/57/roles': itemOf(inDepartments),
    'GET /api/me': signedInAs(['employees.view', 'employees.assign_roles', 'departments.view']),
    'GET /api/departments': listOf([sales, { id: 9, name: 'Works', entity: acme }]),
    'PUT /api/employees/57/roles': itemOf({ ...person, revision: 2 }),
  });
  await screen.findByText('Everyone · Sales');
  await user.click(await screen.findByRole('button', { name: 'Change roles' }));
  const form = screen.getByRole('form', { name: 'Roles' });
  await user.click(within(form).getByRole('combobox', { name: 'In these departments' }));
  await user.click(await screen.findByRole('option', { name: 'Works (Acme Foods Ltd)', hidden: true }));
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  await screen.findByText('Lena Park’s roles were changed.');
  expect(service.to('PUT /api/employees/57/roles').at(-1)?.body).toEqual({
    assignments: [{ role_id: 2, entity_ids: [], department_ids: [8, 9] }],
    revision: 1,
  });
});

test("the service's refusal about the last administrator is shown", async () => {
  const message = 'There must always be at least one active administrator.';
  const { user } = open({
    'PUT /api/employees/57/roles': { status: 422, body: { message, status: 'active', revision: 1 } },
  });
  await user.click(await screen.findByRole('button', { name: 'Change roles' }));
  const form = screen.getByRole('form', { name: 'Roles' });
  await user.click(within(form).getAllByRole('button', { name: 'Remove role' })[0] as HTMLElement);
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  expect(await within(form).findByText(message)).toBeDefined();
});

test('explains why a user sees the person, and what is missing', async () => {
  const { service, user } = open();
  await user.click(await screen.findByRole('combobox', { name: 'Colleague' }));
  await user.click(await screen.findByRole('option', { name: /Omar Diaz/, hidden: true }));
  await screen.findByText('Omar Diaz can see Lena Park.');
  screen.getByText('Role Manager: they manage the department Purchasing.');
  screen.getByText('None of their roles includes this permission.');
  expect(service.to('GET /api/employees/57/access')[0]?.query.get('user_id')).toBe('70');
});

test('a role asked for by its page is added to the form, and given only by saving', async () => {
  const { service } = open({}, '&role=4');
  const form = await screen.findByRole('form', { name: 'Roles' });
  expect(within(form).getByText('Added: Team lead')).toBeDefined();
  expect(service.to('PUT /api/employees/57/roles')).toHaveLength(0);
});

test.each([
  { role: 5, why: 'is held already' },
  { role: 9, why: 'may not be given' },
])('a role that $why opens no form', async ({ role }) => {
  open({}, `&role=${role}`);
  await screen.findByRole('button', { name: 'Change roles' });
  expect(screen.queryByRole('form', { name: 'Roles' })).toBeNull();
});

test('actions that no role includes are folded together', async () => {
  const lacking = (action: string) => ({ ...explained.answers[1], action });
  const answers = [...explained.answers, lacking('confirm'), lacking('delete')];
  const { user } = open({ 'GET /api/employees/57/access': itemOf({ ...explained, answers }) });
  await user.click(await screen.findByRole('combobox', { name: 'Colleague' }));
  await user.click(await screen.findByRole('option', { name: /Omar Diaz/, hidden: true }));
  const folded = await screen.findByText('3 actions aren’t included in any of their roles');
  expect(folded.closest('details')?.open).toBe(false);
  expect(screen.queryByText('None of their roles includes this permission.')).toBeNull();
});

const sent_at = '2026-11-20T09:00:00.000Z';
const withInvitation = (expires_at: string) => ({
  ...person,
  user: { ...complete.user, has_password: false, invitation: { sent_at, expires_at } },
});

test('a person without a password is invited from the profile', async () => {
  const { user, service } = open({
    'GET /api/employees/57': itemOf({ ...person, user: { ...complete.user, has_password: false, invitation: null } }),
    'POST /api/employees/invite': itemOf({
      delivery: 'mail',
      mail_is_on: true,
      link_hours: 168,
      issued: [],
      sent: [],
      refused: [],
      people: [held.employee],
    }),
  });
  expect(await screen.findByText('No password yet')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Withdraw invitation' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Invite…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite people' }));
  await user.click(await dialog.findByRole('button', { name: 'Send 1 invitation' }));
  const asked = service.to('POST /api/employees/invite').map(({ body }) => body);
  expect(asked.at(-1)).toEqual({ employee_ids: [57], delivery: 'mail' });
});

test('a person without an address has no sign-in: nothing to send, end or assign', async () => {
  const { service } = open({
    'GET /api/employees/57': itemOf({ ...person, email: null, user: null, roles: [], allowed_actions: ['update'] }),
  });
  expect(await screen.findByText('No sign-in')).toBeDefined();
  expect(screen.getByText(/^This person has no email address, so they can’t sign in/)).toBeDefined();
  for (const name of ['Invite…', 'Reset password…', 'End all sessions'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(service.to('GET /api/employees/57/roles')).toEqual([]);
});

test('an open invitation is sent again or withdrawn', async () => {
  const { user, service } = open({
    'GET /api/employees/57': itemOf(withInvitation('2999-01-01T09:00:00.000Z')),
    'DELETE /api/employees/57/invite': { status: 204 },
  });
  expect(await screen.findByText(/^Sent 20 Nov 2026.*, valid until 1 Jan 2999/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Send again…' })).toBeDefined();
  service.replies['GET /api/employees/57'] = itemOf({ ...person, user: { ...complete.user, has_password: false } });
  await user.click(screen.getByRole('button', { name: 'Withdraw invitation' }));
  expect(await screen.findByText('The invitation for Lena Park was withdrawn.')).toBeDefined();
  expect(service.to('DELETE /api/employees/57/invite')).toHaveLength(1);
  expect(await screen.findByText('No password yet')).toBeDefined();
});

test('an expired invitation says since when', async () => {
  open({ 'GET /api/employees/57': itemOf(withInvitation('2026-11-21T09:00:00.000Z')) });
  expect(await screen.findByText('Invitation expired')).toBeDefined();
  expect(screen.getByText(/, expired 21 Nov 2026/)).toBeDefined();
});

test('a person with a password of their own is not offered an invitation', async () => {
  open();
  expect(await screen.findByText('Password set')).toBeDefined();
  expect(screen.queryByRole('button', { name: /Invite|Send again/ })).toBeNull();
});

test('another address that waits for its confirmation is shown and cancelled', async () => {
  const address_change = { email: 'lena.new@acme.example', sent_at, expires_at: '2999-01-01T09:00:00.000Z' };
  const { user, service } = open({
    'GET /api/employees/57': itemOf({ ...person, user: { ...complete.user, address_change } }),
    'DELETE /api/employees/57/address-change': { status: 204 },
  });
  expect(await screen.findByText(/^lena.new@acme.example, to be confirmed by 1 Jan 2999/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Cancel the change' }));
  expect(await screen.findByText('The change of Lena Park’s sign-in email was cancelled.')).toBeDefined();
  expect(service.to('DELETE /api/employees/57/address-change')).toHaveLength(1);
});

test('a role of a provider says so, and can be neither changed nor removed', async () => {
  const provider = { id: 7, name: 'Acme ID' };
  const assignments = [
    { ...employeeRole, removable: true, provider: null },
    { ...managerRole, removable: false, provider },
  ];
  const { user } = open({ 'GET /api/employees/57/roles': itemOf({ ...held, assignments }) });
  expect(await screen.findByText(/ · Acme Foods Ltd · From Acme ID$/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Change roles' }));
  const form = within(screen.getByRole('form', { name: 'Roles' }));
  expect(form.getByText(/^Roles that come from a provider can’t be removed here\./)).toBeDefined();
  expect(form.queryByText('You can’t change roles that go beyond your own permissions.')).toBeNull();
  const removes = form.getAllByRole<HTMLButtonElement>('button', { name: 'Remove role' });
  expect(removes.map(({ disabled }) => disabled)).toEqual([false, true]);
});

test('the form of the roles begins in its first field, and its button gets the focus back', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Change roles' }));
  const form = await screen.findByRole('form', { name: 'Roles' });
  expect(document.activeElement).toBe(within(form).getAllByLabelText('Role')[0]);
  await user.click(within(form).getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Change roles' }));
});
