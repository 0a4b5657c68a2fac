import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const hr = ['employees.view', 'employees.import', 'kpi-template.import', 'kpi-evaluation.hr-review', 'entities.view'];
const path = '/api/former-results/imports/9';

const column = (field: string) => ({ header: field, field, source: 'exact', sample: null });
const found = {
  id: 9,
  type: 'former_results',
  status: 'preview',
  phase: null,
  file_name: 'results.csv',
  file_size: 90,
  file_hash: 'x',
  format: 'csv',
  header_row: 1,
  dry_run: true,
  mode: 'partial',
  on_conflict: 'fail',
  date_format: 'YYYY-MM-DD',
  mapping: null,
  defaults: {},
  values: {},
  create_departments: false,
  progress: { processed: 2, total: 2 },
  counts: { total: 2, valid: 1, created: 1, updated: 0, skipped: 0, failed: 1, warnings: 0 },
  plan_hash: 'plan',
  failure: null,
  stale_rows: null,
  created_by: { user_id: 7, name: 'Hana Ito' },
  committed_at: null,
  finished_at: null,
  expires_at: null,
  undo_until: null as string | null,
  kept_count: 0,
  kept_rows: [],
  undone_at: null,
  undone_by: null,
  revision: 1,
  created_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-05T08:00:00.000Z',
  allowed_actions: ['update', 'commit', 'delete'],
  columns: ['employee_number', 'period', 'result', 'band', 'source'].map(column),
};
const row = (number: number, band: string, error?: string) => ({
  row: number,
  status: error ? 'failed' : 'valid',
  action: error ? 'none' : 'create',
  key: '1001',
  subject_id: null,
  cells: { employee_number: '1001', period: '2023', result: '80 %', band, source: 'Old HR' },
  errors: error ? { band: [error] } : {},
  warnings: {},
  changes: null,
  edited: false,
  left_out: false,
});
const values = [
  {
    header: 'band',
    field: 'band',
    choices: ['A', 'B', 'C', 'D'],
    values: [{ text: 'Exceeds', rows: 1, value: 'B', source: 'suggested' }],
    more: 0,
  },
];

const service = (change: object = {}) =>
  serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/former-results/imports': listOf([found]),
    [`GET ${path}`]: itemOf({ ...found, ...change }),
    [`GET ${path}/rows`]: listOf([row(2, 'Exceeds', 'No band.'), row(3, 'A')]),
    [`GET ${path}/problems`]: itemOf({ repeated: [], dates: null }),
    [`GET ${path}/values`]: itemOf(values),
  });

test('the kinds of imports lead to each other, and a file is sent with source and scale for its rows', async () => {
  const served = service();
  served.replies['POST /api/former-results/import'] = { status: 201, body: { data: found, message: '' } };
  const { user, where } = start('/kpi/former-results/imports');
  const kinds = within(await screen.findByRole('group', { name: 'Type of import' }));
  expect(kinds.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'People',
    'Job history',
    'KPI templates',
    'Former results',
  ]);
  await user.click(screen.getAllByRole('link', { name: 'Import former results' })[0] as HTMLElement);
  await screen.findByRole('heading', { level: 1, name: 'Import former results' });
  expect(screen.queryByLabelText(/Company/)).toBeNull();
  expect(screen.getByRole('link', { name: 'CSV template' }).getAttribute('href')).toBe(
    '/api/former-results/import/sample?format=csv',
  );
  await user.upload(screen.getByLabelText(/Drop the file here/), new File(['x'], 'results.csv', { type: 'text/csv' }));
  await user.type(screen.getByLabelText('Source for rows without one'), 'Old HR');
  await user.type(screen.getByLabelText('Scale for rows without one'), '1-5');
  await user.selectOptions(screen.getByLabelText('Date format'), 'DD.MM.YYYY');
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(where()).toBe('/kpi/former-results/imports/9'));
  expect(served.to('POST /api/former-results/import').at(-1)?.body).toMatchObject({
    defaults: '{"source":"Old HR","scale":"1-5"}',
    date_format: 'DD.MM.YYYY',
  });
});

test('words for bands are matched, with labels of fields of results', async () => {
  const served = service();
  served.replies[`PUT ${path}`] = itemOf(found);
  const { user } = start('/kpi/former-results/imports/9');
  const matches = within(await screen.findByRole('region', { name: 'Match values' }));
  expect(matches.getByRole<HTMLSelectElement>('combobox').value).toBe('B');
  await user.click(matches.getByRole('button', { name: /Use/ }));
  await waitFor(() =>
    expect(served.to(`PUT ${path}`).at(-1)?.body).toEqual({ values: { band: { Exceeds: 'B' } }, revision: 1 }),
  );
  expect(screen.getAllByText('Performance band').length).toBeGreaterThan(0);
});

test('a finished import is undone at its own address', async () => {
  const undo_until = '2099-01-01T00:00:00.000Z';
  const served = service({ status: 'completed', undo_until, allowed_actions: ['undo'] });
  served.replies[`POST ${path}/undo`] = itemOf({ ...found, status: 'undone' });
  const { user } = start('/kpi/former-results/imports/9');
  await user.click(await screen.findByRole('button', { name: 'Undo import' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Undo import' }));
  await waitFor(() => expect(served.to(`POST ${path}/undo`)).toHaveLength(1));
});

test('the question before an undo and the rows that stay are about results, not about people', async () => {
  const counts = { total: 2, valid: 2, created: 2, updated: 0, skipped: 0, failed: 0, warnings: 0 };
  service({
    status: 'partly_undone',
    counts,
    undo_until: '2099-01-01T00:00:00.000Z',
    allowed_actions: ['undo'],
    kept_count: 1,
    kept_rows: [{ row: 3, reason: 'changed_since' }],
  });
  const { user } = start('/kpi/former-results/imports/9');
  expect(await screen.findByText('Row 3: this result was changed or deleted after the import.')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Undo import' }));
  expect(within(await screen.findByRole('dialog')).getByText(/^2 results will be deleted\. Replaced/)).toBeTruthy();
});
