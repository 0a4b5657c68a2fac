import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { fill, pick } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { settingsOf, sentSettings, sentTemplateSettings, usualSettings } from './settings.ts';

const hr = ['employees.view', 'employees.import', 'entities.view', 'departments.view', 'departments.create'];
const counts = { total: 9, valid: 8, created: 8, updated: 0, skipped: 0, failed: 1, warnings: 0 };
const row = (id: number, fields: object = {}) => ({
  id,
  file_name: `staff-${id}.csv`,
  status: 'completed',
  counts,
  phase: null,
  progress: { processed: 9, total: 9 },
  created_by: { user_id: 7, name: 'Hana Ito' },
  created_at: '2026-04-18T14:30:00.000Z',
  ...fields,
});
const list = 'GET /api/employees/imports';
type Replies = Parameters<typeof serve>[0];

/** Selects the requests of the page: the notices of running imports use the same endpoint. */
const isOfPage = (query: URLSearchParams) => query.get('status') !== 'processing';

function open(address: string, { [list]: rows = listOf([row(1)]), ...replies }: Replies = {}, permissions = hr) {
  const served = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([
      { id: 1, name: 'Acme Foods Ltd' },
      { id: 2, name: 'Borealis GmbH' },
    ]),
    'GET /api/departments': listOf([{ id: 4, name: 'Purchasing' }]),
    'GET /api/employees': listOf([]),
    [list]: ({ url }) => (isOfPage(url.searchParams) ? (rows as ReturnType<typeof listOf>) : listOf([])),
    ...replies,
  });
  const asked = (call: string) =>
    Object.fromEntries(
      served
        .to(call)
        .filter(({ query }) => isOfPage(query))
        .at(-1)?.query ?? [],
    );
  return { served, asked, ...start(address) };
}

