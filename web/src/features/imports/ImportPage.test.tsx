import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const required = 'The department field is required.';
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
  left_out: false,
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
  stale_rows: null,
  undone_at: null,
  undo_until: null,
  kept_count: 0,
  kept_rows: [],
  created_by: { user_id: 7, name: 'Hana Ito' },
  on_conflict: 'fail',
  date_format: 'YYYY-MM-DD',
  values: {},
  header_row: 1,
  allowed_actions: ['update', 'commit', 'delete'],
};
const permissions = ['employees.view', 'employees.import', 'entities.view', 'departments.create'];
const mayIssue = [...permissions, 'employees.reset_password'];

/** A service with an import whose row 80 lacks a department until one is entered. */
function service() {
  const base = '/api/employees/imports/41';
  const served = serve({
    'GET /api/me': signedInAs(permissions),
    [`GET ${base}/problems`]: itemOf({ repeated: [], dates: null }),
    'GET /api/employees/import-profiles': listOf([]),
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

const url = '/api/employees/imports/41';
const cell = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) });

test('the check shows errors first; a cell is corrected by keyboard and its row checked at once', async () => {
  const served = service();
  const { user } = start('/imports/41');
  const wrong = await cell('Department, row 80');
  expect(wrong.getAttribute('aria-describedby')).toBe(screen.getByText(required).id);
  expect(screen.getByRole('switch', { name: 'Errors only' })).toHaveProperty('checked', true);
  wrong.focus();
  await user.keyboard('{Enter}Sales{Enter}');
  expect(await screen.findByText('Row 80 is ready to import.')).toBeDefined();
  expect(served.to(`PUT ${url}/rows/80`).map(({ body }) => body)).toEqual([{ cells: { department: 'Sales' } }]);
  // The row and the focus stay in place after the correction.
  const again = await cell('Department, row 80');
  expect(document.activeElement).toBe(again);
  expect(within(again.closest('tr') as HTMLElement).getByText('New')).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Import 107 people' })).toBeDefined();
});

const titles = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
const numbers = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent);

test('the result shows row, name, number and outcome', async () => {
  const served = service();
  served.replies[`GET ${url}`] = itemOf({ ...preview, status: 'completed', allowed_actions: [] });
  served.replies[`GET ${url}/rows`] = listOf([
    { ...mended, status: 'created', subject_id: 57, warnings: {} },
    { ...row80, row: 81, cells: { ...row80.cells, first_name: 'Ann', last_name: 'Lee' } },
  ]);
  start('/imports/41');
  await screen.findByRole('link', { name: 'Kim Grant' });
  expect(titles().slice(0, 4)).toEqual(['Name', 'Employee number', 'Result', 'Work email']);
  expect(screen.queryByRole('link', { name: 'Ann Lee' })).toBeNull();
  expect(screen.getByText('Ann Lee')).toBeDefined();
});

/** The people of the import who cannot sign in, one per page. */
const lacking =
  (...ids: number[]) =>
  ({ url: { searchParams } }: { url: URL }) => {
    const page = Number(searchParams.get('page') ?? 1);
    const data = ids.slice(page - 1, page).map((id) => ({ id }));
    return { body: { data, meta: { current_page: page, last_page: ids.length || 1, per_page: 1, total: ids.length } } };
  };

test('people of an import who never signed in are invited, across all pages', async () => {
  const served = service();
  const completed = { ...preview, status: 'completed', counts: counts(2, 0), allowed_actions: [] };
  served.replies['GET /api/me'] = signedInAs(mayIssue);
  served.replies[`GET ${url}`] = itemOf(completed);
  served.replies['GET /api/employees'] = lacking(57, 58);
  const asked = 'POST /api/employees/invite';
  const kim = { id: 57, name: 'Kim Grant', employee_number: '178' };
  const refused = [{ employee_id: 58, reason: 'This person can’t sign in.' }];
  const refusedOnly = { delivery: 'screen', mail_is_on: false, link_hours: 168, issued: [], sent: [], people: [kim] };
  served.replies[asked] = itemOf({ ...refusedOnly, refused });

  const { user } = start('/imports/41');
  expect(await screen.findByText('2 people haven’t signed in yet.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite people' }));
  expect(await dialog.findByText('1 person can be invited.')).toBeDefined();
  expect(dialog.getByText('This person can’t sign in.')).toBeDefined();
  expect(served.to(asked).map(({ body }) => body)).toEqual([{ employee_ids: [57, 58], dry_run: true }]);
  const pages = served.to('GET /api/employees').filter(({ query }) => query.get('per_page') === '100');
  expect(pages.map(({ query }) => ['import_id', 'missing', 'page'].map((name) => query.get(name)))).toEqual([
    ['41', 'sign_in', '1'],
    ['41', 'sign_in', '2'],
  ]);

  const once = { employee_id: 57, email: 'kgrant@example.com', expires_at: '2026-12-01T09:00:00.000Z' };
  const issued = [{ ...once, one_time_password: 'Once#Only2Once#Only2' }];
  served.replies[asked] = itemOf({ ...refusedOnly, issued, refused: [] });
  await user.click(dialog.getByRole('button', { name: 'Create 1 slip' }));
  expect((await dialog.findByRole('row', { name: /Kim Grant/ })).textContent).toContain('Once#Only2Once#Only2');
  expect(served.to(asked).at(-1)?.body).toEqual({ employee_ids: [57], delivery: 'screen' });
});

