import { screen, waitFor, within } from '@testing-library/react';
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

test('HR previews a step for many, takes it with those that are ready, and sees who was refused', async () => {
  const rows = [evaluation(1), evaluation(2, { employee: { id: 59, employee_number: 'A-059', name: 'Ada Bell' } })];
  const row = (id: number, more: object) => ({ id, cycle: 'Q1 2026', status: 'accepted', revision: 3, ...more });
  const ready = row(1, { label: 'Jon Reed', outcome: 'changed', reason: null });
  const stuck = row(2, { label: 'Ada Bell', outcome: 'refused', reason: 'This evaluation is in HR review.' });
  const answer = (dry_run: boolean) =>
    itemOf({ kind: 'close', dry_run, counts: { total: 2, changed: 1, refused: 1 }, rows: [ready, stuck] });
  const served = service(['kpi-evaluation.hr-review', 'kpi-cycle.export'], rows);
  served.replies['POST /api/kpi-evaluations/bulk'] = answer(true);
  const { user } = start('/kpi/evaluations?tab=all');
  await screen.findByRole('button', { name: 'Export' });
  await user.click(await screen.findByRole('checkbox', { name: 'Select Jon Reed, Q1 2026' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Ada Bell, Q1 2026' }));
  const bar = within(await screen.findByRole('region', { name: 'Selected evaluations' }));
  expect(bar.getByText('2 selected')).toBeTruthy();
  expect(bar.queryByRole('button', { name: 'Send reminders' })).toBeNull();
  await user.click(bar.getByRole('button', { name: 'Complete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Complete 2 evaluations' }));
  await user.click(dialog.getByRole('button', { name: 'Preview' }));
  await dialog.findByText('1 ready · 1 can’t be changed');
  expect(dialog.getByText('This evaluation is in HR review.')).toBeTruthy();
  served.replies['POST /api/kpi-evaluations/bulk'] = answer(false);
  await user.click(dialog.getByRole('button', { name: 'Complete' }));
  await dialog.findByText('1 evaluation completed.');
  expect(served.to('POST /api/kpi-evaluations/bulk').map(({ body }) => body)).toEqual([
    { kind: 'close', ids: [1, 2], dry_run: true },
    { kind: 'close', ids: [1], revisions: [{ id: 1, revision: 3 }] },
  ]);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected evaluations' })).toBeNull());
});

test('only HR selects evaluations', async () => {
  service(['kpi-evaluation.review'], [evaluation(1)]);
  start('/kpi/evaluations?tab=all');
  await screen.findByRole('link', { name: 'Jon Reed' });
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
});
