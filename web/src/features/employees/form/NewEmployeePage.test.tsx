import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { complete } from '../../../testing/people.ts';
import { guest, itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const hr = ['employees.view', 'employees.create', 'employees.view_sensitive', 'entities.view', 'departments.view'];
const noDuplicates = itemOf({ employee_number: null, email: false, similar: [] });

function service(permissions: readonly string[] = hr) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([
      { id: 1, name: 'Acme Foods Ltd' },
      { id: 2, name: 'Acme Tools Ltd' },
    ]),
    'GET /api/departments': listOf([{ id: 4, name: 'Purchasing' }]),
    'GET /api/employees': listOf([]),
    'GET /api/employees/duplicates': noDuplicates,
    'GET /api/roles': listOf([{ id: 5, name: 'Employee' }]),
    'POST /api/employees': { status: 201, body: { data: complete, message: 'Employee created successfully.' } },
    'GET /api/employees/57': itemOf(complete),
    'GET /api/saved-views': listOf([]),
  });
}

afterEach(() => sessionStorage.clear());

type User = ReturnType<typeof start>['user'];

async function fillIdentity(user: User) {
  await user.type(await screen.findByLabelText(/^First name/), 'Lena');
  await user.type(screen.getByLabelText(/^Last name/), 'Park');
  await user.type(screen.getByLabelText(/^Work email/), 'lena.park@acme.example');
}

async function fillJob(user: User) {
  await user.click(await screen.findByRole('combobox', { name: 'Company' }));
  await user.click(await screen.findByRole('option', { name: 'Acme Foods Ltd', hidden: true }));
  await user.click(screen.getByRole('combobox', { name: 'Department' }));
  await user.click(await screen.findByRole('option', { name: 'Purchasing', hidden: true }));
}

test('a person is added in two steps, and only filled fields are sent', async () => {
  const served = service();
  const { user, where } = start('/employees/new');
  await fillIdentity(user);
  await user.type(screen.getByLabelText('City'), 'Leeds');
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  await fillJob(user);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { level: 1, name: 'Lena Park' });
  expect(where()).toBe('/employees/57');
  expect(screen.getByText('Lena Park was added.')).toBeDefined();
  expect(served.to('POST /api/employees').map(({ body }) => body)).toEqual([
    {
      first_name: 'Lena',
      last_name: 'Park',
      email: 'lena.park@acme.example',
      address: { city: 'Leeds' },
      entity_id: 1,
      department_id: 4,
      employment_type: 'full_time',
    },
  ]);
});

