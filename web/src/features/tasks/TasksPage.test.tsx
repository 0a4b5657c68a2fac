import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const item = (id: number, priority: 'overdue' | 'due_soon' | 'normal', more: object = {}) => ({
  id: `kpi_manager_review:${id}`,
  kind: 'kpi_manager_review',
  title: `Review person ${id} for Q1`,
  description: null,
  subject: { type: 'kpi_evaluation', id },
  employee: { id, employee_number: `A-${id}`, name: `Person ${id}` },
  due_date: '2026-04-20',
  priority,
  created_at: '2026-04-01T08:00:00.000Z',
  url: '/tasks?search=opened',
  allowed_actions: ['manager-review'],
  ...more,
});

function service(items: readonly object[]) {
  return serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view', 'kpi-evaluation.review']),
    'GET /api/actionable-items': ({ url }) =>
      listOf(url.searchParams.get('search') === null ? items : items.slice(0, 0)),
    'GET /api/actionable-items/counts': itemOf({
      total: items.length,
      overdue: 1,
      by_kind: { kpi_manager_review: items.length },
    }),
  });
}

test('tasks are grouped by urgency, and the navigation shows their number', async () => {
  service([item(1, 'overdue'), item(2, 'normal')]);
  start('/tasks');
  const overdue = within(await screen.findByRole('region', { name: 'Overdue' }));
  expect(overdue.getByRole('link', { name: 'Review person 1 for Q1' })).toBeTruthy();
  expect(within(screen.getByRole('region', { name: 'Later' })).getByText(/person 2/)).toBeTruthy();
  expect(screen.getByText('2 open tasks · 1 overdue')).toBeTruthy();
  expect(within(screen.getByRole('navigation', { name: 'Main' })).getByText('2 open tasks')).toBeTruthy();
});

test('tasks are grouped by type on request, in the order of the service, and a row names its action', async () => {
  const { to } = service([item(1, 'overdue'), item(2, 'normal', { id: 'kpi_close:2', kind: 'kpi_close' })]);
  const { user } = start('/tasks');
  await user.click(await screen.findByRole('button', { name: 'By type' }));
  const reviews = within(await screen.findByRole('region', { name: 'KPI review' }));
  expect(reviews.getByRole('link', { name: 'Review person 1 for Q1' })).toBeTruthy();
  reviews.getByText('Review');
  within(screen.getByRole('region', { name: 'Evaluation to complete' })).getByText('Complete');
  expect(to('GET /api/actionable-items').at(-1)?.query.get('sort_by')).toBe('kind');
  expect(to('GET /api/actionable-items').at(-1)?.query.has('by')).toBe(false);
});

test('J and K move through the tasks, Enter opens one', async () => {
  service([item(1, 'overdue'), item(2, 'normal')]);
  const { user, where } = start('/tasks');
  await screen.findByRole('link', { name: /person 1/ });
  await user.keyboard('jj');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /person 2/ }));
  await user.keyboard('k');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /person 1/ }));
  await user.keyboard('{Enter}');
  expect(where()).toBe('/tasks?search=opened');
  expect(await screen.findByText('No matching tasks')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByRole('link', { name: /person 1/ })).toBeTruthy();
});

test('a task that only needs a decision is finished in the list: it leaves at once and is sent later', async () => {
  const close = { id: 'kpi_close:1', kind: 'kpi_close', allowed_actions: ['close'] };
  const { replies, to } = service([item(1, 'overdue', close), item(2, 'normal')]);
  replies['POST /api/kpi-evaluations/1/close'] = { body: { data: {}, message: '' } };
  const { user } = start('/tasks');
  await screen.findByRole('link', { name: /person 1/ });
  await user.keyboard('je');
  expect(screen.queryByRole('link', { name: /person 1/ })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /person 2/ }));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await user.click(screen.getByRole('button', { name: 'Mark as done: Review person 1 for Q1' }));
  expect(to('POST /api/kpi-evaluations/1/close')).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(to('POST /api/kpi-evaluations/1/close')).toHaveLength(1);
});

const closes = (id: number) => ({ id: `kpi_close:${id}`, kind: 'kpi_close', allowed_actions: ['close'] });

test('a letter after G goes to a page and does not act on the list', async () => {
  const { replies, to } = service([item(1, 'overdue', closes(1)), item(2, 'normal', closes(2))]);
  replies['GET /api/me'] = signedInAs(['kpi-evaluation.view', 'employees.view']);
  replies['GET /api/employees'] = listOf([]);
  const { user, where } = start('/tasks');
  const first = await screen.findByRole('link', { name: /person 1/ });
  await user.keyboard('jgk');
  expect(document.activeElement).toBe(first);
  await user.keyboard('gj');
  expect(document.activeElement).toBe(first);
  await user.keyboard('ge');
  await waitFor(() => expect(where()).toBe('/employees'));
  expect(to('POST /api/kpi-evaluations/1/close')).toHaveLength(0);
  expect(screen.queryByText('Undo')).toBeNull();
});

test('holding a key down acts once', async () => {
  service([item(1, 'overdue', closes(1)), item(2, 'normal', closes(2))]);
  const { user } = start('/tasks');
  await screen.findByRole('link', { name: /person 1/ });
  await user.keyboard('j{e>3/}');
  expect(screen.queryByRole('link', { name: /person 1/ })).toBeNull();
  expect(screen.getByRole('link', { name: /person 2/ })).toBeTruthy();
});

const pageOf = (items: readonly object[], current_page: number, last_page: number) => ({
  body: {
    data: items,
    meta: { current_page, last_page, from: 0, to: 0, total: 50 * (last_page - 1) + 1, per_page: 50 },
  },
});

test('when the last task of the last page is finished, the page before it is shown', async () => {
  const { replies } = service([]);
  const left = { replied: pageOf([item(51, 'normal', closes(51))], 2, 2) };
  replies['GET /api/actionable-items'] = ({ url }) =>
    url.searchParams.get('page') === '2' ? left.replied : pageOf([item(1, 'overdue')], 1, 1);
  replies['POST /api/kpi-evaluations/51/close'] = () => {
    left.replied = pageOf([], 2, 1);
    return { body: { data: {}, message: '' } };
  };
  const { user, where, router } = start('/tasks');
  await screen.findByRole('link', { name: /person 1 / });
  await act(() => router.navigate({ to: '/tasks', search: { page: 2 } }));
  await user.click(await screen.findByRole('button', { name: 'Mark as done: Review person 51 for Q1' }));
  expect(screen.queryByText('You’re all caught up')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(await screen.findByRole('link', { name: /person 1 / })).toBeTruthy();
  expect(where()).toBe('/tasks?page=1');
  await act(async () => router.history.back());
  expect(where()).toBe('/tasks');
});

test('without tasks the empty state is shown', async () => {
  service([]);
  start('/tasks');
  expect(await screen.findByText('You’re all caught up')).toBeTruthy();
});

test('a failed request can be retried', async () => {
  const { replies } = service([item(1, 'due_soon')]);
  const works = replies['GET /api/actionable-items'] as NonNullable<(typeof replies)[string]>;
  replies['GET /api/actionable-items'] = { status: 500, body: { message: 'Server Error' } };
  const { user } = start('/tasks');
  const again = await screen.findByRole('button', { name: /try again/i });
  replies['GET /api/actionable-items'] = works;
  await user.click(again);
  expect(await screen.findByRole('region', { name: 'Due soon' })).toBeTruthy();
});
