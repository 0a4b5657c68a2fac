import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { card, complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const hr = ['employees.view', 'employees.update', 'employees.export', 'entities.view', 'departments.view'];
const other = { ...complete, id: 58, display_name: 'Jon Reed' };

const view = {
  id: 3,
  name: 'New in Purchasing',
  resource: 'employees',
  query: { department_id: '4' },
  left_out: [],
  columns: ['joined'],
  density: null,
  is_shared: false,
  is_default: false,
  is_own: true,
  owner: { user_id: 7, name: 'Hana Ito' },
  revision: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  allowed_actions: ['update', 'delete'],
};

function service(rows: readonly unknown[] = [complete, other], permissions = hr) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/employees': ({ url }) => pageOf(rows, Number(url.searchParams.get('page') ?? 1)),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/departments': listOf([{ id: 6, name: 'Sales' }]),
    'GET /api/saved-views': listOf([view]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': itemOf(complete),
    'GET /api/employees/58': itemOf(other),
  });
}

/** One person per page, so that a selection spans several pages. */
function pageOf(rows: readonly unknown[], page: number) {
  const meta = { current_page: page, from: page, to: page, last_page: rows.length, per_page: 1, total: rows.length };
  return { body: { data: rows.slice(page - 1, page), links: {}, meta } };
}

const row = (id: number, label: string, outcome: string, errors = {}) => ({
  id,
  label,
  employee_number: null,
  revision: id,
  outcome,
  before: { department: { id: 4, name: 'Purchasing' } },
  after: outcome === 'changed' ? { department: { id: 6, name: 'Sales' } } : null,
  errors,
  warnings: [],
});

test('people selected on several pages are moved together after a preview', async () => {
  const served = service();
  served.replies['POST /api/employees/bulk'] = ({ body }) => {
    const dry = (body as { dry_run?: boolean }).dry_run === true;
    const refused = row(58, 'Jon Reed', 'refused', { department_id: ['Has left.'] });
    const rows = [row(57, 'Lena Park', 'changed'), ...(dry ? [refused] : [])];
    const counts = { total: rows.length, changed: 1, unchanged: 0, refused: rows.length - 1 };
    return itemOf({ kind: 'move', dry_run: dry, batch_id: 'b', planned_ids: [], counts, rows });
  };
  const { user } = start('/employees');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Select Jon Reed' }));
  const bar = screen.getByRole('region', { name: 'Selected employees' });
  expect(within(bar).getByText('2 selected')).toBeDefined();
  await user.click(within(bar).getByRole('button', { name: 'Move' }));
  const dialog = await screen.findByRole('dialog', { name: 'Move 2 people' });
  await user.click(within(dialog).getByRole('combobox', { name: 'Department' }));
  // The filter of the list offers the same departments.
  await user.click((await screen.findAllByRole('option', { name: 'Sales', hidden: true })).at(-1) as HTMLElement);
  await user.click(within(dialog).getByRole('button', { name: 'Preview changes' }));
  await within(dialog).findByText('1 will change · 0 unchanged · 1 can’t be changed');
  const [, first, second] = within(dialog).getAllByRole('row');
  expect(first?.textContent).toMatch(/Jon Reed.*Can’t be changed.*Has left\./);
  expect(second?.textContent).toMatch(/Lena Park.*Purchasing.*Sales.*Will change/);
  await user.click(within(dialog).getByRole('button', { name: 'Move 1 person' }));
  await within(dialog).findByText('1 moved');
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  expect(served.to('POST /api/employees/bulk').map(({ body }) => body)).toEqual([
    { kind: 'move', dry_run: true, ids: [57, 58], department_id: 6 },
    { kind: 'move', ids: [57], revisions: [{ id: 57, revision: 57 }], department_id: 6 },
  ]);
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected employees' })).toBeNull());
});