test('a person without an address is added without a sign-in, which the form says', async () => {
  const served = service([...hr, 'employees.reset_password']);
  const { user } = start('/employees/new');
  await user.type(await screen.findByLabelText(/^First name/), 'Ivo');
  await user.type(screen.getByLabelText(/^Last name/), 'Kowalski');
  expect(screen.getByText(/Leave empty for people without a sign-in/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  await fillJob(user);
  expect(screen.getByText('Without an email address, this person gets no sign-in and no roles.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { level: 1, name: 'Lena Park' });
  expect(served.to('POST /api/employees').map(({ body }) => body)).toEqual([
    {
      email: null,
      first_name: 'Ivo',
      last_name: 'Kowalski',
      entity_id: 1,
      department_id: 4,
      employment_type: 'full_time',
    },
  ]);
});

test("a refusal is shown at its field and opens the field's step", async () => {
  const served = service();
  served.replies['POST /api/employees'] = {
    status: 422,
    body: { message: 'Taken.', errors: { email: ['The email has already been taken.'] } },
  };
  const { user, where } = start('/employees/new?step=job');
  await fillJob(user);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const field = await screen.findByLabelText(/^Work email/);
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(where()).toBe('/employees/new?step=identity');
  expect(screen.getByText('The email has already been taken.')).toBeDefined();
});

test('saving and adding another keeps company and department and clears the other fields', async () => {
  const served = service();
  const { user } = start('/employees/new');
  await fillIdentity(user);
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  await fillJob(user);
  await user.click(screen.getByRole('button', { name: 'Save and add another' }));
  const name = await screen.findByLabelText<HTMLInputElement>(/^First name/);
  expect(name.value).toBe('');
  expect(served.to('POST /api/employees')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  const company = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Company' });
  await waitFor(() => expect(company.value).toBe('Acme Foods Ltd'));
});

test('warns about the same name or address before saving', async () => {
  const served = service();
  const similar = {
    id: 9,
    employee_number: 'ACME-009',
    name: 'Léna Park',
    job_title: 'Buyer',
    entity: { id: 1, name: 'Acme Foods Ltd' },
    department: { id: 4, name: 'Purchasing' },
    activity_status: 'inactive',
    is_same_name: true,
  };
  served.replies['GET /api/employees/duplicates'] = itemOf({ employee_number: null, email: true, similar: [similar] });
  const { user } = start('/employees/new');
  await fillIdentity(user);
  expect(await screen.findByText('Possible duplicate')).toBeDefined();
  expect(screen.getByRole('link', { name: /Léna Park/ }).getAttribute('href')).toBe('/employees/9');
  expect(screen.getByText('This email is already in use.')).toBeDefined();
  expect(served.to('GET /api/employees/duplicates').at(-1)?.query.get('last_name')).toBe('Park');
});

test('a one-time password is shown once, before the page changes', async () => {
  const served = service([...hr, 'employees.reset_password']);
  served.replies['POST /api/employees'] = {
    status: 201,
    body: {
      data: complete,
      message: '',
      one_time_password: 'Amber-Kite-42',
      expires_at: '2026-11-24T08:00:00.000Z',
    },
  };
  const { user, where } = start('/employees/new?step=job');
  await fillJob(user);
  await user.click(screen.getByRole('switch', { name: /Create one-time password/ }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'One-time password' });
  expect(within(dialog).getByText('Amber-Kite-42')).toBeDefined();
  expect(served.to('POST /api/employees')[0]?.body).toMatchObject({ issue_password: true });
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(where()).toBe('/employees/57'));
  expect(screen.queryByText('Amber-Kite-42')).toBeNull();
});

test('leaving with unsaved input asks; staying keeps the input', async () => {
  service();
  const { user, where } = start('/employees/new');
  await user.type(await screen.findByLabelText(/^First name/), 'Lena');
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
  expect(screen.getByLabelText<HTMLInputElement>(/^First name/).value).toBe('Lena');
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(where()).toBe('/employees'));
});

async function expire(served: ReturnType<typeof service>, user: User) {
  served.replies['POST /api/employees'] = guest;
  served.replies['GET /api/me'] = guest;
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await screen.findByLabelText('Password');
}

async function signIn(served: ReturnType<typeof service>, user: User, id: number) {
  served.replies['GET /api/me'] = signedInAs(hr, { id });
  served.replies['POST /api/login'] = { body: { message: 'Login successful.' } };
  await user.type(screen.getByLabelText('Work email'), 'a@acme.example');
  await user.type(screen.getByLabelText('Password'), 'x');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('input survives the end of the session for the same user', async () => {
  const served = service();
  const { user } = start('/employees/new');
  await fillIdentity(user);
  await expire(served, user);
  await signIn(served, user, 7);
  await screen.findByText(/restored what you entered/);
  await user.click(screen.getByRole('button', { name: /Identity/ }));
  expect((await screen.findByLabelText<HTMLInputElement>(/^Work email/)).value).toBe('lena.park@acme.example');
  expect(sessionStorage).toHaveLength(0);
});

test('another user who signs in does not see the input', async () => {
  const served = service();
  const { user } = start('/employees/new');
  await fillIdentity(user);
  await expire(served, user);
  expect(JSON.stringify(sessionStorage)).toContain('Park');
  await signIn(served, user, 8);
  await user.click(await screen.findByRole('button', { name: /Identity/ }));
  expect((await screen.findByLabelText<HTMLInputElement>(/^Work email/)).value).toBe('');
  expect(sessionStorage).toHaveLength(0);
});

test('a user who may not see private fields is not asked for them', async () => {
  service(['employees.view', 'employees.create']);
  start('/employees/new');
  await screen.findByLabelText(/^First name/);
  for (const label of ['City', 'IBAN', 'Date of birth']) expect(screen.queryByLabelText(label)).toBeNull();
});

test('without a company there is no form: the first company comes before the first person', async () => {
  const served = service([...hr, 'entities.create']);
  served.replies['GET /api/entities'] = listOf([]);
  start('/employees/new');
  const create = await screen.findByRole('link', { name: 'Add your first company' });
  expect(create.getAttribute('href')).toBe('/companies/new');
  expect(screen.queryByLabelText(/^First name/)).toBeNull();
});

test('the only company is chosen, and without departments the form says where they are added', async () => {
  const served = service();
  served.replies['GET /api/entities'] = listOf([{ id: 1, name: 'Acme Foods Ltd' }]);
  served.replies['GET /api/departments'] = listOf([]);
  const { user } = start('/employees/new');
  await fillIdentity(user);
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  const company = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Company' });
  await waitFor(() => expect(company.value).toBe('Acme Foods Ltd'));
  const department = screen.getByRole('combobox', { name: 'Department' });
  await user.click(department);
  await screen.findByText('No departments yet. They are added on the Departments page.');
  await user.type(department, 'Sales');
  await screen.findByText('No matches');
});

test('without the permission to add people there is no form', async () => {
  service(['employees.view']);
  start('/employees/new');
  await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' });
  expect(screen.queryByLabelText(/^First name/)).toBeNull();
});

test('what is refused about a role is said once, at its field', async () => {
  const served = service([...hr, 'employees.assign_roles']);
  const refusal = 'This role isn’t available. Select another one.';
  served.replies['POST /api/employees'] = {
    status: 422,
    body: { message: refusal, errors: { 'assignments.0.role_id': [refusal] } },
  };
  const { user } = start('/employees/new');
  await fillIdentity(user);
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  await fillJob(user);
  await user.click(screen.getByText('Sign-in'));
  // an empty row is not sent: the message belongs to the second one
  for (let row = 0; row < 2; row += 1) await user.click(await screen.findByRole('button', { name: 'Add role' }));
  const roles = screen.getAllByLabelText('Role');
  await user.selectOptions(roles[1] as HTMLElement, 'Employee');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findAllByText(refusal)).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getAllByLabelText('Role').map((field) => field.getAttribute('aria-invalid'))).toEqual([null, 'true']);
});