test.each([
  { offered: 1, who: mayIssue, what: {}, people: [57], why: 'is shown to users who may issue passwords' },
  { offered: 0, who: permissions, what: {}, people: [57], why: 'is hidden from other users' },
  { offered: 0, who: mayIssue, what: {}, people: [], why: 'is hidden if all people signed in' },
  {
    offered: 0,
    who: mayIssue,
    what: { counts: counts(0, 1) },
    people: [],
    why: 'is hidden if the import added no people',
  },
  {
    offered: 0,
    who: mayIssue,
    what: { status: 'undone' },
    people: [57],
    why: 'is hidden once the import is undone',
  },
])('the button to invite people $why', async ({ offered, who, what, people }) => {
  const served = service();
  served.replies['GET /api/me'] = signedInAs(who);
  served.replies[`GET ${url}`] = itemOf({ ...preview, status: 'completed', allowed_actions: [], ...what });
  served.replies['GET /api/employees'] = lacking(...people);
  start('/imports/41');
  await screen.findByRole('heading', { level: 1, name: /^Import (complete|undone)/ });
  const asksFirst = who === mayIssue && !('status' in what);
  await waitFor(() => expect(served.to('GET /api/employees')).toHaveLength(asksFirst ? 1 : 0));
  if (offered) await screen.findByText('1 person hasn’t signed in yet.');
  expect(screen.queryAllByRole('button', { name: 'Invite' })).toHaveLength(offered);
});

test('rows and columns stay in place while cells are corrected', async () => {
  const served = service();
  const other = (row: number, errors: object) => ({ ...row80, row, key: `${row}`, errors });
  const email = { email: ['The email field is required.'] };
  served.replies[`GET ${url}/rows`] = listOf([other(79, email), row80, other(81, email)]);
  const { user } = start('/imports/41');
  await cell('Department, row 80');
  const before = { columns: titles(), rows: numbers() };
  expect(before.columns.slice(0, 8)).toEqual([
    'Name',
    'Status',
    'Actions',
    'Employee number',
    'First name',
    'Last name',
    'Work email',
    'Department',
  ]);
  // the row's next error appears, and its column has no other error left
  const next = { ...row80, errors: { joining_date: ['The joining date is not a date.'] } };
  served.replies[`PUT ${url}/rows/80`] = () => {
    served.replies[`GET ${url}/rows`] = listOf([other(79, email), other(81, email), next]);
    return itemOf(next);
  };
  await user.click(await cell('Department, row 80'));
  await user.keyboard('Sales{Enter}');
  await screen.findByText('Row 80 still has an error.');
  await screen.findByText('The joining date is not a date.');
  expect(numbers()).toEqual(before.rows);
  expect(titles().filter((title) => before.columns.includes(title))).toEqual(before.columns);
});

test('Escape cancels, Tab saves and moves on, arrow keys move', async () => {
  const served = service();
  const { user } = start('/imports/41');
  const first = await cell('First name, row 80');
  first.focus();
  await user.keyboard('{Enter}berley{Escape}');
  expect(served.to(`PUT ${url}/rows/80`)).toHaveLength(0);
  expect(document.activeElement?.textContent).toBe('First name, row 80: Kim');
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement?.textContent).toBe('Last name, row 80: Grant');
  await user.keyboard('{Enter}Greene');
  await user.tab();
  expect(document.activeElement?.textContent).toContain('Work email, row 80');
  await waitFor(() => expect(served.to(`PUT ${url}/rows/80`)[0]?.body).toEqual({ cells: { last_name: 'Greene' } }));
});

