import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const reviewer = { id: 12, employee_number: 'A-012', name: 'Hana Ito' };
const evaluation = (id: number, more: object = {}) => ({
  id,
  cycle_id: 9,
  cycle: { id: 9, name: 'Q1 2026' },
  employee_id: 58,
  employee: { id: 58, employee_number: 'A-058', name: 'Jon Reed' },
  department: { id: 4, name: 'Purchasing' },
  job_title: 'Buyer',
  reviewer_id: 12,
  reviewer,
  status: 'manager_review',
  due_on: '2026-04-20',
  round: 1,
  revision: 3,
  allowed_actions: [],
  ...more,
});

const options = {
  cycles: [{ id: 9, name: 'Q1 2026' }],
  departments: [{ id: 4, name: 'Purchasing' }],
  reviewers: [reviewer],
  statuses: ['manager_review', 'completed'],
};

const service = (permissions: readonly string[], rows: readonly object[]) =>
  serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view', ...permissions]),
    'GET /api/kpi-evaluations': listOf(rows),
    'GET /api/kpi-evaluations/filter-options': itemOf(options),
  });

test('employees see their own evaluations, and a result only if it is visible to them', async () => {
  const { to } = service(
    [],
    [evaluation(1), evaluation(2, { status: 'completed', due_on: null, overall_percentage: 80 })],
  );
  start('/kpi/evaluations');
  const table = within(await screen.findByRole('table'));
  expect(to('GET /api/kpi-evaluations')[0]?.query.get('mine')).toBe('1');
  expect(screen.queryByRole('tab')).toBeNull();
  const [, open, done] = table.getAllByRole('row');
  expect(within(open as HTMLElement).getByText('Manager review')).toBeTruthy();
  expect(within(open as HTMLElement).getByText('Overdue')).toBeTruthy();
  expect(within(open as HTMLElement).queryByText(/%/)).toBeNull();
  expect(within(done as HTMLElement).getByText('80%')).toBeTruthy();
  expect(table.getAllByRole('link', { name: 'Q1 2026' })[0]?.getAttribute('href')).toBe('/kpi/evaluations/1');
});

test('a reviewer switches between own, assigned and all evaluations and filters them', async () => {
  const { to } = service(['kpi-evaluation.review'], [evaluation(1)]);
  const { user, where } = start('/kpi/evaluations');
  await user.click(await screen.findByRole('tab', { name: 'To review' }));
  await screen.findByRole('link', { name: 'Jon Reed' });
  expect(to('GET /api/kpi-evaluations').at(-1)?.query.get('to_review')).toBe('1');
  await user.click(screen.getByRole('tab', { name: 'All' }));
  await user.click(await screen.findByRole('switch', { name: 'Overdue only' }));
  expect(where()).toBe('/kpi/evaluations?tab=all&overdue=true');
  await user.click(screen.getByRole('button', { name: /Due/ }));
  const last = to('GET /api/kpi-evaluations').at(-1)?.query;
  expect([last?.get('overdue'), last?.get('sort_by'), last?.get('sort_direction')]).toEqual(['1', 'due_on', 'asc']);
});

test('a list without matches offers to clear its filters', async () => {
  service(['kpi-evaluation.hr-review'], []);
  const { user, where } = start('/kpi/evaluations?tab=all&search=nobody');
  await screen.findByText('No matching evaluations');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('No evaluations yet')).toBeTruthy();
  expect(where()).toBe('/kpi/evaluations?tab=all');
});
