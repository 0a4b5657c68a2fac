import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { wholeDashboard } from '../../testing/dashboard.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const all = [
  'entities.view',
  'entities.create',
  'employees.view',
  'employees.create',
  'employees.assign_roles',
  'kpi-cycle.view',
  'kpi-cycle.create',
];
const role = (name: string, users_count: number) => ({ id: 1, name, users_count, is_system: true });
type State = { companies?: number; people?: number; roles?: object[]; cycles?: number; preferences?: object };

const some = (count: number) => listOf(Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'One' })));

function open({ companies = 0, people = 0, roles = [], cycles = 0, preferences = {} }: State, permissions = all) {
  const profile = { user: { id: 7, preferences }, employee: null };
  const service = serve({
    'GET /api/me': signedInAs(permissions, { employee_id: null }),
    'GET /api/dashboard': itemOf(wholeDashboard),
    'GET /api/actionable-items': listOf([]),
    'GET /api/profile': itemOf(profile),
    'PUT /api/profile': itemOf(profile),
    'GET /api/entities': some(companies),
    'GET /api/employees': some(people),
    'GET /api/roles': listOf([role('Admin', 1), role('Employee', people), ...roles]),
    'GET /api/kpi-cycles': some(cycles),
  });
  return { service, ...start('/') };
}

const guide = async () => within(await screen.findByRole('region', { name: 'Get started' }));

test('in a new installation every step is open and leads to its place', async () => {
  open({});
  const steps = (await guide()).getAllByRole('listitem');
  const links = steps.map((step) => within(step).getByRole('link').getAttribute('href'));
  expect(links).toEqual(['/companies/new', '/imports/new', '/employees', '/kpi/cycles/new']);
  expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual(['step', null, null, null]);
  expect(screen.getByText('0 of 4 steps done')).toBeTruthy();
});

test('what the records say is ticked', async () => {
  open({ companies: 1, people: 3, roles: [role('HR', 1)] });
  expect(await screen.findByText('3 of 4 steps done')).toBeTruthy();
  const [company, , , cycle] = (await guide()).getAllByRole('listitem');
  expect(company?.textContent).toBe('Add a company Done');
  expect(cycle?.getAttribute('aria-current')).toBe('step');
});

test('steps without the permission are absent', async () => {
  open({}, ['entities.view', 'entities.create', 'employees.view', 'employees.create']);
  expect((await guide()).getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Add a company',
    'Add your people',
  ]);
});

test.each([
  ['everything is done', { companies: 1, people: 2, roles: [role('HR', 1)], cycles: 1 }, all],
  ['it is dismissed', { preferences: { guide: 'dismissed' } }, all],
  ['the user sets nothing up', {}, ['employees.view']],
])('there is no guide when %s', async (_name, state, permissions) => {
  open(state, permissions);
  await screen.findByRole('heading', { level: 1 });
  await screen.findAllByText('Headcount');
  expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
});

test('dismissing is kept in the account and can be undone', async () => {
  const { service, user } = open({});
  await user.click((await guide()).getByRole('button', { name: 'Dismiss' }));
  await expect.poll(() => screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  await expect.poll(() => service.to('PUT /api/profile').at(-1)?.body).toEqual({ preferences: { guide: 'dismissed' } });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await expect.poll(() => service.to('PUT /api/profile').at(-1)?.body).toEqual({ preferences: { guide: null } });
});