test('a refused correction stays in its field with the reason', async () => {
  const served = service();
  const message = 'The cells.first name field is too long.';
  served.replies[`PUT ${url}/rows/80`] = { status: 422, body: { message, errors: { 'cells.first_name': [message] } } };
  const { user } = start('/imports/41');
  await user.click(await cell('First name, row 80'));
  await user.keyboard('Kimberley{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(screen.getByRole('textbox', { name: 'First name, row 80' })).toHaveProperty('value', 'Kimberley');
});

test('a row is skipped and included again', async () => {
  const served = service();
  served.replies[`PUT ${url}/rows/80`] = ({ body }) => {
    const { left_out } = body as { left_out: boolean };
    const row = left_out ? { ...row80, status: 'valid', action: 'skip', errors: {}, left_out } : row80;
    served.replies[`GET ${url}/rows`] = listOf(left_out ? [] : [row80]);
    return itemOf(row);
  };
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: /^Skip row/ }));
  expect(await screen.findByText('Row 80 will be skipped.')).toBeDefined();
  await user.click(await screen.findByRole('button', { name: /^Include row/ }));
  expect(await screen.findByText('Row 80 still has an error.')).toBeDefined();
  expect(served.to(`PUT ${url}/rows/80`).map(({ body }) => body)).toEqual([{ left_out: true }, { left_out: false }]);
});

test('each count filters the rows; the filter is in the address', async () => {
  const served = service();
  const { user, where } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'All 107' }));
  expect(await screen.findAllByRole('row')).toHaveLength(3);
  expect(where()).toBe('/imports/41?rows=all');
  await user.click(screen.getByRole('button', { name: 'New 106' }));
  await waitFor(() => expect(served.to(`GET ${url}/rows`).at(-1)?.query.get('action')).toBe('create'));
  await user.click(screen.getByRole('button', { name: 'Warnings 0' }));
  await waitFor(() => expect(served.to(`GET ${url}/rows`).at(-1)?.query.get('has_warnings')).toBe('true'));
});

test('the consequences are shown before the import; then the progress, with a link to the people', async () => {
  const served = service();
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Import 106 people' }));
  const dialog = await screen.findByRole('dialog', { name: 'Import 106 people?' });
  expect(within(dialog).getByText('106 people will be added.')).toBeDefined();
  expect(within(dialog).getByText('1 row with errors won’t be imported.')).toBeDefined();
  expect(within(dialog).getByText(/aren’t emailed/)).toBeDefined();
  expect(served.to(`POST ${url}/commit`)).toHaveLength(0);
  await user.click(within(dialog).getByRole('button', { name: 'Import now' }));
  expect(await screen.findByText('50 of 107 rows')).toBeDefined();
  expect(served.to(`POST ${url}/commit`)[0]?.body).toEqual({ plan_hash: '7d20c1e9' });

  const done = { ...preview, status: 'completed', allowed_actions: ['undo'] };
  served.replies[`GET ${url}`] = itemOf(done);
  served.replies[`GET ${url}/rows`] = listOf([{ ...mended, status: 'created', subject_id: 57 }]);
  expect(await screen.findByRole('heading', { level: 1, name: 'Import complete' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'View imported people' }).getAttribute('href')).toBe(
    '/employees?import_id=41',
  );
  expect((await screen.findByRole('link', { name: 'Kim Grant' })).getAttribute('href')).toBe('/employees/57');
});

test('after a concurrent change the check is shown again, with the affected rows', async () => {
  const served = service();
  const message = 'The data has changed, so these rows would be imported differently than shown. Check them again.';
  served.replies[`POST ${url}/commit`] = () => {
    served.replies[`GET ${url}`] = itemOf({ ...preview, plan_hash: 'b4', stale_rows: [12, 80] });
    return { status: 422, body: { message, errors: { status: [message], rows: ['Row 12 changed.'] } } };
  };
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Import 106 people' }));
  await user.click(await screen.findByRole('button', { name: 'Import now' }));
  expect(await screen.findByText('12, 80')).toBeDefined();
  expect(screen.getByText(message)).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Import 106 people' }));
  await user.click(await screen.findByRole('button', { name: 'Import now' }));
  await waitFor(() => expect(served.to(`POST ${url}/commit`).at(-1)?.body).toEqual({ plan_hash: 'b4' }));
});

test('undoing an import is confirmed first, and conflicts are listed by row', async () => {
  const served = service();
  served.replies[`GET ${url}`] = itemOf({ ...preview, status: 'completed', allowed_actions: ['undo'] });
  const rows = ['The person in row 2 was changed since.', 'The person in row 9 has files.'];
  served.replies[`POST ${url}/undo`] = {
    status: 422,
    body: { message: 'This import can’t be undone.', errors: { rows } },
  };
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Undo import' }));
  const dialog = await screen.findByRole('dialog', { name: 'Undo this import?' });
  expect(served.to(`POST ${url}/undo`)).toHaveLength(0);
  await user.click(within(dialog).getByRole('button', { name: 'Undo import' }));
  const reasons = await within(dialog).findAllByRole('listitem');
  expect(reasons.map(({ textContent }) => textContent)).toEqual(rows);
  expect(within(dialog).queryByRole('button', { name: 'Undo import' })).toBeNull();
  expect(screen.getByText('Import complete')).toBeDefined();
});

