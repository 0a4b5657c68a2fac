import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { complete, onRequest } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const hr = ['employees.view', 'employees.update', 'employees.deactivate', 'employees.view_sensitive', 'audit.view'];
const person = {
  ...complete,
  allowed_actions: ['update', 'confirm', 'separate', 'deactivate', 'job-history', 'reset-password'],
  responsibilities: {
    departments_managed: 0,
    departments_led: 0,
    direct_reports: 2,
    open_evaluations: 0,
    open_probation_reviews: 0,
    cycles_owned: 0,
  },
};
const heir = { ...complete, id: 23, display_name: 'Omar Diaz' };
const stale = {
  status: 422,
  body: { message: 'Changed meanwhile.', errors: { status: ['Changed meanwhile.'] }, status: 'active', revision: 2 },
};

function service(record: object = person) {
  return serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/employees/57': itemOf(record),
    'PUT /api/employees/57': itemOf({ ...record, revision: 2 }),
    'GET /api/employees/57/job-history': listOf([]),
    'GET /api/employees/57/consequences': itemOf({
      delete: { possible: false, message: null },
      deactivate: { possible: false, message: null },
      items: [
        { kind: 'direct_reports', count: 2, text: '', examples: [{ id: 8, name: 'Ada Wolf' }], blocks: ['deactivate'] },
        { kind: 'attachments', count: 3, text: '', examples: [], blocks: ['delete'] },
      ],
    }),
    'GET /api/employees': listOf([heir]),
    'GET /api/departments': listOf([
      { id: 4, name: 'Purchasing' },
      { id: 6, name: 'Sales' },
    ]),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
  });
}

const bodies = (served: ReturnType<typeof service>, call: string) => served.to(call).map(({ body }) => body);

async function retype(user: ReturnType<typeof start>['user'], label: string, text: string) {
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  await user.type(field, text);
}

test('a section is edited in place: only changes are sent, and they can be undone', async () => {
  const served = service();
  const { user, where } = start('/employees/57');
  await user.click(await screen.findByRole('button', { name: /^Edit\s*Contact$/ }));
  expect(where()).toBe('/employees/57?edit=contact');
  await retype(user, 'Phone', '+44 113 496 0999');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to('PUT /api/employees/57')).toHaveLength(2));
  expect(bodies(served, 'PUT /api/employees/57')).toEqual([
    { phone: '+44 113 496 0999', revision: 1 },
    { phone: '+44 113 496 0101', revision: 2 },
  ]);
});

test.each([
  ['joining', true],
  ['active', false],
])('with the status %s, access before the first day is offered: %s', async (activity_status, offered) => {
  const served = service({ ...person, activity_status, early_access: false });
  const { user } = start('/employees/57?edit=work');
  await screen.findByLabelText('Job title');
  const early = screen.queryByRole('switch', { name: /Early access/ });
  expect(early !== null).toBe(offered);
  if (!early) return;
  await user.click(early);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(bodies(served, 'PUT /api/employees/57')).toMatchObject([{ early_access: true }]));
});

test('a refused field keeps its input and shows its message', async () => {
  const served = service();
  served.replies['PUT /api/employees/57'] = {
    status: 422,
    body: { message: 'Wrong.', errors: { 'address.city': ['The city is too long.'] } },
  };
  const { user } = start('/employees/57?edit=address');
  await retype(user, 'City', 'Llan');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('The city is too long.');
  const field = screen.getByLabelText<HTMLInputElement>('City');
  expect(field.value).toBe('Llan');
  await waitFor(() => expect(document.activeElement).toBe(field));
});

