import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { wholeDashboard } from '../../testing/dashboard.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const everything = [
  'dashboard.view_all',
  'employees.view',
  'entities.view',
  'kpi-evaluation.view',
  'probation-review.view',
  'departments.view',
];
const task = {
  id: 'kpi_hr_review:1',
  kind: 'kpi_hr_review',
  title: 'Check the review of Jon Reed',
  description: null,
  subject: { type: 'kpi_evaluation', id: 1 },
  employee: { id: 1, employee_number: 'A-1', name: 'Jon Reed' },
  due_date: '2026-04-20',
  priority: 'normal',
  created_at: '2026-04-01T08:00:00.000Z',
  url: '/kpi/evaluations/1',
  allowed_actions: [],
};

const service = (data: object, permissions: readonly string[] = everything, tasks: readonly object[] = [task]) =>
  serve({
    'GET /api/me': signedInAs(permissions, { employee_id: null }),
    'GET /api/dashboard': itemOf(data),
    'GET /api/actionable-items': listOf(tasks),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods' }]),
  });

/** The search parameters of the page that a figure links to. */
async function leadsTo(name: RegExp | string, within_: HTMLElement = document.body) {
  const link = await within(within_).findByRole('link', { name });
  const url = new URL(link.getAttribute('href') ?? '', 'http://tenure.test');
  return [url.pathname, Object.fromEntries(url.searchParams)];
}

test('tasks come first, then the figures, each with a link to what it counts', async () => {
  service(wholeDashboard);
  start('/');
  expect(await screen.findByRole('link', { name: 'Check the review of Jon Reed' })).toBeTruthy();
  expect(await leadsTo('HR review (20)')).toEqual(['/tasks', { kind: 'kpi_hr_review' }]);
  expect(await leadsTo('150 Headcount')).toEqual(['/employees', { activity_status: 'active,inactive', left: '0' }]);
  expect(await leadsTo('4 Joined this month')).toEqual([
    '/employees',
    { joined_from: '2026-04-01', joined_to: '2026-04-18' },
  ]);
  expect(await leadsTo('52 1–3 years')).toEqual([
    '/employees',
    { activity_status: 'active', joined_from: '2023-04-19', joined_to: '2025-04-18' },
  ]);
  expect(await leadsTo('6 Overdue')).toEqual(['/kpi/evaluations', { tab: 'all', cycle_id: '9', overdue: 'true' }]);
  expect(await leadsTo('1 Extended this quarter')).toEqual([
    '/probation',
    { tab: 'all', status: 'approved', outcome: 'extend', decided_from: '2026-04-01', decided_to: '2026-04-18' },
  ]);
  expect(await leadsTo('1 Department heads who can’t review')).toEqual([
    '/employees',
    { missing: 'review_permission' },
  ]);
  expect(screen.queryByText('Accounts without a role')).toBeNull();
});

test('a chart has a description, and a table with the same data', async () => {
  service(wholeDashboard);
  const { user } = start('/');
  const chart = within(await screen.findByRole('region', { name: 'Active people by company' }));
  expect(chart.getByText('Acme Foods is the largest (70%).')).toBeTruthy();
  await user.click(chart.getByRole('button', { name: 'Table: Active people by company' }));
  const rows = within(chart.getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual(['CompanyPeople', 'Acme Foods100', 'Acme Retail42']);
});

test('one company is chosen for all figures, in the address', async () => {
  const { to } = service(wholeDashboard);
  const { user, where } = start('/');
  await user.click(await screen.findByRole('combobox', { name: 'Company' }));
  await user.click(await screen.findByRole('option', { name: 'Acme Retail', hidden: true }));
  expect(where()).toBe('/?entity_id=2');
  await expect.poll(() => to('GET /api/dashboard').at(-1)?.query.get('entity_id')).toBe('2');
  await expect.poll(() => leadsTo('142 Active')).toEqual(['/employees', { entity_id: '2', activity_status: 'active' }]);
});

test('a hidden figure is not shown', async () => {
  const { filters, my_work } = wholeDashboard;
  service({ filters, my_work: { ...my_work, by_kind: {} } }, ['employees.view'], []);
  start('/');
  expect(await screen.findByText('You’re all caught up.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'People' })).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Company' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Reports' })).toBeNull();
});

test('if the figures fail, the tasks are still shown, and a retry helps', async () => {
  const { replies } = service(wholeDashboard);
  replies['GET /api/dashboard'] = { status: 500, body: { message: 'Server Error', request_id: 'r1' } };
  const { user } = start('/');
  expect(await screen.findByRole('link', { name: 'Check the review of Jon Reed' })).toBeTruthy();
  replies['GET /api/dashboard'] = itemOf(wholeDashboard);
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: '150 Headcount' })).toBeTruthy();
});
