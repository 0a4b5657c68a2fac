import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cycle, runningCycle } from '../../testing/cycles.ts';
import { listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const hr = ['kpi-cycle.view', 'kpi-cycle.create', 'entities.view'];

const service = (rows: readonly unknown[], permissions: readonly string[] = hr) =>
  serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/kpi-cycles': listOf(rows),
  });

test('cycles are listed with their progress, and found by status, type and text', async () => {
  const served = service([
    runningCycle({ id: 8, name: 'Q3 2026', cancelled_count: 2 }),
    cycle({ entity: null, entity_id: null }),
  ]);
  const { user, where } = start('/kpi/cycles');
  const running = await screen.findByRole('row', { name: /^Q3 2026/ });
  expect(within(running).getByText('3 of 10')).toBeDefined();
  expect(within(running).getByText('Published')).toBeDefined();
  expect(within(running).getByText('Hana Ito')).toBeDefined();
  const draft = screen.getByRole('row', { name: /^Q4 2026/ });
  expect(within(draft).getByText('1 department')).toBeDefined();
  expect(within(draft).getByText('All companies')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Closed' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Yearly');
  await user.type(screen.getByRole('searchbox', { name: 'Name or description' }), 'q4');
  await waitFor(() => expect(where()).toBe('/kpi/cycles?status=closed&type=annual&search=q4'));
  const { query } = served.to('GET /api/kpi-cycles').at(-1) ?? {};
  expect(query?.get('status')).toBe('closed');
  expect(query?.get('type')).toBe('annual');
});

test('background publishing shows its progress', async () => {
  service([runningCycle({ publishing: { processed: 40, total: 212 } })]);
  start('/kpi/cycles');
  const row = await screen.findByRole('row', { name: /^Q4 2026/ });
  expect(within(row).getByText('Publishing')).toBeDefined();
  expect(within(row).getByText('40 of 212 created')).toBeDefined();
});

test('background publishing of companies out of sight shows no figures', async () => {
  service([runningCycle({ publishing: {} })]);
  start('/kpi/cycles');
  const row = await screen.findByRole('row', { name: /^Q4 2026/ });
  expect(within(row).getByText('Publishing')).toBeDefined();
  expect(within(row).getByText('Evaluations are being created.')).toBeDefined();
});

test('a user who may not add cycles gets no button', async () => {
  service([], ['kpi-cycle.view']);
  start('/kpi/cycles');
  await screen.findByText('No cycles yet');
  expect(screen.queryByRole('link', { name: 'New cycle' })).toBeNull();
});

test('filters without a match can be cleared', async () => {
  service([]);
  const { user, where } = start('/kpi/cycles?status=closed');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(where()).toBe('/kpi/cycles'));
});

test('a user who may not see cycles gets an explanation', async () => {
  const served = service([], []);
  served.replies['GET /api/kpi-cycles'] = { status: 403, body: { message: 'Forbidden.' } };
  start('/kpi/cycles');
  await screen.findByRole('heading', { name: 'You don’t have access to this page' });
  expect(screen.queryByRole('searchbox', { name: 'Name or description' })).toBeNull();
});

test('rows stay after a failed refetch, and disappear once the user may no longer see them', async () => {
  const { replies } = service([cycle()]);
  const { queries } = start('/kpi/cycles');
  await screen.findByRole('row', { name: /^Q4 2026/ });
  replies['GET /api/kpi-cycles'] = { status: 500, body: { message: 'Server Error' } };
  await act(() => queries.refetchQueries({ type: 'active' }));
  expect(screen.getByRole('row', { name: /^Q4 2026/ })).toBeDefined();
  expect(screen.queryByText('Something went wrong')).toBeNull();
  replies['GET /api/kpi-cycles'] = { status: 403, body: { message: 'This action is unauthorized.' } };
  await act(() => queries.refetchQueries({ type: 'active' }));
  expect(await screen.findByText('You don’t have access to this page')).toBeDefined();
  expect(screen.queryByRole('row', { name: /^Q4 2026/ })).toBeNull();
});

test('a page beyond the end redirects to the last one', async () => {
  const { replies } = service([]);
  replies['GET /api/kpi-cycles'] = ({ url }) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const meta = { current_page: page, last_page: 2, from: page > 2 ? 0 : 1, to: 1, total: 16, per_page: 15 };
    return { body: { data: page > 2 ? [] : [cycle()], meta } };
  };
  const { where } = start('/kpi/cycles?page=5&status=closed');
  await screen.findByRole('row', { name: /^Q4 2026/ });
  expect(where()).toBe('/kpi/cycles?page=2&status=closed');
});
