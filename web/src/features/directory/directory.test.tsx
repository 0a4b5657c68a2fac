import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const card = (id: number, name: string, fields: object = {}) => ({
  id,
  name,
  job_title: 'Buyer',
  department: { id: 4, name: 'Buying' },
  entity: { id: 1, name: 'Acme Foods' },
  email: `p${id}@acme.example`,
  manager: null,
  profile_picture_url: null,
  ...fields,
});
const lena = card(57, 'Lena Park', { manager: { id: 9, name: 'Omar Diaz' } });
const omar = card(9, 'Omar Diaz', { job_title: null });

const ownOnly = { role_assignments: [{ role_id: 5, role: 'Employee', scope: 'own', entity_ids: null }] };

type Served = { directory?: boolean; user?: object; people?: object[] };

function service({ directory = true, user = ownOnly, people = [lena, omar] }: Served = {}) {
  const me = signedInAs(['employees.view'], { employee_id: 57, ...user });
  (me.body as { data: { directory?: boolean } }).data.directory = directory;
  return serve({
    'GET /api/me': me,
    'GET /api/directory': listOf(people),
    'GET /api/directory/places': itemOf({
      entities: [{ id: 1, name: 'Acme Foods' }],
      departments: [{ id: 4, name: 'Buying', entity: { id: 1, name: 'Acme Foods' } }],
    }),
    'GET /api/directory/57': itemOf({
      ...lena,
      managers: [omar],
      colleagues: [card(58, 'Leo Berg')],
      colleagues_count: 120,
      reports: [],
      reports_count: 0,
    }),
    'GET /api/directory/9': itemOf({
      ...omar,
      managers: [],
      colleagues: [],
      colleagues_count: 0,
      reports: [lena],
      reports_count: 1,
    }),
    'GET /api/search': itemOf({ people: [{ id: 57, label: 'Lena Park', sublabel: '', url: '/employees/57' }] }),
    'GET /api/employees': listOf([]),
  });
}

const entries = async () => {
  const navigation = await screen.findByRole('navigation', { name: 'Main' });
  return within(navigation)
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
};

test('an address says nothing of a mail but who gets it', async () => {
  service({ people: [card(10, 'Eve Long', { email: 'eve@acme.example?bcc=all%40evil.example' })] });
  start('/directory');
  const link = await screen.findByRole('link', { name: /evil/ });
  expect(link.getAttribute('href')).toBe('mailto:eve@acme.example%3Fbcc%3Dall%2540evil.example');
});

test('an employee sees the cards of colleagues, searches and filters them', async () => {
  const { to } = service();
  const { user, where } = start('/directory');
  const list = within(await screen.findByRole('list', { name: 'Directory' }));
  expect(list.getByRole('link', { name: 'Omar Diaz' }).getAttribute('href')).toBe('/directory/9');
  expect(list.getByRole('link', { name: 'p9@acme.example' }).getAttribute('href')).toBe('mailto:p9@acme.example');
  expect(screen.getByText(/Sorted by first name/)).toBeDefined();
  // a long address breaks before its @, not within a word
  expect(list.getByRole('link', { name: 'p9@acme.example' }).innerHTML).toContain('<wbr>@');
  await user.type(screen.getByRole('searchbox', { name: 'Name, title or email' }), 'omar');
  await waitFor(() => expect(where()).toBe('/directory?search=omar'));
  expect(screen.queryByText(/Sorted by/)).toBeNull();
  await user.click(screen.getByRole('combobox', { name: 'Department' }));
  await user.click(await screen.findByRole('option', { name: 'Buying', hidden: true }));
  await waitFor(() => expect(to('GET /api/directory').at(-1)?.query.get('department_id')).toBe('4'));
  expect(to('GET /api/employees')).toEqual([]);
});

test('no match offers to clear the filters', async () => {
  const { replies } = service();
  replies['GET /api/directory'] = listOf([]);
  const { user, where } = start('/directory?search=zz');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(where()).toBe('/directory');
  await screen.findByText('No colleagues yet');
});

test('a colleague comes with managers, direct reports and a link to all with the same manager', async () => {
  service();
  const { user, where } = start('/directory/57');
  await screen.findByRole('heading', { level: 1, name: 'Lena Park' });
  expect(screen.getByRole('link', { name: 'View all 120' }).getAttribute('href')).toBe('/directory?manager_id=9');
  expect(screen.queryByRole('heading', { name: /^Direct reports/ })).toBeNull();
  const line = within(screen.getByRole('list', { name: 'Management line' }));
  expect(line.getAllByRole('listitem').map(({ textContent }) => textContent?.includes('Lena'))).toEqual([false, true]);
  await user.click(line.getByRole('link', { name: 'Omar Diaz' }));
  await screen.findByRole('heading', { level: 1, name: 'Omar Diaz' });
  await screen.findByRole('heading', { level: 2, name: 'Direct reports (1)' });
  expect(where()).toBe('/directory/9');
});

test('the org chart of an employee is the own branch, and the directory replaces the list of oneself', async () => {
  const { to } = service();
  start('/org-chart');
  await screen.findByRole('heading', { level: 1, name: 'Org chart' });
  expect(within(await screen.findByRole('list', { name: 'Same manager' })).getByText('Leo Berg')).toBeDefined();
  expect(to('GET /api/org-chart')).toEqual([]);
  expect(await entries()).toEqual(expect.arrayContaining(['Directory', 'Org chart']));
  expect(await entries()).not.toContain('Employees');
});

test('a manager has both lists', async () => {
  service({ user: { role_assignments: [{ role_id: 3, role: 'Manager', scope: 'managed', entity_ids: null }] } });
  start('/directory');
  expect(await entries()).toEqual(expect.arrayContaining(['Employees', 'Directory']));
});

test('without a directory there is only the list of employees', async () => {
  service({ directory: false });
  start('/directory');
  expect(await entries()).toContain('Employees');
  expect(await entries()).not.toContain('Directory');
});

test('the search finds colleagues whose record the user may not open', async () => {
  service();
  const { user, where } = start('/directory');
  await user.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
  await user.type(await screen.findByRole('combobox', { name: 'Search people, departments and pages' }), 'park');
  const found = within(await screen.findByRole('group', { name: 'Directory' }));
  expect(found.getAllByRole('option')).toHaveLength(1);
  await user.click(found.getByRole('option', { name: /Omar Diaz/ }));
  expect(where()).toBe('/directory/9');
});