test('rows that an undo did not change are listed with the reason, and the undo can be retried', async () => {
  const served = service();
  const completed = { ...preview, status: 'completed', allowed_actions: ['undo'] };
  served.replies[`GET ${url}`] = itemOf(completed);
  served.replies[`POST ${url}/undo`] = () => {
    const left = [
      { row: 2, reason: 'not_permitted' },
      { row: 9, reason: null },
    ];
    const undone = { undone_at: '2026-04-18T14:30:00.000Z', undone_by: { user_id: 7, name: 'Hana Ito' } };
    const partly = { ...completed, ...undone, status: 'partly_undone', kept_count: 103, kept_rows: left };
    served.replies[`GET ${url}`] = itemOf(partly);
    return itemOf(partly);
  };
  const { user } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Undo import' }));
  const dialog = await screen.findByRole('dialog', { name: 'Undo this import?' });
  await user.click(within(dialog).getByRole('button', { name: 'Undo import' }));
  await screen.findByRole('heading', { level: 1, name: 'Import partly undone' });
  screen.getByText('103 rows couldn’t be undone.');
  screen.getByText('Row 2: you don’t have permission to undo it.');
  screen.getByText('Row 9');
  screen.getByText('and 101 more rows');
  screen.getByText(/Undone by Hana Ito/);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Undo import' }));
  const again = within(await screen.findByRole('dialog')).getByRole<HTMLButtonElement>('button', {
    name: 'Undo import',
  });
  expect(again.disabled).toBe(false);
});

test('an import is discarded only after a confirmation', async () => {
  const served = service();
  served.replies[`DELETE ${url}`] = { status: 204 };
  served.replies['GET /api/employees/imports'] = listOf([]);
  const { user, where } = start('/imports/41');
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  const dialog = await screen.findByRole('dialog', { name: 'Discard this import?' });
  expect(served.to(`DELETE ${url}`)).toHaveLength(0);
  await user.click(within(dialog).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(where()).toBe('/imports'));
  expect(served.to(`DELETE ${url}`)).toHaveLength(1);
});

test('a user who did not start an import sees it and who can continue it', async () => {
  const served = service();
  const created_by = { user_id: 3, name: 'Lena Park' };
  served.replies[`GET ${url}`] = itemOf({ ...preview, created_by, allowed_actions: [] });
  start('/imports/41');
  expect(await screen.findByText(/^Only Lena Park, who started this import, can finish it/)).toBeDefined();
  expect(screen.getByText(/ha(s|ve) errors and won’t be imported/).textContent).not.toMatch(/Correct/);
  expect(await screen.findByText(required)).toBeDefined();
  for (const name of [/^Import /, 'Discard', 'Change columns', /^Skip row/, /^Department, row/])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('unassigned columns are listed and can be assigned without another upload', async () => {
  const served = service();
  const open = { ...preview, status: 'needs_mapping', defaults: {}, counts: counts(0, 0) };
  const foreign = columns.map((one) => (one.field === 'email' ? { ...one, header: 'Contact', field: null } : one));
  served.replies[`GET ${url}`] = itemOf({ ...open, columns: foreign });
  served.replies[`PUT ${url}`] = () => {
    served.replies[`GET ${url}`] = itemOf(preview);
    return itemOf(preview);
  };
  const { user } = start('/imports/41');
  expect(await screen.findByText('Still to match: Company')).toBeDefined();
  const check = screen.getByRole('button', { name: 'Check file' });
  expect(check.hasAttribute('disabled')).toBe(true);
  const contact = screen.getByRole('combobox', { name: 'Field for column Contact' });
  // A field that is assigned to another column is disabled.
  expect(within(contact).getByRole('option', { name: 'First name *' })).toHaveProperty('disabled', true);
  await user.selectOptions(contact, 'Work email');
  await user.click(screen.getByRole('combobox', { name: 'Company for rows without one' }));
  await user.click(await screen.findByRole('option', { name: 'Acme Foods Ltd', hidden: true }));
  expect(screen.getByText('All required fields are matched.')).toBeDefined();
  await user.click(check);
  await screen.findByRole('heading', { level: 1, name: 'Check results' });
  await waitFor(() => expect(served.to(`PUT ${url}`)).toHaveLength(1));
  expect(served.to(`PUT ${url}`)[0]?.body).toMatchObject({
    mapping: { Contact: 'email', first_name: 'first_name' },
    defaults: { entity_id: 1 },
    revision: 3,
  });
});
