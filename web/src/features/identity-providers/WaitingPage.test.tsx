import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, pick } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const lena = (fields: object = {}) => ({
  id: 31,
  subject: 'f3a1',
  email: 'lena@acme.example',
  name: 'Lena Park',
  groups_count: 3,
  tries: 2,
  last_try_at: '2026-11-26T09:00:00.000Z',
  provider: { id: 7, name: 'Acme ID' },
  allowed_actions: ['link', 'create', 'dismiss', 'add'],
  ...fields,
});

const person = {
  id: 12,
  name: 'Lena Park',
  first_name: 'Lena',
  last_name: 'Park',
  display_name: 'Lena Park',
  employee_number: 'ACM-12',
};

function open(rows: object[], permissions: string[]) {
  const service = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/people-waiting': listOf(rows),
    'GET /api/employees': listOf([person]),
    'POST /api/identity-providers/7/unmatched/31/link': itemOf({ id: 31, employee_id: 12 }),
  });
  return { service, ...start('/people-waiting') };
}

test('HR links a person who waits', async () => {
  const { service, user } = open([lena()], ['employees.reset_password', 'employees.create', 'employees.view']);
  const table = await screen.findByRole('region', { name: 'People waiting to sign in' });
  expect(within(table).getByText('Acme ID')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Add person' }).getAttribute('href')).toBe('/employees/new');
  await user.click(screen.getByRole('button', { name: /^Link….*Lena Park$/ }));
  const dialog = await dialogOf('Link Lena Park');
  await pick(user, dialog.getByRole('combobox', { name: /Employee/ }), /Lena Park/);
  await user.click(dialog.getByRole('button', { name: 'Link' }));
  await waitFor(() =>
    expect(service.to('POST /api/identity-providers/7/unmatched/31/link')[0]?.body).toEqual({ employee_id: 12 }),
  );
});

test('who may only add people sees no button to link', async () => {
  open([lena({ allowed_actions: ['add'] })], ['employees.create']);
  await screen.findByText('Lena Park');
  expect(screen.queryByRole('button', { name: /^Link…/ })).toBeNull();
});

test('without anyone the page says so', async () => {
  open([], ['employees.reset_password']);
  await screen.findByText('No one is waiting');
  expect(screen.queryByRole('link', { name: 'Add person' })).toBeNull();
});

test('HR adds a person who waits, in a form that begins with what the provider said', async () => {
  const { service, user, where } = open([lena()], ['employees.reset_password', 'employees.create', 'employees.view']);
  service.replies['GET /api/identity-providers/7/unmatched/31'] = itemOf(lena());
  service.replies['GET /api/entities'] = listOf([]);
  service.replies['GET /api/departments'] = listOf([]);
  const create = 'POST /api/identity-providers/7/unmatched/31/create';
  const taken = 'The email has already been taken.';
  service.replies[create] = { status: 422, body: { message: taken, errors: { email: [taken] } } };
  const table = await screen.findByRole('region', { name: 'People waiting to sign in' });
  expect(within(table).getByText('Groups')).toBeDefined();
  await user.click(within(table).getByRole('link', { name: /^Add….*Lena Park$/ }));
  expect(await screen.findByText(/^We’ve filled in what Acme ID told us about Lena Park\./)).toBeDefined();
  expect(where()).toBe('/employees/new?provider=7&tried=31');
  const value = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect([value(/^First name/), value(/^Last name/), value(/email/i)]).toEqual(['Lena', 'Park', 'lena@acme.example']);
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await screen.findByText(taken);
  expect(service.to(create)[0]?.body).toMatchObject({
    first_name: 'Lena',
    last_name: 'Park',
    email: 'lena@acme.example',
  });
});
