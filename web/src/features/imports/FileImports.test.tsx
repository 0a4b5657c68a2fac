import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const hr = ['employees.view', 'employees.import', 'employees.update', 'employees.view_sensitive', 'entities.view'];
const path = '/api/attachments/imports/9';

const fields = ['employee_number', 'title', 'category', 'visibility', 'file', 'size'];
const found = {
  id: 9,
  type: 'attachments',
  status: 'preview',
  phase: null,
  file_name: 'files.zip',
  file_size: 90,
  file_hash: 'x',
  format: 'zip',
  header_row: null,
  dry_run: true,
  mode: 'partial',
  on_conflict: 'fail',
  date_format: 'YYYY-MM-DD',
  mapping: null,
  defaults: { category: 'contract', visibility: 'manager' },
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
  revision: 3,
  created_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-05T08:00:00.000Z',
  allowed_actions: ['update', 'commit', 'delete'],
  columns: fields.map((field) => ({ header: field, field, source: 'exact', sample: null })),
};
const unknown = 'No employee with this number.';
const row = (number: number, change: object = {}) => ({
  row: number,
  status: 'valid',
  action: 'create',
  key: '1001 Ada Byron',
  subject_id: 5,
  cells: {
    employee_number: '1001',
    title: 'Work contract',
    category: '',
    visibility: '',
    file: '1001/Work contract.pdf',
    size: '2048',
  },
  errors: {},
  warnings: {},
  changes: null,
  edited: false,
  left_out: false,
  ...change,
});
const wrong = row(2, {
  status: 'failed',
  action: 'none',
  key: 'export',
  subject_id: null,
  cells: {
    employee_number: 'export',
    title: 'Badge',
    category: '',
    visibility: '',
    file: 'export/Badge.png',
    size: '1',
  },
  errors: { employee_number: [unknown] },
});

const service = (change: object = {}) =>
  serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/employees/imports': listOf([]),
    'GET /api/attachments/imports': listOf([found]),
    [`GET ${path}`]: itemOf({ ...found, ...change }),
    [`GET ${path}/rows`]: listOf([row(1), wrong]),
    [`GET ${path}/problems`]: itemOf({ repeated: [], dates: null }),
  });

test('files are chosen beside people, and an archive is sent with its type and visibility', async () => {
  const served = service();
  served.replies['POST /api/attachments/import'] = { status: 201, body: { data: found, message: '' } };
  const { user, where } = start('/imports');
  const kinds = within(await screen.findByRole('group', { name: 'Type of import' }));
  await user.click(kinds.getByRole('button', { name: 'Files' }));
  await waitFor(() => expect(where()).toBe('/imports/files'));
  await user.click((await screen.findAllByRole('link', { name: 'Import files' }))[0] as HTMLElement);
  await screen.findByRole('heading', { level: 1, name: 'Import employee files' });
  expect((await screen.findByRole('link', { name: 'Sample ZIP file' })).getAttribute('href')).toBe(
    '/api/attachments/import/sample',
  );
  expect(screen.queryByText('Columns')).toBeNull();
  const drop = screen.getByLabelText(/Drop the file here/);
  await user.upload(drop, new File(['x'], 'files.zip', { type: 'application/zip' }));
  await user.selectOptions(await screen.findByLabelText('Type, unless a folder sets it'), 'Certificate');
  await user.selectOptions(screen.getByLabelText('Visible to'), 'HR and the employee');
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(where()).toBe('/imports/files/9'));
  const body = served.to('POST /api/attachments/import').at(-1)?.body;
  const defaults = JSON.stringify({ category: 'certificate', visibility: 'employee' });
  expect(body).toMatchObject({ mode: 'partial', defaults });
  expect(body).not.toHaveProperty('date_format');
});

test('files read with their person, size and the type of all; a wrong number is corrected in place', async () => {
  const served = service();
  served.replies[`PUT ${path}/rows/2`] = itemOf({ ...wrong, status: 'valid', action: 'create', errors: {} });
  const { user } = start('/imports/files/9?rows=all');
  expect((await screen.findAllByText('1001 Ada Byron')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('2 KB').length).toBeGreaterThan(0);
  expect((await screen.findAllByText('Contract')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('HR and managers').length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: /File, row 1/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: /Employee number, row 2/ }));
  await user.clear(screen.getByRole('textbox', { name: /Employee number, row 2/ }));
  await user.type(screen.getByRole('textbox', { name: /Employee number, row 2/ }), '1002{Enter}');
  await waitFor(() =>
    expect(served.to(`PUT ${path}/rows/2`).at(-1)?.body).toEqual({ cells: { employee_number: '1002' } }),
  );
});

test('type and visibility of all files are changed after the check', async () => {
  const served = service();
  served.replies[`PUT ${path}`] = itemOf(found);
  const { user } = start('/imports/files/9');
  await user.click(await screen.findByRole('button', { name: 'Change settings' }));
  await user.selectOptions(await screen.findByLabelText('Type, unless a folder sets it'), 'Letter');
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  await waitFor(() =>
    expect(served.to(`PUT ${path}`).at(-1)?.body).toEqual({
      mode: 'partial',
      defaults: { category: 'letter', visibility: 'manager' },
      revision: 3,
    }),
  );
});

test('a finished import says what an undo deletes', async () => {
  const undo_until = '2099-01-01T00:00:00.000Z';
  const served = service({ status: 'completed', undo_until, allowed_actions: ['undo'] });
  served.replies[`POST ${path}/undo`] = itemOf({ ...found, status: 'undone' });
  const { user } = start('/imports/files/9');
  await user.click(await screen.findByRole('button', { name: 'Undo import' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^1 file will be deleted/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Undo import' }));
  await waitFor(() => expect(served.to(`POST ${path}/undo`)).toHaveLength(1));
});
