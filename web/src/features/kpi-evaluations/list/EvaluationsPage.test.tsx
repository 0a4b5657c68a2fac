import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
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
  today: '2026-04-21',
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

const run = (more: object) => ({
  id: 7,
  kind: 'close',
  status: 'processing',
  stop_reason: null,
  counts: { total: 1, changed: 1, refused: 0, open: 0 },
  reasons: [],
  created_at: '2026-04-20T08:00:00.000Z',
  finished_at: null,
  allowed_actions: ['cancel'],
  ...more,
});

const service = (permissions: readonly string[], rows: readonly object[]) =>
  serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view', ...permissions]),
    'GET /api/kpi-evaluations': listOf(rows),
    'GET /api/kpi-evaluation-bulks': listOf([]),
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

test('an evaluation is overdue by the day in its company, whatever day the reader has', async () => {
  service(
    [],
    [
      evaluation(1, { due_on: '2026-04-20', today: '2026-04-20' }),
      evaluation(2, { due_on: '2099-04-20', today: '2099-04-21' }),
    ],
  );
  start('/kpi/evaluations');
  const [, onTime, late] = within(await screen.findByRole('table')).getAllByRole('row');
  expect(late?.textContent).toContain('Overdue');
  expect(onTime?.textContent).not.toContain('Overdue');
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
  const row = (id: number, more: object) => ({
    id,
    employee_number: `A-00${id}`,
    cycle: 'Q1 2026',
    status: 'accepted',
    revision: 3,
    ...more,
  });
  const ready = row(1, { label: 'Jon Reed', outcome: 'changed', reason: null });
  const stuck = row(2, { label: 'Ada Bell', outcome: 'refused', reason: 'This evaluation is in HR review.' });
  const reasons = [{ reason: 'This evaluation is in HR review.', count: 1 }];
  const counts = { total: 2, changed: 1, refused: 1 };
  const dry = { kind: 'close', dry_run: true, bulk: null, counts, reasons, rows: [ready, stuck] };
  const served = service(['kpi-evaluation.hr-review', 'kpi-cycle.export'], rows);
  served.replies['POST /api/kpi-evaluations/bulk'] = itemOf({ ...dry, revisions: [{ id: 1, revision: 3 }] });
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
  expect(dialog.getByRole('link', { name: 'Ada Bell' }).getAttribute('href')).toBe('/kpi/evaluations/2');
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:');
  await user.click(dialog.getByRole('button', { name: 'Download as CSV' }));
  const [[file] = []] = saved.mock.calls;
  expect(await (file as Blob).text()).toBe(
    '"Employee number","Employee","Cycle","Reason"\r\n"A-002","Ada Bell","Q1 2026","This evaluation is in HR review."\r\n',
  );
  const bulk = run({ status: 'completed', counts: { total: 1, changed: 1, refused: 0, open: 0 } });
  const done = { ...dry, dry_run: false, bulk, counts: bulk.counts, reasons: [], rows: [ready], revisions: [] };
  served.replies['POST /api/kpi-evaluations/bulk'] = itemOf(done);
  await user.click(dialog.getByRole('button', { name: 'Complete' }));
  await dialog.findByText('1 evaluation completed.');
  expect(served.to('POST /api/kpi-evaluations/bulk').map(({ body }) => body)).toEqual([
    { kind: 'close', ids: [1, 2], dry_run: true },
    { kind: 'close', ids: [1], revisions: [{ id: 1, revision: 3 }] },
  ]);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected evaluations' })).toBeNull());
});

test('all evaluations of a list are sent as its filters, and a job shows its progress and can be stopped', async () => {
  const served = service(['kpi-evaluation.hr-review', 'kpi-evaluation.force-close'], [evaluation(1)]);
  const found = listOf([evaluation(1)]).body as { meta: object };
  served.replies['GET /api/kpi-evaluations'] = {
    body: { ...found, meta: { ...found.meta, total: 900, last_page: 60 } },
  };
  const counts = { total: 900, changed: 900, refused: 0 };
  const dry = { kind: 'cancel', dry_run: true, bulk: null, counts, reasons: [], rows: [] };
  served.replies['POST /api/kpi-evaluations/bulk'] = itemOf({ ...dry, revisions: [{ id: 1, revision: 3 }] });
  const { user } = start('/kpi/evaluations?tab=all&status=manager_review');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Jon Reed, Q1 2026' }));
  const bar = within(await screen.findByRole('region', { name: 'Selected evaluations' }));
  await user.click(bar.getByRole('button', { name: 'Select all 900' }));
  expect(bar.getByText('900 selected')).toBeTruthy();
  await user.click(bar.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel evaluations' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel 900 evaluations' }));
  await user.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Wrong round');
  await user.click(dialog.getByRole('button', { name: 'Preview' }));
  await dialog.findByText('900 ready · 0 can’t be changed');
  const running = run({ kind: 'cancel', status: 'processing', counts: { ...counts, changed: 300, open: 600 } });
  const started = { ...dry, dry_run: false, bulk: running, revisions: [] };
  served.replies['POST /api/kpi-evaluations/bulk'] = itemOf(started);
  served.replies['GET /api/kpi-evaluation-bulks/7'] = itemOf(running);
  served.replies['GET /api/kpi-evaluation-bulks'] = listOf([running]);
  await user.click(dialog.getByRole('button', { name: 'Cancel evaluations' }));
  await dialog.findByText('300 of 900 evaluations done');
  served.replies['POST /api/kpi-evaluation-bulks/7/cancel'] = itemOf({ ...running, allowed_actions: [] });
  await user.click(dialog.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(served.to('POST /api/kpi-evaluation-bulks/7/cancel')).toHaveLength(1));
  await user.click(dialog.getByRole('button', { name: 'Continue in background' }));
  // the list still shows the progress
  expect(await screen.findByText('300 of 900 evaluations done')).toBeTruthy();
  expect(served.to('POST /api/kpi-evaluations/bulk')[0]?.body).toEqual({
    kind: 'cancel',
    reason: 'Wrong round',
    filter: { status: 'manager_review' },
    dry_run: true,
  });
});

