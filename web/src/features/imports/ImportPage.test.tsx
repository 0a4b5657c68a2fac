import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const required = 'The department id field is required.';
const columns = ['employee_number', 'first_name', 'last_name', 'email', 'department'].map((field) => ({
  header: field,
  field,
  source: 'exact',
  sample: 'x',
}));
const row80 = {
  row: 80,
  status: 'failed',
  action: 'none',
  key: '178',
  subject_id: null,
  cells: { employee_number: '178', first_name: 'Kim', last_name: 'Grant', email: 'kgrant@example.com', department: '' },
  errors: { department_id: [required] },
  warnings: {},
  changes: null,
  edited: false,
};
const mended = { ...row80, status: 'valid', action: 'create', errors: {}, edited: true };
const counts = (created: number, failed: number) => ({
  total: 107,
  valid: created,
  created,
  updated: 0,
  skipped: 0,
  failed,
  warnings: 0,
});
const preview = {
  id: 41,
  status: 'preview',
  phase: null,
  file_name: 'staff.csv',
  mode: 'partial',
  defaults: { entity_id: 1 },
  create_departments: false,
  columns,
  progress: { processed: 107, total: 107 },
  counts: counts(106, 1),
  plan_hash: '7d20c1e9',
  failure: null,
  revision: 3,
  allowed_actions: ['update', 'commit', 'delete'],
};
const permissions = ['employees.view', 'employees.import', 'entities.view', 'departments.create'];

/** A service with an import whose row 80 lacks a department until it is given one. */
function service() {
  const base = '/api/employees/imports/41';
  const served = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/employees': listOf([]),
    [`GET ${base}`]: itemOf(preview),
    [`GET ${base}/rows`]: ({ url }) =>
      listOf(url.searchParams.get('status') === 'failed' ? [row80] : [{ ...mended, row: 2, key: '100' }, row80]),
    [`PUT ${base}/rows/80`]: () => {
      served.replies[`GET ${base}`] = itemOf({ ...preview, counts: counts(107, 0) });
      served.replies[`GET ${base}/rows`] = listOf([]);
      return itemOf(mended);
    },
    [`POST ${base}/commit`]: () => {
      const writing = { ...preview, status: 'processing', phase: 'writing', allowed_actions: [] };
      served.replies[`GET ${base}`] = itemOf({ ...writing, progress: { processed: 50, total: 107 } });
      return itemOf(writing);
    },
  });
  return served;
}

test('the check shows what is wrong first; a cell is mended in place and the row checked at once', async () => {
  const served = service();
  const { user } = start('/imports/41');
  const cell = await screen.findByRole('textbox', { name: 'Department, row 80' });
  expect(screen.getByText(required)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Import 106 people' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'With errors (1)' }).getAttribute('aria-pressed')).toBe('true');

  await user.type(cell, 'Sales{Enter}');
  expect(await screen.findByText('Row 80 is in order now.')).toBeDefined();
  expect(served.to('PUT /api/employees/imports/41/rows/80').map(({ body }) => body)).toEqual([
    { cells: { department: 'Sales' } },
  ]);
  expect(await screen.findByRole('button', { name: 'Import 107 people' })).toBeDefined();
});

test('a cell that is right becomes a field when it is chosen; Escape leaves it as it was', async () => {
  const served = service();
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: /^First name, row 80/ }));
  const field = screen.getByRole('textbox', { name: 'First name, row 80' });
  await user.type(field, 'berley{Escape}');
  await user.tab();
  expect(served.to('PUT /api/employees/imports/41/rows/80')).toHaveLength(0);
  expect((field as HTMLInputElement).value).toBe('Kim');
});

test('all rows and only those with errors can be shown; the choice is in the address', async () => {
  service();
  const { user, where } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'All (107)' }));
  const rows = await screen.findAllByRole('row');
  expect(rows).toHaveLength(3);
  expect(within(rows[1] as HTMLElement).getByText('New')).toBeDefined();
  expect(where()).toBe('/imports/41?rows=all');
});

test('confirming writes what was shown, follows the progress and ends with the way to the people', async () => {
  const served = service();
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Import 106 people' }));
  expect(await screen.findByText('50 of 107 rows')).toBeDefined();
  expect(served.to('POST /api/employees/imports/41/commit')[0]?.body).toEqual({ plan_hash: '7d20c1e9' });

  const done = { ...preview, status: 'completed', allowed_actions: ['undo'] };
  served.replies['GET /api/employees/imports/41'] = itemOf(done);
  served.replies['GET /api/employees/imports/41/rows'] = listOf([{ ...mended, status: 'created', subject_id: 57 }]);
  expect(await screen.findByRole('heading', { level: 1, name: 'Import finished' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'See the people' }).getAttribute('href')).toBe('/employees');
  await user.click(screen.getByRole('button', { name: 'All (107)' }));
  expect((await screen.findByRole('link', { name: /Open/ })).getAttribute('href')).toBe('/employees/57');
});

test('taking an import back is confirmed first; a refusal is shown and the import stays', async () => {
  const served = service();
  served.replies['GET /api/employees/imports/41'] = itemOf({
    ...preview,
    status: 'completed',
    allowed_actions: ['undo'],
  });
  const message = 'Row 2: somebody signed in since.';
  served.replies['POST /api/employees/imports/41/undo'] = {
    status: 422,
    body: { message, errors: { rows: [message] } },
  };
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Take back' }));
  const dialog = await screen.findByRole('dialog', { name: 'Take this import back?' });
  expect(served.to('POST /api/employees/imports/41/undo')).toHaveLength(0);
  await user.click(within(dialog).getByRole('button', { name: 'Take back' }));
  expect(await within(dialog).findByText(message)).toBeDefined();
  expect(screen.getByText('Import finished')).toBeDefined();
});

test('columns that nothing fills are named, and can be assigned without a new upload', async () => {
  const served = service();
  const url = '/api/employees/imports/41';
  const open = { ...preview, status: 'needs_mapping', defaults: {}, counts: counts(0, 0) };
  const foreign = columns.map((one) => (one.field === 'email' ? { ...one, header: 'Contact', field: null } : one));
  served.replies[`GET ${url}`] = itemOf({ ...open, columns: foreign });
  served.replies[`PUT ${url}`] = () => {
    served.replies[`GET ${url}`] = itemOf(preview);
    return itemOf(preview);
  };
  const { user } = start('/imports/41');
  expect(await screen.findByText('Still to be assigned: Email, Company')).toBeDefined();
  const check = screen.getByRole('button', { name: 'Check again' });
  expect(check.hasAttribute('disabled')).toBe(true);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Field for column Contact' }), 'Email');
  await user.click(screen.getByRole('combobox', { name: 'Company for all rows' }));
  await user.click(await screen.findByRole('option', { name: 'Acme Foods Ltd', hidden: true }));
  expect(screen.getByText('Every required field is assigned.')).toBeDefined();
  await user.click(check);
  await screen.findByRole('heading', { level: 1, name: 'Result of the check' });
  await waitFor(() => expect(served.to(`PUT ${url}`)).toHaveLength(1));
  expect(served.to(`PUT ${url}`)[0]?.body).toMatchObject({
    mapping: { Contact: 'email', first_name: 'first_name' },
    defaults: { entity_id: 1 },
  });
});
