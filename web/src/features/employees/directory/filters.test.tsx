import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { dialogOf, fill, pick } from '../../../testing/acts.ts';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const hr = ['employees.view', 'employees.update', 'employees.deactivate', 'employees.assign_roles', 'entities.view'];
const other = { ...complete, id: 58, display_name: 'Jon Reed' };

const view = {
  id: 3,
  name: 'Managers',
  resource: 'employees',
  query: { department_id: '4', sort_by: 'email' },
  left_out: [] as string[],
  columns: ['joined'],
  density: null,
  is_shared: false,
  is_default: false,
  is_own: true,
  owner: { user_id: 7, name: 'Hana Ito' },
  revision: 6,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  allowed_actions: ['update', 'delete'],
};

function service(permissions: readonly string[] = hr, views: readonly unknown[] = []) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/employees': listOf([complete, other]),
    'GET /api/employees/57': itemOf(complete),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/departments': listOf([{ id: 6, name: 'Sales' }]),
    'GET /api/roles': listOf([{ id: 5, name: 'Manager' }]),
    'GET /api/saved-views': listOf(views),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
  });
}

const refused = (errors: Record<string, string[]>) => ({ status: 422, body: { message: 'Wrong.', errors } });

async function openMore(address = '/employees') {
  const opened = start(address);
  await opened.user.click(await screen.findByRole('button', { name: /^More filters/ }));
  await screen.findByRole('combobox', { name: 'Missing' });
  return opened;
}

/** A chip; its accessible name has spaces around nested elements. */
const chip = (text: string) =>
  screen.findByRole('button', { name: new RegExp(`^${text.replace(': ', ':\\s*')}\\s*\\(remove filter\\)$`) });