test('all evaluations of a list are selected only while it has these filters', async () => {
  const served = service(['kpi-evaluation.hr-review'], [evaluation(1)]);
  const found = listOf([evaluation(1)]).body as { meta: object };
  served.replies['GET /api/kpi-evaluations'] = { body: { ...found, meta: { ...found.meta, total: 900 } } };
  const { user, router } = start('/kpi/evaluations?tab=all&status=manager_review');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Jon Reed, Q1 2026' }));
  const bar = within(await screen.findByRole('region', { name: 'Selected evaluations' }));
  await user.click(bar.getByRole('button', { name: 'Select all 900' }));
  await router.navigate({ to: '/kpi/evaluations', search: { tab: 'all', status: 'completed' } });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected evaluations' })).toBeNull());
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select Jon Reed, Q1 2026' });
  expect(box.checked).toBe(false);
});

test('a finished change opens from its notification, with what was refused and why', async () => {
  const served = service(['kpi-evaluation.hr-review'], [evaluation(1)]);
  const reasons = [{ reason: 'This evaluation is completed.', count: 120 }];
  const counts = { total: 900, changed: 500, refused: 120, open: 280 };
  const stop_reason = 'Your permission for this step was removed.';
  served.replies['GET /api/kpi-evaluation-bulks/7'] = itemOf(run({ status: 'stopped', stop_reason, counts, reasons }));
  served.replies['GET /api/kpi-evaluation-bulks/7/rows'] = listOf([
    {
      id: 2,
      label: 'Ada Bell',
      employee_number: 'A-002',
      cycle: 'Q1 2026',
      status: 'completed',
      revision: 4,
      outcome: 'refused',
      ...reasons[0],
    },
  ]);
  const { user, where } = start('/kpi/evaluations?tab=all&bulk=7');
  const dialog = within(await screen.findByRole('dialog', { name: 'Bulk change of evaluations' }));
  expect(await dialog.findByText('500 evaluations completed.')).toBeTruthy();
  expect(dialog.getByText('Stopped. 280 evaluations weren’t processed.')).toBeTruthy();
  expect(dialog.getByRole('alert').textContent).toBe(stop_reason);
  expect(await dialog.findByRole('link', { name: 'Ada Bell' })).toBeTruthy();
  expect(dialog.getByText('119 more')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(where()).toBe('/kpi/evaluations?tab=all'));
});

test('all evaluations that a run refused are saved as a file, also those that the page does not name', async () => {
  const served = service(['kpi-evaluation.hr-review'], [evaluation(1)]);
  const reasons = [{ reason: 'This evaluation is completed.', count: 101 }];
  const counts = { total: 900, changed: 799, refused: 101, open: 0 };
  served.replies['GET /api/kpi-evaluation-bulks/7'] = itemOf(run({ status: 'completed', counts, reasons }));
  const refused = (id: number) => ({
    id,
    label: `Person ${id}`,
    employee_number: `A-${id}`,
    cycle: 'Q1 2026',
    status: 'completed',
    revision: 4,
    outcome: 'refused',
    reason: reasons[0]?.reason,
  });
  served.replies['GET /api/kpi-evaluation-bulks/7/rows'] = ({ url }) => {
    const rows = Array.from({ length: 101 }, (_, index) => refused(index + 1));
    const shown = url.searchParams.get('page') === '2' ? rows.slice(100) : rows.slice(0, 100);
    const { body } = listOf(shown) as { body: { meta: object } };
    return { body: { ...body, meta: { ...body.meta, total: 101, last_page: 2 } } };
  };
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`);
  const { user } = start('/kpi/evaluations?tab=all&bulk=7');
  const dialog = within(await screen.findByRole('dialog', { name: 'Bulk change of evaluations' }));
  await user.click(await dialog.findByRole('button', { name: 'Download as CSV' }));
  await waitFor(() => expect(files).toHaveLength(1));
  const lines = (await files[0]?.text())?.trim().split('\r\n');
  expect([lines?.length, lines?.at(-1)]).toEqual([102, expect.stringContaining('Person 101')]);
});

test('only HR selects evaluations', async () => {
  service(['kpi-evaluation.review'], [evaluation(1)]);
  start('/kpi/evaluations?tab=all');
  await screen.findByRole('link', { name: 'Jon Reed' });
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
});

test('on a phone an own evaluation has the name of its cycle, its result, and no dash in the place of a due day', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }));
  service([], [evaluation(2, { status: 'completed', due_on: null, overall_percentage: 80 })]);
  start('/kpi/evaluations');
  expect(await screen.findByText('80%')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Q1 2026' })).toBeDefined();
  expect(screen.queryByText('Jon Reed')).toBeNull();
  expect(screen.queryByText('–')).toBeNull();
});