test('a conflict on one field shows both versions to choose from and keeps the other changes', async () => {
  const served = service();
  const { user } = start('/employees/57?edit=contact');
  await retype(user, 'Phone', '111111');
  await retype(user, 'Mobile', '222222');
  const theirs = { ...person, phone: '333333', personal_email: 'lena@home.example', revision: 2 };
  served.replies['GET /api/employees/57'] = itemOf(theirs);
  served.replies['PUT /api/employees/57'] = ({ body }) =>
    (body as { revision: number }).revision === 2 ? itemOf({ ...theirs, revision: 3 }) : stale;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Someone else edited this too' });
  const phone = within(dialog).getByRole('group', { name: 'Phone' });
  expect(within(dialog).getAllByRole('group')).toHaveLength(1);
  await user.click(within(phone).getByRole('radio', { name: /Their version/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Save selection' }));
  await screen.findByText('Saved.');
  expect(bodies(served, 'PUT /api/employees/57')).toEqual([
    { phone: '111111', mobile: '222222', revision: 1 },
    { mobile: '222222', revision: 2 },
  ]);
});

test('concurrent changes of different fields are both kept without a question', async () => {
  const served = service();
  const { user } = start('/employees/57?edit=contact');
  await retype(user, 'Mobile', '222222');
  served.replies['GET /api/employees/57'] = itemOf({ ...person, phone: '333333', revision: 2 });
  served.replies['PUT /api/employees/57'] = ({ body }) =>
    (body as { revision: number }).revision === 2 ? itemOf({ ...person, revision: 3 }) : stale;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(bodies(served, 'PUT /api/employees/57').at(-1)).toEqual({ mobile: '222222', revision: 2 });
});

test('private details are requested for editing, and again after a conflict', async () => {
  const served = service();
  served.replies['GET /api/employees/57'] = onRequest(person);
  const { user } = start('/employees/57?edit=personal');
  await retype(user, 'Nationality', 'Korean');
  expect(screen.queryByRole('button', { name: 'Hide private details' })).toBeNull();
  served.replies['GET /api/employees/57'] = onRequest({ ...person, gender: 'other', revision: 2 });
  served.replies['PUT /api/employees/57'] = ({ body }) =>
    (body as { revision: number }).revision === 2 ? itemOf({ ...person, revision: 3 }) : stale;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(bodies(served, 'PUT /api/employees/57').at(-1)).toEqual({ nationality: 'Korean', revision: 2 });
});

test('fields beside private details can be edited without opening them', async () => {
  const served = service();
  served.replies['GET /api/employees/57'] = onRequest(person);
  const { user } = start('/employees/57');
  await user.click(await screen.findByRole('button', { name: /^Edit\s*Contact$/ }));
  await retype(user, 'Phone', '111111');
  expect(screen.queryByLabelText('Mobile')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(served.to('GET /api/employees/57').map(({ query }) => query.get('reveal'))).not.toContain('private');
});

test('a user who may not change the job sees no action for it', async () => {
  service({ ...person, allowed_actions: ['update'] });
  const { user } = start('/employees/57');
  await screen.findByRole('button', { name: /^Edit\s*Contact$/ });
  await user.click(screen.getByRole('button', { name: /^Edit\s*Work$/ }));
  expect(await screen.findByLabelText('Employee number')).toBeDefined();
  expect(screen.queryByRole('combobox', { name: 'Department' })).toBeNull();
  expect(screen.queryByLabelText('Start date')).toBeNull();
});

test('a user without write permissions sees no actions', async () => {
  service(complete);
  start('/employees/57?do=separate');
  await screen.findByRole('heading', { level: 1, name: 'Lena Park' });
  expect(screen.queryByRole('button', { name: /^(Edit|Add)/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('suspending shows its consequences and requires a successor', async () => {
  const served = service();
  served.replies['POST /api/employees/57/deactivate'] = itemOf({ ...person, activity_status: 'inactive' });
  const { user } = start('/employees/57');
  await user.click(await screen.findByRole('button', { name: 'Actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Suspend…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Suspend Lena Park' });
  await within(dialog).findByText('2 direct reports (Ada Wolf, …)');
  // the documents stay as they are
  expect(within(dialog).queryByText('3 documents')).toBeNull();
  const suspend = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Suspend' });
  expect(suspend.disabled).toBe(true);
  await user.click(within(dialog).getByRole('combobox', { name: /Who takes over/ }));
  await user.click(await screen.findByRole('option', { name: /Omar Diaz/, hidden: true }));
  await user.type(within(dialog).getByLabelText(/^Reason/), 'On leave for a year');
  await user.click(suspend);
  await screen.findByText('Lena Park was suspended.');
  expect(bodies(served, 'POST /api/employees/57/deactivate')).toEqual([
    { reason: 'On leave for a year', reassign_to: 23, revision: 1 },
  ]);
});

test('a refused step shows the reason and keeps the input', async () => {
  const served = service();
  served.replies['POST /api/employees/57/confirm'] = {
    status: 422,
    body: { message: 'Too short.', errors: { reason: ['The reason must be at least 10 characters.'] } },
  };
  const { user } = start('/employees/57?do=confirm');
  const dialog = await screen.findByRole('dialog', { name: 'Confirm Lena Park’s employment' });
  await user.type(within(dialog).getByLabelText(/^Reason/), 'short');
  await user.click(within(dialog).getByRole('button', { name: 'Confirm employment' }));
  await within(dialog).findByText('The reason must be at least 10 characters.');
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('short');
});

const planned = {
  id: 31,
  employee_id: 57,
  effective_from: '2099-01-01',
  effective_to: null,
  status: 'scheduled',
  changed_fields: ['department_id'],
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
  reason: 'A new team',
  failure: null,
  created_by: { user_id: 7, name: 'Hana Ito' },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  allowed_actions: ['delete'],
};

test('a job change is planned for a future day', async () => {
  const served = service();
  served.replies['POST /api/employees/57/job-history'] = { status: 201, body: { data: planned, message: '' } };
  const { user } = start('/employees/57?tab=job&do=job');
  const dialog = await screen.findByRole('dialog', { name: 'Change Lena Park’s job' });
  await user.click(within(dialog).getByRole('combobox', { name: 'Department' }));
  await user.click(await screen.findByRole('option', { name: 'Sales', hidden: true }));
  await user.clear(within(dialog).getByLabelText(/^Effective date/));
  await user.type(within(dialog).getByLabelText(/^Effective date/), '2099-01-01');
  expect(within(dialog).getByText(/Takes effect on that date/)).toBeDefined();
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByText('Lena Park’s job change was scheduled.');
  expect(bodies(served, 'POST /api/employees/57/job-history')).toEqual([
    { department_id: 6, effective_from: '2099-01-01' },
  ]);
});

test('a planned change is cancelled at once, and undo plans it again', async () => {
  const served = service();
  served.replies['GET /api/employees/57/job-history'] = listOf([planned, { ...planned, id: 30, status: 'current' }]);
  served.replies['DELETE /api/employees/57/job-history/31'] = { status: 204 };
  served.replies['POST /api/employees/57/job-history'] = { status: 201, body: { data: planned, message: '' } };
  const { user } = start('/employees/57?tab=job');
  const ahead = await screen.findByRole('region', { name: 'Planned' });
  expect(within(ahead).getByText('Sales')).toBeDefined();
  await user.click(within(ahead).getByRole('button', { name: /Cancel change/ }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to('POST /api/employees/57/job-history')).toHaveLength(1));
  expect(bodies(served, 'POST /api/employees/57/job-history')).toEqual([
    { department_id: 6, effective_from: '2099-01-01', reason: 'A new team' },
  ]);
});

test('another address may count at once, if the person has signed in with the present one', async () => {
  const signedIn = { ...person, user: { ...complete.user, last_login_at: '2026-11-20T09:00:00.000Z' } };
  const served = service(signedIn);
  const { user } = start('/employees/57?edit=contact');
  await screen.findByLabelText('Work email');
  const now = () => screen.queryByRole('checkbox', { name: 'Takes effect now, without confirmation' });
  expect(now()).toBeNull();
  await retype(user, 'Work email', 'lena.new@acme.example');
  await user.click(now() as HTMLElement);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(bodies(served, 'PUT /api/employees/57')).toEqual([
      { email: 'lena.new@acme.example', revision: 1, address_takes_effect: 'now' },
    ]),
  );
});