describe('more filters', () => {
  test.each([
    {
      label: 'Account status',
      option: 'Inactive',
      found: 'activity_status=inactive',
      chip: 'Account status: Inactive',
    },
    {
      label: 'Employment status',
      option: 'Confirmed',
      found: 'employment_lifecycle=confirmed',
      chip: 'Employment status: Confirmed',
    },
    {
      label: 'Employment type',
      option: 'Part time',
      found: 'employment_type=part_time',
      chip: 'Employment type: Part time',
    },
    {
      label: 'Missing',
      option: 'Probation review',
      found: 'missing=probation_review',
      chip: 'Missing: Probation review',
    },
    { label: 'Sign-in', option: 'Invited', found: 'sign_in=invited', chip: 'Sign-in: Invited' },
  ])('$label: $option is in the address, returns to the first page, and can be cleared', async (what) => {
    const served = service();
    const { user, where } = await openMore('/employees?page=3');
    await pick(user, screen.getByRole('combobox', { name: what.label }), what.option);
    await waitFor(() => expect(where()).toBe(`/employees?${what.found}`));
    const lists = () => served.to('GET /api/employees').filter(({ query }) => !query.has('per_page'));
    await waitFor(() => expect(lists().at(-1)?.query.toString()).toBe(what.found));
    if (what.label === 'Account status') return;
    expect(screen.getByRole('button', { name: 'More filters (1)' })).toBeDefined();
    await user.click(await chip(what.chip));
    await waitFor(() => expect(where()).toBe('/employees'));
  });

  test.each([
    ['Yes', 'left=1'],
    ['No', 'left=0'],
  ])('Employment ended: %s is a filter, and any is none', async (option, found) => {
    service();
    const { user, where } = await openMore('/employees?page=3');
    await user.selectOptions(screen.getByLabelText('Employment ended'), option);
    await waitFor(() => expect(where()).toBe(`/employees?${found}`));
    await user.selectOptions(screen.getByLabelText('Employment ended'), 'Any');
    await waitFor(() => expect(where()).toBe('/employees'));
  });

  test('a filter takes several values; each has a chip that removes it, and all go together', async () => {
    const served = service();
    served.replies['GET /api/entities'] = listOf([
      { id: 1, name: 'Acme Foods Ltd' },
      { id: 2, name: 'Borealis GmbH' },
    ]);
    served.replies['GET /api/entities/1'] = itemOf({ id: 1, name: 'Acme Foods Ltd' });
    served.replies['GET /api/entities/2'] = itemOf({ id: 2, name: 'Borealis GmbH' });
    const { user, where } = await openMore('/employees?activity_status=active,inactive&search=a');
    const company = screen.getByRole('combobox', { name: 'Company' });
    await pick(user, company, 'Acme Foods Ltd');
    await waitFor(() => expect(where()).toContain('entity_id=1'));
    await pick(user, company, 'Borealis GmbH');
    await waitFor(() => expect(where()).toContain('entity_id=1%2C2'));
    await waitFor(() => expect(served.to('GET /api/employees').at(-1)?.query.get('entity_id')).toBe('1,2'));
    const chips = within(screen.getByRole('list', { name: 'Active filters' }));
    expect(await chip('Company: Borealis GmbH')).toBeDefined();
    for (const name of ['Account status: Active', 'Account status: Inactive']) expect(await chip(name)).toBeDefined();
    await user.click(await chip('Company: Acme Foods Ltd'));
    await waitFor(() => expect(where()).toMatch(/entity_id=2(&|$)/));
    await user.click(chips.getByRole('button', { name: 'Remove all filters' }));
    await waitFor(() => expect(where()).toBe('/employees?search=a'));
    expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
  });

  test.each([
    ['Start date from', 'joined_from'],
    ['Start date to', 'joined_to'],
    ['Probation ends from', 'probation_ends_from'],
    ['Probation ends by', 'probation_ends_to'],
    ['Last working day from', 'left_from'],
    ['Last working day to', 'left_to'],
    ['Rehired from', 'rehired_from'],
    ['Rehired to', 'rehired_to'],
  ])('%s filters by %s', async (label, name) => {
    service();
    const { where } = await openMore();
    fill(screen.getByLabelText(label), '2026-02-01');
    await waitFor(() => expect(where()).toBe(`/employees?${name}=2026-02-01`));
    fill(screen.getByLabelText(label), '');
    await waitFor(() => expect(where()).toBe('/employees'));
  });

  test('a manager, a role and deleted people are filters, and one button clears all', async () => {
    service();
    const { user, where } = await openMore('/employees?search=a');
    await pick(user, screen.getByRole('combobox', { name: 'Manager' }), /Jon Reed/);
    await waitFor(() => expect(where()).toContain('reporting_manager_id=58'));
    await pick(user, screen.getByRole('combobox', { name: 'Role' }), 'Manager');
    await waitFor(() => expect(where()).toContain('role_id=5'));
    await user.click(screen.getByRole('switch', { name: 'Deleted employees only' }));
    await waitFor(() => expect(where()).toContain('deleted=true'));
    expect(screen.getByRole('button', { name: 'More filters (3)' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Clear these filters' }));
    await waitFor(() => expect(where()).toBe('/employees?search=a'));
    expect(screen.queryByRole('button', { name: 'Clear these filters' })).toBeNull();
  });

  test('roles and deleted people are not offered without the permission', async () => {
    service(['employees.view']);
    await openMore();
    expect(screen.getByRole('combobox', { name: 'Manager' })).toBeDefined();
    expect(screen.queryByRole('combobox', { name: 'Role' })).toBeNull();
    expect(screen.queryByRole('switch', { name: 'Deleted employees only' })).toBeNull();
  });

  test('a phone has all filters in a sheet', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width'),
      media: query,
      addEventListener() {},
      removeEventListener() {},
    }));
    service();
    const { user, where } = start('/employees?left=1');
    await user.click(await screen.findByRole('button', { name: 'Filters (1)' }));
    const sheet = await dialogOf('Filters');
    await pick(user, sheet.getByRole('combobox', { name: 'Company' }), 'Acme Foods Ltd');
    await waitFor(() => expect(where()).toContain('entity_id=1'));
    await pick(user, await sheet.findByRole('combobox', { name: 'Missing' }), 'Probation end date');
    await waitFor(() => expect(where()).toContain('missing=probation_end'));
    await user.click(sheet.getByRole('button', { name: 'Show results' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Filters (2)' })).toBeDefined();
  });

  test.each([
    { pill: 'Active', found: '/employees?activity_status=active' },
    { pill: 'Probation', found: '/employees?activity_status=active&employment_lifecycle=probationary' },
    { pill: 'Joining (2)', found: '/employees?activity_status=joining' },
    { pill: 'All', found: '/employees' },
  ])('the status $pill replaces the previous one', async ({ pill, found }) => {
    service();
    const { user, where } = start('/employees?activity_status=inactive');
    await screen.findByRole('link', { name: 'Lena Park' });
    await user.click(await screen.findByRole('button', { name: pill }));
    await waitFor(() => expect(where()).toBe(found));
    expect(screen.getByRole('button', { name: pill }).getAttribute('aria-pressed')).toBe('true');
  });
});

describe('saved views', () => {
  const shared = { ...view, id: 9, name: 'Interns', is_own: false, is_shared: true, owner: { user_id: 3, name: 'Bo' } };

  async function openMenu(address: string, views: readonly unknown[] = [view, shared]) {
    const served = service(hr, views);
    const opened = start(address);
    await opened.user.click(await screen.findByRole('button', { name: /^View:\s*(Managers|Interns)/ }));
    await screen.findByRole('menuitem', { name: 'Save as new view…' });
    return { served, ...opened };
  }

  test('a shared view names its owner, and an account without a person by its kind', async () => {
    const ofAdmin = { ...shared, id: 10, name: 'Trainees', owner: { user_id: 1, name: null } };
    await openMenu('/employees?view=3', [view, shared, ofAdmin]);
    expect(screen.getByRole('menuitem', { name: /^Interns\s*· Bo$/ })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: /^Trainees\s*· administrator$/ })).toBeTruthy();
  });

  test("a change is stored in the user's own view, with its revision", async () => {
    const { served, user } = await openMenu('/employees?view=3&department_id=4&sort_by=email&left=0&page=2');
    served.replies['PUT /api/saved-views/3'] = itemOf(view);
    await user.click(screen.getByRole('menuitem', { name: 'Save changes to “Managers”' }));
    await waitFor(() => expect(served.to('PUT /api/saved-views/3')).toHaveLength(1));
    expect(served.to('PUT /api/saved-views/3')[0]?.body).toEqual({
      query: { department_id: '4', sort_by: 'email', left: '0' },
      columns: ['joined'],
      density: 'comfortable',
      revision: 6,
    });
  });

  test("another user's view can be opened, but neither changed nor deleted", async () => {
    const { user, where } = await openMenu('/employees?view=9&department_id=4&sort_by=email');
    expect(screen.getByRole('menuitem', { name: /Interns/ }).getAttribute('aria-current')).toBe('true');
    expect(screen.getByRole('menuitem', { name: /Interns/ }).textContent).toContain('Bo');
    for (const name of [/^Save changes/, /^Rename/, /^Delete/])
      expect(screen.queryByRole('menuitem', { name })).toBeNull();
    await user.click(screen.getByRole('menuitem', { name: 'All employees' }));
    await waitFor(() => expect(where()).toBe('/employees?view=0'));
  });

  test('a view is renamed, shared and made the default; a taken name is shown at its field', async () => {
    const { served, user } = await openMenu('/employees?view=3&department_id=4&sort_by=email');
    served.replies['PUT /api/saved-views/3'] = refused({ name: ['The name is taken.'] });
    await user.click(screen.getByRole('menuitem', { name: 'Rename or share “Managers”…' }));
    const dialog = await dialogOf('Edit view');
    fill(dialog.getByLabelText(/^Name/), 'Heads');
    await user.click(dialog.getByRole('switch', { name: /^Share with everyone/ }));
    await user.click(dialog.getByRole('switch', { name: 'Make this my default view' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await dialog.findByText('The name is taken.');
    expect(dialog.queryByRole('alert')).toBeNull();
    served.replies['PUT /api/saved-views/3'] = itemOf({ ...view, name: 'Heads' });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(served.to('PUT /api/saved-views/3').at(-1)?.body).toEqual({
      name: 'Heads',
      is_shared: true,
      is_default: true,
      revision: 6,
    });
  });

  test('a view that cannot be deleted stays open, with the error', async () => {
    const { served, user, where } = await openMenu('/employees?view=3&department_id=4&sort_by=email');
    served.replies['DELETE /api/saved-views/3'] = { status: 503, body: { message: 'Away.' } };
    await user.click(screen.getByRole('menuitem', { name: 'Delete “Managers”' }));
    await screen.findByRole('alert');
    expect(where()).toContain('view=3');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('shows the error when a deleted view cannot be restored', async () => {
    const { served, user } = await openMenu('/employees?view=3&department_id=4&sort_by=email');
    served.replies['DELETE /api/saved-views/3'] = { status: 204 };
    served.replies['POST /api/saved-views'] = { status: 503, body: { message: 'Away.' } };
    await user.click(screen.getByRole('menuitem', { name: 'Delete “Managers”' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Couldn’t undo this.')).toBeDefined();
  });

  test('reports the filters of a view that the user may not use', async () => {
    service(hr, [{ ...view, left_out: ['role_id'] }]);
    start('/employees?view=3&department_id=4&sort_by=email');
    expect(await screen.findByText(/you don’t have access to them/)).toBeDefined();
  });
});

describe('bulk changes', () => {
  const bulk = 'POST /api/employees/bulk';
  const rowOf = (outcome: string, fields = {}) => ({
    id: 57,
    label: 'Lena Park',
    employee_number: null,
    revision: 4,
    outcome,
    before: { activity_status: 'active' },
    after: outcome === 'changed' ? { activity_status: 'inactive' } : null,
    errors: {},
    warnings: [],
    ...fields,
  });
  const outcome = (rows: readonly ReturnType<typeof rowOf>[]) => {
    const count = (name: string) => rows.filter((row) => row.outcome === name).length;
    const counts = {
      total: rows.length,
      changed: count('changed'),
      unchanged: count('unchanged'),
      refused: count('refused'),
    };
    return itemOf({ kind: 'deactivate', dry_run: true, batch_id: 'b', planned_ids: [], counts, rows });
  };

  async function choose(action: string) {
    const served = service();
    const opened = start('/employees');
    await opened.user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
    await opened.user.click(screen.getByRole('button', { name: action }));
    return { served, ...opened, dialog: within(await screen.findByRole('dialog')) };
  }

  test('suspending sends the reason and the successor; a warning is shown with the person', async () => {
    const { served, user, dialog } = await choose('Suspend');
    served.replies[bulk] = outcome([rowOf('changed', { warnings: ['Has an open evaluation.'] })]);
    await pick(user, dialog.getByRole('combobox', { name: 'Who takes over their responsibilities?' }), /Jon Reed/);
    fill(dialog.getByLabelText(/^Reason/), 'The plant closes.');
    await user.click(dialog.getByRole('button', { name: 'Preview changes' }));
    expect((await dialog.findByRole('row', { name: /Lena Park/ })).textContent).toContain('Has an open evaluation.');
    await user.click(dialog.getByRole('button', { name: 'Suspend 1 person' }));
    await dialog.findByText('1 suspended');
    const body = { reason: 'The plant closes.', reassign_to: 58 };
    expect(served.to(bulk).map(({ body }) => body)).toEqual([
      { kind: 'deactivate', dry_run: true, ids: [57], ...body },
      { kind: 'deactivate', ids: [57], revisions: [{ id: 57, revision: 4 }], ...body },
    ]);
  });

  test('a refused reason is shown at its field, and no preview is requested', async () => {
    const { served, user, dialog } = await choose('End suspension');
    served.replies[bulk] = refused({ reason: ['The reason is too short.'] });
    fill(dialog.getByLabelText(/^Reason/), 'x');
    expect(dialog.queryByRole('combobox')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Preview changes' }));
    await dialog.findByText('The reason is too short.');
    expect(dialog.queryByRole('table')).toBeNull();
    expect(served.to(bulk)[0]?.body).toEqual({ kind: 'reactivate', dry_run: true, ids: [57], reason: 'x' });
  });

  test('a change without an effect cannot be made; going back keeps the input', async () => {
    const { served, user, dialog } = await choose('Suspend');
    served.replies[bulk] = outcome([rowOf('refused', { errors: { id: ['Manages a department.'] } })]);
    fill(dialog.getByLabelText(/^Reason/), 'The plant closes.');
    await user.click(dialog.getByRole('button', { name: 'Preview changes' }));
    await dialog.findByText('Manages a department.');
    expect(dialog.getByRole('button', { name: 'Suspend 0 people' })).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('button', { name: 'Back' }));
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('The plant closes.');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('1 selected')).toBeDefined();
  });

  test('a change that fails after the preview shows the error, changes no rows and can be retried', async () => {
    const { served, user, dialog } = await choose('Suspend');
    served.replies[bulk] = outcome([rowOf('changed')]);
    fill(dialog.getByLabelText(/^Reason/), 'The plant closes.');
    await user.click(dialog.getByRole('button', { name: 'Preview changes' }));
    const run = await dialog.findByRole('button', { name: 'Suspend 1 person' });
    served.replies[bulk] = { status: 503, body: { message: 'Away.' } };
    await user.click(run);
    await dialog.findByRole('alert');
    served.replies[bulk] = outcome([rowOf('changed')]);
    await user.click(run);
    await dialog.findByText('1 suspended');
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected employees' })).toBeNull());
  });

  test('the selection can be cleared, and a user with read access has none', async () => {
    service();
    const { user } = start('/employees');
    await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
    await user.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(screen.queryByRole('region', { name: 'Selected employees' })).toBeNull();
    expect(screen.getByRole('checkbox', { name: 'Select Lena Park' })).toHaveProperty('checked', false);
  });
});

test('a filter whose record is gone or out of reach says so', async () => {
  serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/employees': listOf([]),
    'GET /api/departments/27': { status: 404, body: { message: 'Not found.' } },
    'GET /api/entities': listOf([]),
    'GET /api/departments': listOf([]),
    'GET /api/roles': listOf([]),
    'GET /api/saved-views': listOf([]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
  });
  start('/employees?department_id=27');
  expect(await chip('Department: \\(not found\\)')).toBeDefined();
});