describe('the list of imports', () => {
  test('text, status and author filter it, return to the first page and are in the address', async () => {
    const { asked, user, where } = open('/imports?page=3');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), 'To confirm');
    await waitFor(() => expect(where()).toBe('/imports?status=preview'));
    await user.click(screen.getByRole('switch', { name: 'Only mine' }));
    fill(screen.getByRole('searchbox', { name: 'Search files' }), 'staff');
    await waitFor(() =>
      expect(asked(list)).toEqual({
        status: 'preview',
        created_by: '7',
        search: 'staff',
        sort_by: 'created_at',
        sort_direction: 'desc',
      }),
    );
    await user.click(screen.getByRole('switch', { name: 'Only mine' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Any status');
    await waitFor(() => expect(where()).toBe('/imports?search=staff'));
  });

  test('an empty list offers to start an import, or to show all if filters are the cause', async () => {
    const { user, where } = open('/imports?mine=true', { [list]: listOf([]) });
    await screen.findByText('No matching imports');
    await user.click(screen.getByRole('button', { name: 'Show all imports' }));
    await screen.findByText('No imports yet');
    expect(where()).toBe('/imports');
    expect(screen.getAllByRole('link', { name: 'Import people' }).map((link) => link.getAttribute('href'))).toContain(
      '/imports/new',
    );
  });

  test('the file of failed rows is offered as long as it is kept', async () => {
    open('/imports', {
      [list]: listOf([
        row(1),
        row(2, { status: 'expired' }),
        row(3, { status: 'undone' }),
        row(4, { counts: { ...counts, failed: 0 } }),
      ]),
    });
    await screen.findByRole('link', { name: 'staff-1.csv' });
    const files = screen.getAllByRole('link', { name: 'Download errors' });
    expect(files.map((link) => link.getAttribute('href'))).toEqual(['/api/employees/imports/1/errors.csv']);
  });

  test('the kinds of imports are offered only to a user who may start both', async () => {
    open('/imports');
    await screen.findByRole('link', { name: 'staff-1.csv' });
    expect(screen.queryByRole('button', { name: 'KPI templates' })).toBeNull();
  });

  test('a refusal replaces the whole page', async () => {
    open('/imports', { [list]: { status: 403, body: { message: 'This action is unauthorized.' } } });
    expect(await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' })).toBeDefined();
  });
});

describe('settings of a new import', () => {
  const send = 'POST /api/employees/import';

  test('every setting is sent; another company clears the department', async () => {
    const { served, user } = open('/imports/new', { [send]: itemOf({ id: 41 }) });
    await user.upload(await screen.findByLabelText(/^Drop the file here/), new File(['a'], 'staff.csv'));
    expect(screen.queryByRole('combobox', { name: 'Department for rows without one' })).toBeNull();
    const company = screen.getByRole('combobox', { name: 'Company for rows without one' });
    await pick(user, company, 'Acme Foods Ltd');
    await pick(user, screen.getByRole('combobox', { name: 'Department for rows without one' }), 'Purchasing');
    await pick(user, company, 'Borealis GmbH');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Department for rows without one' }).value).toBe('');
    await user.click(screen.getByRole('switch', { name: /^Create missing departments/ }));
    await user.click(screen.getByText('More settings'));
    await user.selectOptions(screen.getByLabelText('Date format'), 'DD.MM.YYYY');
    await user.selectOptions(screen.getByLabelText('Employment status for new people'), 'Confirmed');
    await user.click(screen.getByRole('switch', { name: /^All or nothing/ }));
    await user.click(screen.getByRole('button', { name: 'Check file' }));
    await waitFor(() => expect(served.to(send)).toHaveLength(1));
    expect(served.to(send)[0]?.body).toMatchObject({
      dry_run: 'true',
      create_departments: 'true',
      on_conflict: 'fail',
      date_format: 'DD.MM.YYYY',
      mode: 'atomic',
      defaults: '{"entity_id":2,"employment_lifecycle":"confirmed"}',
    });
  });

  test('departments are created only by a user who may add them', async () => {
    open('/imports/new', {}, ['employees.view', 'employees.import', 'entities.view']);
    await screen.findByRole('combobox', { name: 'Company for rows without one' });
    expect(screen.queryByRole('switch', { name: /^Create missing departments/ })).toBeNull();
  });
});

describe('settings as a request', () => {
  const found = {
    ...usualSettings,
    defaults: { entity_id: 1, department_id: 4, employment_lifecycle: 'by_dates', grade: 'T1' },
  };

  test('visible settings are read from an import, hidden ones stay unchanged', () => {
    const settings = settingsOf(found as never);
    expect(settings).toEqual({ ...usualSettings, entity_id: 1, department_id: 4 });
    expect(sentSettings({ ...settings, department_id: undefined }, found.defaults)).toEqual({
      create_departments: false,
      on_conflict: 'fail',
      date_format: 'YYYY-MM-DD',
      mode: 'partial',
      defaults: { grade: 'T1', entity_id: 1, employment_lifecycle: 'by_dates' },
    });
  });

  test('a template import has no dates and departments, and its company can be cleared', () => {
    expect(sentTemplateSettings({ ...usualSettings, mode: 'atomic' }, { entity_id: 1, grade: 'T1' })).toEqual({
      mode: 'atomic',
      on_conflict: 'fail',
      defaults: { grade: 'T1' },
    });
  });
});

describe('rows of an import', () => {
  const path = '/api/employees/imports/41';
  const cells = { employee_number: '178', first_name: 'Kim', last_name: 'Grant', email: 'kim@example.com' };
  const staged = (fields: object = {}) => ({
    row: 80,
    status: 'failed',
    action: 'none',
    key: '178',
    subject_id: null,
    cells,
    errors: { email: ['The email is taken.'] },
    warnings: {},
    changes: null,
    edited: false,
    left_out: false,
    ...fields,
  });
  const preview = {
    ...row(41),
    status: 'preview',
    mode: 'partial',
    defaults: {},
    create_departments: false,
    columns: Object.keys(cells).map((field) => ({ header: field, field, source: 'exact', sample: 'x' })),
    plan_hash: 'p',
    failure: null,
    revision: 3,
    stale_rows: null,
    undone_at: null,
    undo_until: null,
    kept_count: 0,
    kept_rows: [],
    on_conflict: 'fail',
    date_format: 'YYYY-MM-DD',
    allowed_actions: ['update', 'commit', 'delete'],
  };
  const openRows = (rows: readonly object[], address = '/imports/41') =>
    open(address, { [`GET ${path}`]: itemOf(preview), [`GET ${path}/rows`]: listOf(rows) });
  const cell = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}, row 80`) });

  test('an unchanged cell is not sent, neither by Enter nor on blur', async () => {
    const { served, user } = openRows([staged()]);
    await user.click(await cell('First name'));
    await user.keyboard('{Enter}');
    await user.click(await cell('First name'));
    await user.keyboard('Kim ');
    await user.tab();
    await cell('First name');
    expect(served.asked.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('a cancelled cell starts again without the earlier error', async () => {
    const { served, user } = openRows([staged()]);
    served.replies[`PUT ${path}/rows/80`] = { status: 422, body: { message: 'Too long.', errors: {} } };
    await user.click(await cell('First name'));
    await user.keyboard('Kimberley{Enter}');
    await screen.findByRole('alert');
    await user.keyboard('{Escape}');
    await user.click(await cell('First name'));
    expect(screen.queryByRole('alert')).toBeNull();
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'First name, row 80' });
    expect([input.value, input.getAttribute('aria-invalid')]).toEqual(['Kim', 'false']);
  });

  test('up and down stay in the column, left and right in the row, and the edges stop the move', async () => {
    const other = staged({ row: 81, cells: { ...cells, first_name: 'Bo' } });
    const { user } = openRows([staged(), other], '/imports/41?rows=all');
    (await cell('First name')).focus();
    const there = () => document.activeElement?.textContent;
    await user.keyboard('{ArrowDown}');
    expect(there()).toBe('First name, row 81: Bo');
    await user.keyboard('{ArrowDown}');
    expect(there()).toBe('First name, row 81: Bo');
    await user.keyboard('{ArrowUp}{ArrowLeft}');
    expect(there()).toBe('Employee number, row 80: 178');
    await user.keyboard('{ArrowLeft}');
    expect(there()).toBe('Employee number, row 80: 178');
  });

  test('errors without a cell, warnings and the changes of an update are beside the row', async () => {
    openRows([
      staged({
        errors: { row: ['The person appears twice.'] },
        warnings: { email: ['Looks like a private address.'] },
        changes: {
          first_name: { from: 'Kimberley', to: 'Kim' },
          grade: { from: null, to: 'T2' },
          role: { from: 'Employee', to: 'TeamLead|Zone head' },
          employment_type: { from: 'part_time', to: 'full_time' },
          gender: { from: null, to: 'female' },
          joining_date: { from: '2024-02-01', to: '2024-03-01' },
        },
      }),
    ]);
    await screen.findByText('The person appears twice.');
    expect(screen.getByText('Looks like a private address.').textContent).toBe(
      'Warning: Looks like a private address.',
    );
    expect((await screen.findByText(/^First name:/)).textContent).toBe('First name: Kimberley → Kim');
    expect(screen.getByText(/^Grade:/).textContent).toBe('Grade: – → T2');
    expect(screen.getByText(/^Role:/).textContent).toBe('Role: Employee → Team lead and Zone head');
    expect(screen.getByText(/^Employment type:/).textContent).toBe('Employment type: Part time → Full time');
    expect(screen.getByText(/^Gender:/).textContent).toBe('Gender: – → Female');
    expect(screen.getByText(/^Start date:/).textContent).toBe('Start date: 1 Feb 2024 → 1 Mar 2024');
  });

  test('rows can be searched, and filtered by errors', async () => {
    const { asked, user, where } = openRows([staged()]);
    await cell('First name');
    fill(screen.getByRole('searchbox'), 'kim');
    await waitFor(() => expect(asked(`GET ${path}/rows`)).toMatchObject({ search: 'kim', status: 'failed' }));
    await user.click(screen.getByRole('switch', { name: 'Errors only' }));
    await waitFor(() => expect(where()).toBe('/imports/41?search=kim&rows=all'));
    await waitFor(() => expect(asked(`GET ${path}/rows`)['status']).toBeUndefined());
  });

  test('a phone shows the wrong cells of a row first, and the others on request', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width'),
      media: query,
      addEventListener() {},
      removeEventListener() {},
    }));
    openRows([staged()]);
    expect(await screen.findByText('Kim Grant')).toBeDefined();
    const others = screen.getByText('3 more cells').closest('details') as HTMLElement;
    expect(within(others).getAllByRole('term', { hidden: true })).toHaveLength(3);
    const wrong = await cell('Work email');
    expect(others.contains(wrong)).toBe(false);
  });
});