test('a move with a new manager from a day on is scheduled, and undone by cancelling the planned changes', async () => {
  const served = service();
  served.replies['POST /api/employees/bulk'] = ({ body }) => {
    const dry = (body as { dry_run?: boolean }).dry_run === true;
    const counts = { total: 1, changed: 1, unchanged: 0, refused: 0 };
    const rows = [row(57, 'Lena Park', 'changed')];
    return itemOf({ kind: 'move', dry_run: dry, batch_id: 'b', planned_ids: dry ? [] : [91], counts, rows });
  };
  served.replies['POST /api/job-changes/cancel'] = itemOf({ counts: { cancelled: 1, refused: 0 }, rows: [] });
  const { user } = start('/employees');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
  await user.click(screen.getByRole('button', { name: 'Move' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Move 1 person' }));
  await user.click(dialog.getByRole('combobox', { name: 'Department' }));
  await user.click((await screen.findAllByRole('option', { name: 'Sales', hidden: true })).at(-1) as HTMLElement);
  fireEvent.change(dialog.getByLabelText(/^Effective date/), { target: { value: '2026-12-12' } });
  await user.click(dialog.getByRole('checkbox', { name: 'Change their manager too' }));
  await user.click(dialog.getByRole('checkbox', { name: 'No manager' }));
  await user.click(dialog.getByRole('button', { name: 'Preview changes' }));
  await user.click(await dialog.findByRole('button', { name: 'Move 1 person' }));
  expect(await dialog.findByText('1 move scheduled for 12 Dec 2026')).toBeDefined();
  expect(served.to('POST /api/employees/bulk').at(-1)?.body).toEqual({
    kind: 'move',
    ids: [57],
    revisions: [{ id: 57, revision: 57 }],
    department_id: 6,
    effective_from: '2026-12-12',
    reporting_manager_id: null,
  });
  await user.click(dialog.getByRole('button', { name: 'Undo' }));
  expect(await dialog.findByText('1 undone')).toBeDefined();
  expect(served.to('POST /api/job-changes/cancel').map(({ body }) => body)).toEqual([{ ids: [91] }]);
  expect(dialog.queryByRole('button', { name: 'Undo' })).toBeNull();
});

/** Moves a person to Sales, from a day if one is given, and undoes it; returns the last request. */
async function undoneMove(from?: string) {
  const served = service();
  served.replies['POST /api/employees/bulk'] = itemOf({
    kind: 'move',
    dry_run: false,
    batch_id: 'b',
    planned_ids: [],
    counts: { total: 1, changed: 1, unchanged: 0, refused: 0 },
    rows: [row(57, 'Lena Park', 'changed')],
  });
  const { user } = start('/employees');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
  await user.click(screen.getByRole('button', { name: 'Move' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Move 1 person' }));
  await user.click(dialog.getByRole('combobox', { name: 'Department' }));
  await user.click((await screen.findAllByRole('option', { name: 'Sales', hidden: true })).at(-1) as HTMLElement);
  if (from) fireEvent.change(dialog.getByLabelText(/^Effective date/), { target: { value: from } });
  await user.click(dialog.getByRole('button', { name: 'Preview changes' }));
  await user.click(await dialog.findByRole('button', { name: 'Move 1 person' }));
  await user.click(await dialog.findByRole('button', { name: 'Undo' }));
  await dialog.findByText('1 undone');
  return served.to('POST /api/employees/bulk').at(-1)?.body;
}

test('a move of today is undone with the department of before', async () => {
  const body = await undoneMove();
  expect(body).toMatchObject({
    kind: 'move',
    ids: [57],
    revisions: [{ id: 57, revision: 57 }],
    department_id: 4,
    reason: 'Undone right after the bulk change.',
  });
  expect(body).not.toHaveProperty('effective_from');
});

test('a move from a past day is undone from that day', async () => {
  expect(await undoneMove('2026-01-05')).toMatchObject({ ids: [57], department_id: 4, effective_from: '2026-01-05' });
});

test('a person with a planned change is marked', async () => {
  const served = service();
  served.replies['GET /api/job-changes'] = listOf([{ id: 9, employee_id: 57, effective_from: '2026-12-12' }]);
  start('/employees');
  const line = await screen.findByRole('row', { name: /Lena Park/ });
  expect(await within(line).findByText('Change planned for 12 Dec 2026')).toBeDefined();
});

test('all people of a filter can be selected, and one of them excluded', async () => {
  const served = service();
  served.replies['POST /api/employees/bulk'] = itemOf({
    kind: 'manager',
    dry_run: true,
    batch_id: 'b',
    planned_ids: [],
    counts: { total: 0, changed: 0, unchanged: 0, refused: 0 },
    rows: [],
  });
  const { user } = start('/employees?department_id=4&sort_by=email');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
  await user.click(screen.getByRole('button', { name: 'Select all 2' }));
  await screen.findByText('2 selected');
  await user.click(screen.getByRole('checkbox', { name: 'Select Lena Park' }));
  await user.click(screen.getByRole('button', { name: 'Change manager' }));
  await user.click(await screen.findByRole('checkbox', { name: 'No manager' }));
  await user.click(screen.getByRole('button', { name: 'Preview changes' }));
  await waitFor(() => expect(served.to('POST /api/employees/bulk')).toHaveLength(1));
  expect(served.to('POST /api/employees/bulk')[0]?.body).toEqual({
    kind: 'manager',
    dry_run: true,
    filter: { department_id: 4 },
    except_ids: [57],
    reporting_manager_id: null,
  });
});

test('all people of a filter are selected only while the list has this filter', async () => {
  service();
  const { user, router } = start('/employees?department_id=4');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
  await user.click(screen.getByRole('button', { name: 'Select all 2' }));
  await screen.findByText('2 selected');
  await router.navigate({ to: '/employees', search: { department_id: 5 } });
  await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select Lena Park' });
  expect(box.checked).toBe(false);
});

test('exports only the selected people', async () => {
  service();
  const { user } = start('/employees');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
  await user.click(screen.getByRole('button', { name: 'Export selected' }));
  const link = await screen.findByRole('menuitem', { name: 'Export as CSV' });
  expect(link.getAttribute('href')).toBe('/api/employees/export?id=57&format=csv');
});

test('an export with private details is not offered without the permission', async () => {
  service();
  const { user } = start('/employees');
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await screen.findByRole('menuitem', { name: 'Export as CSV' });
  expect(screen.queryByRole('menuitem', { name: 'With private details…' })).toBeNull();
});

test('an export holds private details, and bank accounts, only where they are asked for', async () => {
  service(undefined, [...hr, 'employees.view_sensitive']);
  const { user } = start('/employees?activity_status=inactive');
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'With private details…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Export private details' });
  const address = (name: string) => within(dialog).getByRole('link', { name }).getAttribute('href');
  expect(address('Export as CSV')).toContain('activity_status=inactive&');
  expect(address('Export as CSV')).toContain('reveal=private&format=csv');
  await user.click(within(dialog).getByRole('checkbox', { name: 'With bank accounts' }));
  expect(address('Export as Excel')).toContain('reveal=bank&format=xlsx');
});

test('a saved view applies its filters and columns, and shows when they were changed', async () => {
  const served = service();
  const { user, where } = start('/employees');
  await user.click(await screen.findByRole('button', { name: /^View:\s*All employees/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'New in Purchasing' }));
  await waitFor(() => expect(where()).toBe('/employees?department_id=4&view=3'));
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: /Number/ })).toBeNull());
  expect(screen.getByRole('columnheader', { name: /Start date/ })).toBeDefined();
  expect(served.to('GET /api/employees').at(-1)?.query.has('view')).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Inactive' }));
  expect(await screen.findByRole('button', { name: /^View:\s*New in Purchasing \(changed\)/ })).toBeDefined();
});

