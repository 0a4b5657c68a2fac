import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dialogOf, fill, pick } from '../../../testing/acts.ts';
import { complete, onRequest } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';
import { duplicatesQuery } from '../form/use-duplicates.ts';

const path = '/api/employees/57';
const hr = ['employees.view', 'employees.update', 'employees.view_sensitive', 'employees.reset_password'];
const lena = { ...complete, allowed_actions: ['update', 'job-history', 'reset-password'] };

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined }));
});

function open(address: string, replies: Parameters<typeof serve>[0] = {}, permissions = hr) {
  const served = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(lena),
    [`GET ${path}/job-history`]: listOf([]),
    'GET /api/employees': listOf([]),
    'GET /api/employees/duplicates': itemOf({ employee_number: null, email: false, similar: [] }),
    'GET /api/entities': listOf([
      { id: 1, name: 'Acme Foods Ltd' },
      { id: 2, name: 'Borealis GmbH' },
    ]),
    'GET /api/departments': listOf([{ id: 4, name: 'Purchasing' }]),
    ...replies,
  });
  const bodies = (call: string) => served.to(call).map(({ body }) => body);
  return { served, bodies, ...start(address) };
}

const refused = (errors: Record<string, string[]>) => ({ status: 422, body: { message: 'No.', errors } });
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('the picture of a person', () => {
  const image = new File(['png'], 'lena.png', { type: 'image/png' });
  const title = 'Picture of Lena Park';
  const choose = async (file: File) => {
    const dialog = await dialogOf(title);
    const field = document.querySelector('input[type=file]') as HTMLInputElement;
    fireEvent.change(field, { target: { files: [file] } });
    return dialog;
  };

  test('a picture is previewed before it is sent; one that would be refused is not sent', async () => {
    const { bodies, user } = open('/employees/57?do=picture', { [`POST ${path}/profile-picture`]: itemOf(lena) });
    const dialog = await choose(new File(['x'], 'lena.gif', { type: 'image/gif' }));
    await dialog.findByText(/^This file type isn’t supported/);
    expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    expect(dialog.queryByRole('img', { name: 'Preview' })).toBeNull();
    await choose(image);
    expect(await dialog.findByRole('img', { name: 'Preview' })).toBeDefined();
    expect(dialog.queryByRole('button', { name: 'Remove' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await isGone();
    expect(bodies(`POST ${path}/profile-picture`)).toEqual([
      { file: expect.objectContaining({ name: 'lena.png' }) as File },
    ]);
  });

  test('a refusal keeps the chosen picture and shows the reason', async () => {
    const { user } = open('/employees/57?do=picture', {
      [`POST ${path}/profile-picture`]: refused({ file: ['The picture is too small.'] }),
    });
    const dialog = await choose(image);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('The picture is too small.');
    expect(dialog.getByRole('img', { name: 'Preview' })).toBeDefined();
  });

  const pictured = { ...lena, profile_picture_url: '/api/pictures/57' };
  const openPictured = (replies: Parameters<typeof serve>[0]) =>
    open('/employees/57?do=picture', {
      [`GET ${path}`]: itemOf(pictured),
      'GET /api/pictures/57': { body: 'bytes', headers: { 'Content-Type': 'image/webp' } },
      [`DELETE ${path}/profile-picture`]: { status: 204 },
      ...replies,
    });

  test('undo restores a removed picture from the copy read before', async () => {
    const { bodies, user } = openPictured({ [`POST ${path}/profile-picture`]: itemOf(pictured) });
    await user.click((await dialogOf(title)).getByRole('button', { name: 'Remove' }));
    await screen.findByText('The picture was removed.');
    await isGone();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(bodies(`POST ${path}/profile-picture`)).toHaveLength(1));
    const [sent] = bodies(`POST ${path}/profile-picture`) as { file: File }[];
    expect([sent?.file.name, sent?.file.type]).toEqual(['picture.webp', 'image/webp']);
  });

  test('an undo that fails is said', async () => {
    const { user } = openPictured({ [`POST ${path}/profile-picture`]: { status: 503, body: { message: 'Away.' } } });
    await user.click((await dialogOf(title)).getByRole('button', { name: 'Remove' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Couldn’t restore the picture.')).toBeDefined();
  });

  test('without a copy of the earlier picture no undo is offered', async () => {
    const { user } = openPictured({ 'GET /api/pictures/57': { status: 404, body: {} } });
    await user.click((await dialogOf(title)).getByRole('button', { name: 'Remove' }));
    await screen.findByText('The picture was removed.');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('a refused removal leaves the dialog open', async () => {
    const { user } = openPictured({ [`DELETE ${path}/profile-picture`]: { status: 503, body: { message: 'Away.' } } });
    const dialog = await dialogOf(title);
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await dialog.findByRole('alert');
    expect(screen.queryByText('The picture was removed.')).toBeNull();
  });
});

describe('account numbers', () => {
  const reveal = async (full: (request: { url: URL }) => object) => {
    const opened = open('/employees/57', {
      [`GET ${path}`]: (request) =>
        request.url.searchParams.get('reveal') === 'bank' ? full(request) : onRequest(lena)(request),
    });
    await opened.user.click(await screen.findByRole('button', { name: 'Show private details' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Show full numbers' }));
    return opened;
  };

  test('are read for each view, shown in full and hidden again', async () => {
    const bank = { ...lena.bank, account_number: '00124711', iban: null };
    const { served, user } = await reveal(() => itemOf({ ...lena, bank, private_details: 'included' }));
    expect(await screen.findByText('00124711')).toBeDefined();
    expect(screen.queryByText('Viewing these numbers is logged.')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Hide' }));
    expect(screen.queryByText('00124711')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show full numbers' }));
    await screen.findByText('00124711');
    expect(served.to(`GET ${path}`).filter(({ query }) => query.get('reveal') === 'bank')).toHaveLength(2);
  });

  test('show an error if the user may not see them, and stay masked', async () => {
    await reveal(() => ({ status: 403, body: { message: 'This action is unauthorized.' } }));
    expect((await screen.findByRole('alert')).textContent).toContain('You don’t have access to this page');
    expect(screen.getByText('****4711')).toBeDefined();
  });
});

describe('the job history', () => {
  const job = {
    id: 31,
    employee_id: 57,
    effective_from: '2099-01-01',
    effective_to: null,
    status: 'scheduled',
    changed_fields: ['department_id', 'reporting_manager_id'],
    entity_id: 1,
    entity: { id: 1, name: 'Acme Foods Ltd' },
    department_id: 6,
    department: { id: 6, name: 'Sales' },
    reporting_manager_id: null,
    reporting_manager: null,
    job_title: 'Buyer',
    grade: null,
    employment_type: 'full_time',
    employment_lifecycle: 'probationary',
    reason: null,
    failure: null,
    created_by: { user_id: 7, name: 'Hana Ito' },
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    allowed_actions: ['delete'],
  };
  const openJob = (rows: readonly object[], replies: Parameters<typeof serve>[0] = {}) =>
    open('/employees/57?tab=job', { [`GET ${path}/job-history`]: listOf(rows), ...replies });
  const cancel = `DELETE ${path}/job-history/31`;

  test('undo plans a cancelled change again with all its fields, including an empty manager', async () => {
    const { bodies, user } = openJob([job], {
      [cancel]: { status: 204 },
      [`POST ${path}/job-history`]: { status: 503, body: { message: 'Away.' } },
    });
    await user.click(await screen.findByRole('button', { name: /^Cancel change/ }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('Couldn’t undo this.');
    expect(bodies(`POST ${path}/job-history`)).toEqual([
      { department_id: 6, reporting_manager_id: null, effective_from: '2099-01-01' },
    ]);
  });

  test('a change that the service made itself does not name a person', async () => {
    openJob([{ ...job, created_by: { user_id: null, name: 'System' } }]);
    expect(await screen.findByText('entered by Tenure (automatic)')).toBeDefined();
    expect(screen.queryByText(/System/)).toBeNull();
  });

  test('a change that can no longer be cancelled shows the reason', async () => {
    const { user } = openJob([job], { [cancel]: refused({ status: ['It has taken effect.'] }) });
    await user.click(await screen.findByRole('button', { name: /^Cancel change/ }));
    expect((await screen.findByRole('alert')).textContent).toBe('It has taken effect.');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('a failed change shows its failure, and is dismissed without an undo', async () => {
    const { user } = openJob([{ ...job, status: 'failed', failure: 'The department is inactive.' }], {
      [cancel]: { status: 204 },
    });
    await screen.findByText('The department is inactive.');
    await user.click(screen.getByRole('button', { name: /^Cancel change/ }));
    await screen.findByText('Planned change cancelled.');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  test('the current entry shows the whole job, whatever it changed', async () => {
    openJob([{ ...job, status: 'current', changed_fields: ['employment_lifecycle'], allowed_actions: [] }]);
    const current = within(await screen.findByRole('region', { name: 'Current and past' }));
    for (const label of ['Company', 'Department', 'Employment type', 'Employment status'])
      expect(current.getByText(label)).toBeDefined();
  });

  test('the first entry shows the whole job, later ones only their changes', async () => {
    openJob([job, { ...job, id: 30, status: 'current', changed_fields: [], allowed_actions: [] }]);
    const labels = (list: HTMLElement) =>
      within(list)
        .getAllByRole('term')
        .map(({ textContent }) => textContent);
    await screen.findByRole('button', { name: /^Cancel change/ });
    const [planned, first] = screen.getAllByRole('listitem').filter((one) => one.hasAttribute('data-status')) as [
      HTMLElement,
      HTMLElement,
    ];
    expect(labels(planned)).toEqual(['Department', 'Reports to']);
    expect(within(planned).getByText('none')).toBeDefined();
    expect(labels(first)).toEqual(['Company', 'Department', 'Job title', 'Employment type', 'Employment status']);
    expect(screen.queryAllByRole('button', { name: /^Cancel change/ })).toHaveLength(1);
  });
});

describe('the access of a new person', () => {
  const rights = ['employees.view', 'employees.create', 'employees.assign_roles', 'entities.view', 'departments.view'];
  const roles = listOf([
    { id: 5, name: 'Employee', scope: 'own' },
    { id: 3, name: 'Manager', scope: 'managed' },
  ]);
  const create = 'POST /api/employees';

  async function openAccess(permissions: string[], found: Parameters<typeof serve>[0][string] = roles) {
    const opened = open('/employees/new?step=job', { 'GET /api/roles': found, [create]: refused({}) }, permissions);
    await opened.user.click(await screen.findByText('Sign-in'));
    return opened;
  }

  test('the roles of all pages are offered; a failed request shows an error and a new try', async () => {
    const pages = [listOf([{ id: 5, name: 'Employee', scope: 'own' }]), listOf([{ id: 3, name: 'Zone head' }])];
    for (const { body } of pages) (body as { meta: { last_page: number } }).meta.last_page = 2;
    const { served, user } = await openAccess(rights, { status: 500, body: { message: 'Server Error' } });
    await screen.findByText('Something went wrong');
    expect(screen.queryByRole('button', { name: 'Add role' })).toBeNull();
    served.replies['GET /api/roles'] = ({ url }) => pages[Number(url.searchParams.get('page') ?? 1) - 1] ?? listOf([]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await user.click(await screen.findByRole('button', { name: 'Add role' }));
    const [role] = screen.getAllByRole('combobox', { name: 'Role' }) as [HTMLElement];
    const names = within(role).getAllByRole('option');
    expect(names.map(({ textContent }) => textContent)).toEqual(['Select a role', 'Employee', 'Zone head']);
  });

  test('a role can be limited to companies, chosen once, and removed again', async () => {
    const { user, bodies } = await openAccess(rights);
    const addRole = await screen.findByRole('button', { name: 'Add role' });
    await user.click(addRole);
    const [first] = screen.getAllByRole('combobox', { name: 'Role' }) as [HTMLElement];
    await screen.findByRole('option', { name: 'Manager' });
    await user.selectOptions(first, 'Manager');
    await pick(user, screen.getByRole('combobox', { name: 'In these companies' }), 'Borealis GmbH');
    await user.click(addRole);
    const second = screen.getAllByRole('combobox', { name: 'Role' })[1] as HTMLElement;
    expect(within(second).queryByRole('option', { name: 'Manager' })).toBeNull();
    await user.selectOptions(second, 'Employee');
    expect(screen.getAllByRole('combobox', { name: 'In these companies' })[1]).toHaveProperty('disabled', true);
    await user.click(addRole);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(bodies(create)).toHaveLength(1));
    expect(bodies(create)[0]).toMatchObject({
      assignments: [
        { role_id: 3, entity_ids: [2] },
        { role_id: 5, entity_ids: null },
      ],
    });
    expect(bodies(create)[0]).not.toHaveProperty('issue_password');
    await user.click(screen.getAllByRole('button', { name: 'Remove role' })[0] as HTMLElement);
    expect(screen.getAllByRole('combobox', { name: 'Role' })).toHaveLength(2);
  });

  test('a password is issued on request; without the permission no roles are offered', async () => {
    const { user, bodies } = await openAccess(['employees.view', 'employees.create', 'employees.reset_password']);
    await user.click(await screen.findByRole('switch', { name: /^Create one-time password/ }));
    expect(screen.queryByRole('button', { name: 'Add role' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(bodies(create)[0]).toMatchObject({ issue_password: true }));
    expect(bodies(create)[0]).not.toHaveProperty('assignments');
  });

  test('a refusal about roles opens their section', async () => {
    const { user } = open(
      '/employees/new?step=job',
      { 'GET /api/roles': roles, [create]: refused({ assignments: ['You may not assign this role.'] }) },
      rights,
    );
    fill(await screen.findByLabelText(/^Job title/), 'Buyer');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Add role' })).toBeDefined();
    expect(screen.getAllByText('You may not assign this role.').length).toBeGreaterThan(0);
  });
});

test.each([
  ['half an address', { email: 'lena@' }, {}],
  ['an address', { email: ' lena@acme.example ' }, { email: 'lena@acme.example' }],
  ['a number', { employee_number: 'ACME-057' }, { employee_number: 'ACME-057' }],
  ['a number with a space', { employee_number: 'ACME 057' }, {}],
  ['a first name alone', { first_name: 'Lena' }, {}],
  ['a name of single letters', { first_name: 'L', last_name: 'P' }, {}],
  ['a whole name', { first_name: 'Lena', last_name: ' Park' }, { first_name: 'Lena', last_name: 'Park' }],
])('duplicates of %s are checked only if the user may find them', (_what, values, asked) => {
  expect(duplicatesQuery(values)).toEqual(asked);
});

test('a person is signed out everywhere; shows the error when that fails', async () => {
  const end = `DELETE ${path}/sessions`;
  const { served, user } = open(
    '/employees/57?tab=access',
    {
      [end]: { status: 503, body: { message: 'Away.' } },
      [`GET ${path}/roles`]: { status: 404, body: { message: 'Not found.' } },
    },
    [...hr, 'employees.assign_roles'],
  );
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  await screen.findByRole('alert');
  served.replies[end] = { status: 204 };
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  expect(await screen.findByText('Lena Park was signed out everywhere.')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
