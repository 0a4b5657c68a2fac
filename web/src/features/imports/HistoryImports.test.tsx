import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const hr = ['employees.view', 'employees.import', 'employees.update', 'entities.view'];
const path = '/api/job-history/imports/9';

const column = (field: string) => ({ header: field, field, source: 'exact', sample: null });
const found = {
  id: 9,
  type: 'job_history',
  status: 'preview',
  phase: null,
  file_name: 'jobs.csv',
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
  columns: ['employee_number', 'effective_from', 'effective_to', 'job_title'].map(column),
};
const row = (number: number, from: string, error?: string) => ({
  row: number,
  status: error ? 'failed' : 'valid',
  action: error ? 'none' : 'create',
  key: '1001',
  subject_id: 5,
  cells: { employee_number: '1001', effective_from: from, effective_to: '', job_title: 'Buyer' },
  errors: error ? { effective_from: [error] } : {},
  warnings: {},
  changes: null,
  edited: false,
  left_out: false,
});
const overlap = 'The job from 1 Jan 2020 overlaps the one from 1 Jan 2019 in row 2.';

const service = (change: object = {}) =>
  serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/employees/imports': listOf([]),
    'GET /api/job-history/imports': listOf([found]),
    [`GET ${path}`]: itemOf({ ...found, ...change }),
    [`GET ${path}/rows`]: listOf([row(2, '2019-01-01'), row(3, '2020-01-01', overlap)]),
    [`GET ${path}/problems`]: itemOf({ repeated: [], dates: null }),
    [`GET ${path}/values`]: itemOf([]),
  });

test('job history is chosen beside people, and a file is sent without a rule for known jobs', async () => {
  const served = service();
  served.replies['POST /api/job-history/import'] = { status: 201, body: { data: found, message: '' } };
  const { user, where } = start('/imports');
  const kinds = within(await screen.findByRole('group', { name: 'Type of import' }));
  await user.click(kinds.getByRole('button', { name: 'Job history' }));
  await waitFor(() => expect(where()).toBe('/imports/jobs'));
  await user.click((await screen.findAllByRole('link', { name: 'Import job history' }))[0] as HTMLElement);
  await screen.findByRole('heading', { level: 1, name: 'Import job history' });
  expect(screen.getByRole('link', { name: 'CSV template' }).getAttribute('href')).toBe(
    '/api/job-history/import/sample?format=csv',
  );
  await user.upload(screen.getByLabelText(/Drop the file here/), new File(['x'], 'jobs.csv', { type: 'text/csv' }));
  await user.selectOptions(screen.getByLabelText('Date format'), 'DD.MM.YYYY');
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(where()).toBe('/imports/jobs/9'));
  const body = served.to('POST /api/job-history/import').at(-1)?.body;
  expect(body).toMatchObject({ date_format: 'DD.MM.YYYY', mode: 'partial' });
  expect(body).not.toHaveProperty('on_conflict');
});

test('an overlap is shown at its row', async () => {
  service();
  start('/imports/jobs/9');
  expect((await screen.findAllByText(overlap)).length).toBeGreaterThan(0);
  expect(screen.getAllByText('First day').length).toBeGreaterThan(0);
});

test('a finished import is undone at its own address', async () => {
  const undo_until = '2099-01-01T00:00:00.000Z';
  const served = service({ status: 'completed', undo_until, allowed_actions: ['undo'] });
  served.replies[`POST ${path}/undo`] = itemOf({ ...found, status: 'undone' });
  const { user } = start('/imports/jobs/9');
  await user.click(await screen.findByRole('button', { name: 'Undo import' }));
  const question = within(await screen.findByRole('dialog'));
  expect(question.getByText(/^1 imported job will be removed\. The job history .* the people stay\./)).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Undo import' }));
  await waitFor(() => expect(served.to(`POST ${path}/undo`)).toHaveLength(1));
});