test('the present list is saved as a view shared with all users', async () => {
  const served = service();
  served.replies['POST /api/saved-views'] = { status: 201, body: { data: { ...view, id: 4 }, message: '' } };
  const { user, where } = start('/employees?activity_status=inactive&page=2');
  await user.click(await screen.findByRole('button', { name: /^View/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save as new view…' }));
  await user.type(await within(await screen.findByRole('dialog')).findByLabelText(/^Name/), 'Gone');
  await user.click(screen.getByRole('switch', { name: /Share with everyone/ }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(where()).toContain('view=4'));
  expect(served.to('POST /api/saved-views')[0]?.body).toMatchObject({
    name: 'Gone',
    resource: 'employees',
    is_shared: true,
    query: { activity_status: 'inactive' },
  });
});

test('undo restores a deleted view', async () => {
  const served = service();
  served.replies['DELETE /api/saved-views/3'] = { status: 204 };
  served.replies['POST /api/saved-views'] = { status: 201, body: { data: view, message: '' } };
  const { user } = start('/employees?department_id=4&view=3');
  await user.click(await screen.findByRole('button', { name: /^View:\s*New in Purchasing/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete “New in Purchasing”' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to('POST /api/saved-views')).toHaveLength(1));
  expect(served.to('POST /api/saved-views')[0]?.body).toMatchObject({ name: view.name, query: view.query });
});

test("the directory opens with the user's default view", async () => {
  const served = service();
  served.replies['GET /api/saved-views'] = listOf([{ ...view, is_default: true }]);
  const { where } = start('/employees');
  await waitFor(() => expect(where()).toBe('/employees?department_id=4&view=3'));
});

test('columns with hidden fields are not offered, and rows are not selectable without a permission', async () => {
  service([card], ['employees.view']);
  const { user } = start('/employees');
  await user.click(await screen.findByRole('button', { name: 'Columns and density' }));
  await screen.findByRole('menuitemcheckbox', { name: 'Number' });
  for (const name of ['Start date', 'Grade', 'Phone', 'Probation end date', 'Employment type'])
    expect(screen.queryByRole('menuitemcheckbox', { name })).toBeNull();
  expect(screen.queryByRole('columnheader', { name: /Start date/ })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a record links to the next person of the list, across its pages', async () => {
  service();
  const { user, where } = start('/employees?search=a');
  await user.click(await screen.findByRole('link', { name: 'Lena Park' }));
  await user.click(await screen.findByRole('link', { name: 'Next person: Jon Reed' }));
  await screen.findByRole('heading', { level: 1, name: 'Jon Reed' });
  await screen.findByText('2 of 2');
  await user.click(screen.getByRole('link', { name: 'All employees' }));
  await waitFor(() => expect(where()).toBe('/employees?search=a&page=2'));
});
