import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const hr = ['kpi-template.view', 'kpi-template.import', 'employees.import', 'entities.view'];

const column = (field: string) => ({ header: field, field, source: 'exact', sample: null });
const found = {
  id: 8,
  type: 'kpi_templates',
  status: 'preview',
  phase: null,
  file_name: 'templates.csv',
  file_size: 90,
  file_hash: 'x',
  format: 'csv',
  dry_run: true,
  mode: 'partial',
  on_conflict: 'fail',
  date_format: 'YYYY-MM-DD',
  mapping: null,
  defaults: {},
  create_departments: false,
  progress: { processed: 3, total: 3 },
  counts: { total: 3, valid: 1, created: 1, updated: 0, skipped: 0, failed: 2, warnings: 0 },
  plan_hash: 'plan',
  failure: null,
  stale_rows: null,
  created_by: { user_id: 7, name: 'Hana Ito' },
  committed_at: null,
  finished_at: null,
  expires_at: null,
  undo_until: null,
  kept_count: 0,
  kept_rows: [],
  undone_at: null,
  undone_by: null,
  revision: 1,
  created_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-05T08:00:00.000Z',
  allowed_actions: ['update', 'commit', 'delete'],
  columns: ['template_name', 'item_name', 'weight'].map(column),
};

const row = (number: number, key: string, item_name: string, weight: string, error?: string) => ({
  row: number,
  status: error ? 'failed' : 'valid',
  action: error ? 'none' : 'create',
  key,
  subject_id: null,
  cells: { template_name: key, item_name, weight },
  errors: error ? { weight: [error] } : {},
  warnings: {},
  changes: null,
  edited: false,
  left_out: false,
});
const wrong = 'The weights add up to 90.00; they must add up to exactly 100.00.';
const rows = [
  row(2, 'Dispatcher', 'Trips planned', '60', wrong),
  row(3, 'Dispatcher', 'Empty runs', '30', wrong),
  row(4, 'Planner', 'Plans kept', '100'),
];

const service = () =>
  serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/employees/imports': listOf([]),
    'GET /api/kpi-templates/imports': listOf([found]),
    'GET /api/kpi-templates/imports/8': itemOf(found),
    'GET /api/kpi-templates/imports/8/rows': listOf(rows),
  });

test('a file of templates is sent with the settings of templates, and no record is written yet', async () => {
  const served = service();
  served.replies['POST /api/kpi-templates/import'] = { status: 201, body: { data: found, message: '' } };
  const { user, where } = start('/kpi/templates/import');
  await screen.findByRole('heading', { level: 1, name: 'Import KPI templates' });
  expect(screen.queryByText('Date format')).toBeNull();
  expect(screen.queryByRole('switch', { name: /departments/ })).toBeNull();
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('There is no field for the file.');
  await user.upload(input, new File(['template_name,item_name,weight'], 'templates.csv', { type: 'text/csv' }));
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'If a template with that name already exists' }),
    'update',
  );
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  await waitFor(() => expect(where()).toBe('/kpi/templates/imports/8'));
  const { body } = served.to('POST /api/kpi-templates/import')[0] ?? {};
  expect(body).toMatchObject({ dry_run: 'true', on_conflict: 'update', mode: 'partial', defaults: '{}' });
  expect(Object.keys(body as object)).not.toContain('date_format');
});

test('rows are grouped by template, and a cell is corrected at the templates endpoint', async () => {
  const served = service();
  served.replies['PUT /api/kpi-templates/imports/8/rows/3'] = itemOf(row(3, 'Dispatcher', 'Empty runs', '40'));
  const { user } = start('/kpi/templates/imports/8?rows=all');
  await screen.findByRole('rowheader', { name: 'Dispatcher' });
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Dispatcher', 'Planner']);
  expect(served.to('GET /api/kpi-templates/imports/8/rows')[0]?.query.get('sort_by')).toBe('key');
  await user.click(screen.getByRole('button', { name: /^Weight, row 3/ }));
  await user.keyboard('40{Enter}');
  await screen.findByText('Row 3 is ready to import.');
  expect(served.to('PUT /api/kpi-templates/imports/8/rows/3')[0]?.body).toEqual({ cells: { weight: '40' } });
});

test('the consequences are shown before items are written, without the promise of an undo', async () => {
  const served = service();
  served.replies['POST /api/kpi-templates/imports/8/commit'] = itemOf({ ...found, status: 'completed' });
  const { user } = start('/kpi/templates/imports/8');
  await user.click(await screen.findByRole('button', { name: 'Import 1 item' }));
  const dialog = await screen.findByRole('dialog', { name: 'Import 1 item?' });
  expect(within(dialog).getByText('1 item will be added with a new template.')).toBeDefined();
  expect(within(dialog).queryByText(/take it all back/)).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Import now' }));
  await waitFor(() =>
    expect(served.to('POST /api/kpi-templates/imports/8/commit')[0]?.body).toEqual({ plan_hash: 'plan' }),
  );
});

test('the histories of both kinds link to each other', async () => {
  service();
  const { user, where } = start('/imports');
  await user.click(await screen.findByRole('button', { name: 'KPI templates' }));
  await waitFor(() => expect(where()).toBe('/kpi/templates/imports'));
  const link = await screen.findByRole('link', { name: 'templates.csv' });
  expect(link.getAttribute('href')).toBe('/kpi/templates/imports/8');
});
