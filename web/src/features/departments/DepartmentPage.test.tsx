import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { card } from '../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { company, department } from '../../testing/structure.ts';

const one = department({
  id: 5,
  name: 'Fruit',
  parent_id: 4,
  parent: { id: 4, name: 'Buying' },
  employees_count: 3,
  manager_id: 23,
  manager: { id: 23, employee_number: 'ACME-023', name: 'Omar Diaz' },
});

const service = () =>
  serve({
    'GET /api/me': signedInAs(['departments.view', 'employees.view', 'entities.view', 'entities.update']),
    'GET /api/departments/5': itemOf(one),
    'GET /api/departments': listOf([department({ id: 8, name: 'Berries', parent_id: 5, employees_count: 1 })]),
    'GET /api/employees': listOf([card]),
    'GET /api/entities/1': itemOf(company({ hr_representatives: [{ user_id: 7, employee_id: 12, name: 'Hana Ito' }] })),
  });

const link = async (name: string | RegExp) => (await screen.findByRole('link', { name })).getAttribute('href');

test('a department shows its parent, its manager and lead, its departments and its people', async () => {
  const served = service();
  start('/departments/5');
  await screen.findByRole('heading', { level: 1, name: 'Fruit' });
  expect(await link('Acme Foods Ltd')).toBe('/departments?entity_id=1');
  expect(await link('Buying')).toBe('/departments/4');
  expect(await link('Omar Diaz')).toBe('/employees/23');
  expect(await link(/^Berries/)).toBe('/departments/8');
  expect(await link(/Lena Park/)).toBe('/employees/57');
  expect(await link('View all 3 people')).toBe('/employees?department_id=5&activity_status=active');
  expect(await link('Show in org chart')).toBe('/org-chart?by=department&department=5');
  expect(served.to('GET /api/employees').at(-1)?.query.get('department_id')).toBe('5');
});

test('its open dialog is in the address', async () => {
  service();
  const { user, where } = start('/departments/5');
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await screen.findByRole('dialog', { name: 'Edit Fruit' });
  expect(where()).toBe('/departments/5?dialog=edit');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/departments/5'));
});

test.each(['/departments/0', '/departments/x', '/companies/x'])('%s shows the error page', async (address) => {
  service();
  start(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeDefined();
});

test('a company shows its registration, its probation rules and its HR representatives', async () => {
  service();
  start('/companies/1');
  await screen.findByRole('heading', { level: 1, name: 'Acme Foods Ltd' });
  for (const text of ['04711882', 'Europe/London', '3 months', '30 days']) expect(screen.getByText(text)).toBeDefined();
  expect(await link('Hana Ito')).toBe('/employees/12');
  expect(await link('2 departments')).toBe('/departments?entity_id=1');
});

test('an edited company sends only its changes: numbers as numbers, emptied fields as null', async () => {
  const served = service();
  served.replies['PUT /api/entities/1'] = itemOf(company({ revision: 2 }));
  const { user } = start('/companies/1?dialog=edit-company');
  const months = await screen.findByLabelText(/Probation length/);
  await user.clear(months);
  await user.type(months, '6');
  await user.clear(screen.getByLabelText('Registration number'));
  const country = screen.getByRole('combobox', { name: 'Country' });
  await user.clear(country);
  await user.type(country, '(de');
  await user.click(await screen.findByRole('option', { name: 'Germany (DE)', hidden: true }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Acme Foods Ltd was saved.');
  expect(served.to('PUT /api/entities/1').at(-1)?.body).toEqual({
    probation_months: 6,
    registration_number: null,
    country: 'DE',
    revision: 1,
  });
});
