import { permissionCatalogue } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill, pick } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const at = '2026-11-20T09:00:00.000Z';
const token = (fields: object = {}) => ({
  hint: 'Ab1z',
  created_at: at,
  expires_at: '2099-11-20T09:00:00.000Z',
  last_used_at: at,
  last_used_ip: '192.0.2.7',
  ...fields,
});
const connection = (fields: object = {}) => ({
  id: 3,
  name: 'Entra ID',
  is_enabled: true,
  is_dry_run: true,
  entity_ids: [1],
  provider_id: null,
  unmatched: 'stage',
  owners: [{ user_id: 8, name: 'Ida Chief' }],
  base_url: 'https://hr.acme.example/scim/v2',
  token: token(),
  users_count: 120,
  waiting_count: 1,
  groups_count: 4,
  blocked_count: 2,
  withheld_count: 3,
  last_request_at: at,
  revision: 5,
  created_at: at,
  updated_at: at,
  allowed_actions: ['update', 'disable', 'token', 'delete'],
  ...fields,
});
let serial = 0;
const request = (fields: object = {}) => ({
  id: (serial += 1),
  at,
  method: 'PATCH',
  resource: 'Users',
  target: null,
  status: 200,
  effect: 'sign_in_blocked',
  detail: null,
  changed: ['active'],
  ignored: ['title'],
  is_dry_run: true,
  person: 'Ada King',
  ...fields,
});
const lena = {
  id: '7f0b2b9e-0000-4000-8000-000000000001',
  user_name: 'lena@acme.example',
  display_name: 'Lena Park',
  email: 'lena@acme.example',
  employee_number: null,
  department: 'Sales',
  is_active: false,
  created_at: at,
};
const path = '/api/scim-connections/3';
const managing = permissionCatalogue.find(({ name }) => name === 'identity.manage')?.id;

function open(
  address: string,
  replies: Parameters<typeof serve>[0] = {},
  permissions = ['identity.manage', 'employees.reset_password'],
) {
  const service = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/scim-connections': listOf([connection()]),
    [`GET ${path}`]: itemOf(connection()),
    [`GET ${path}/requests`]: listOf([]),
    [`GET ${path}/waiting`]: listOf([lena]),
    'GET /api/people-waiting': listOf([]),
    [`GET /api/permissions/${managing}/holders`]: listOf([{ user_id: 9, name: 'Ben Hall' }]),
    'GET /api/identity-providers': listOf([{ id: 7, name: 'Acme ID' }]),
    'GET /api/entities': listOf([
      { id: 1, name: 'Acme GmbH' },
      { id: 2, name: 'Acme Ltd' },
    ]),
    'GET /api/employees': listOf([
      { id: 12, name: 'Lena Park', first_name: 'Lena', last_name: 'Park', display_name: 'Lena Park' },
    ]),
    ...replies,
  });
  return { service, ...start(address) };
}
const button = (name: string | RegExp) => screen.findByRole('button', { name });

test('without a connection the page says what it is for, and leads to the guides', async () => {
  const { user } = open('/settings/provisioning', { 'GET /api/scim-connections': listOf([]) });
  await screen.findByText('No identity provider is connected');
  await user.click(screen.getByRole('link', { name: 'Guide for Okta' }));
  await screen.findByRole('heading', { level: 1, name: 'Connect Okta' });
  expect(screen.getByText('the token of the connection')).toBeDefined();
});

test('connections are listed with their state and the end of their token', async () => {
  open('/settings/provisioning', {
    'GET /api/scim-connections': listOf([
      connection(),
      connection({ id: 4, name: 'Okta', is_dry_run: false, token: token({ expires_at: at }) }),
      connection({ id: 5, name: 'Old', is_enabled: false, token: null, last_request_at: null }),
    ]),
  });
  const table = await screen.findByRole('region', { name: 'Connections' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Entra IDDry run1201.*2099/),
    expect.stringMatching(/^OktaOn1201.*Expired$/),
    expect.stringMatching(/^OldOff1201None yetNo token$/),
  ]);
});

test('people without roles of their groups are counted, and the audit log names them', async () => {
  const { user, where } = open(
    '/settings/provisioning?connection=3&part=settings',
    { 'GET /api/audit-log': listOf([]) },
    ['identity.manage', 'audit.view'],
  );
  const link = await screen.findByRole('link', { name: '3' });
  expect(screen.getByText('Roles withheld from people')).toBeDefined();
  await user.click(link);
  await waitFor(() =>
    expect(where()).toBe('/audit-log?subject_type=scim_user&action=scim_user.roles_withheld&scim_connection_id=3'),
  );
});

test('a new connection begins with a dry run, and its token is shown once', async () => {
  const create = 'POST /api/scim-connections';
  const text = `tnrc_${'a'.repeat(49)}`;
  const { service, user, where } = open('/settings/provisioning?connection=new', {
    [create]: { status: 422, body: { message: 'Taken.', errors: { name: ['Taken.'] } } },
    [`GET ${path}`]: itemOf(connection({ token: null })),
    [`POST ${path}/token`]: itemOf({ token: text, expires_at: '2028-11-20T09:00:00.000Z' }),
  });
  fill(await screen.findByLabelText(/^Name/), 'Entra ID');
  await pick(user, screen.getByRole('combobox', { name: /Companies/ }), 'Acme Ltd');
  await user.selectOptions(await screen.findByLabelText('Sign-in provider'), 'Acme ID');
  await user.selectOptions(screen.getByLabelText('Users without an account'), 'Are refused');
  await user.click(await button('Add connection'));
  await screen.findByText('Taken.');
  service.replies[create] = itemOf(connection());
  await user.click(await button('Add connection'));
  await user.click(await button('Create token'));
  expect(where()).toBe('/settings/provisioning?connection=3');
  expect(service.to(create)[1]?.body).toEqual({
    name: 'Entra ID',
    entity_ids: [2],
    provider_id: 7,
    unmatched: 'refuse',
    is_dry_run: true,
  });
  const made = await dialogOf('Copy the token now');
  expect(made.getByText(text)).toBeDefined();
  await user.click(made.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
});

test('a new connection without a name can be sent, and says what is missing', async () => {
  const create = 'POST /api/scim-connections';
  const missing = 'The name field is required.';
  const { user } = open('/settings/provisioning?connection=new', {
    [create]: { status: 422, body: { message: missing, errors: { name: [missing] } } },
  });
  await screen.findByLabelText(/^Name/);
  await user.click(await button('Add connection'));
  await screen.findByText(missing);
  expect(document.activeElement).toBe(screen.getByLabelText(/^Name/));
});

test('settings are saved with the revision, and the token is replaced after a question', async () => {
  const { service, user } = open('/settings/provisioning?connection=3', {
    [`PUT ${path}`]: itemOf(connection({ name: 'Entra', revision: 6 })),
    [`POST ${path}/token`]: itemOf({ token: 'tnrc_x', expires_at: '2028-11-20T09:00:00.000Z' }),
  });
  expect(await screen.findByText('https://hr.acme.example/scim/v2')).toBeDefined();
  fill(screen.getByLabelText(/^Name/), 'Entra');
  await user.click(await button('Save changes'));
  await screen.findByText('Changes saved.');
  expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ name: 'Entra', revision: 5 });
  await user.click(await button('New token…'));
  const dialog = await dialogOf('Replace the token of Entra ID?');
  expect(service.to(`POST ${path}/token`)).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Create new token' }));
  expect((await dialogOf('Copy the token now')).getByText('tnrc_x')).toBeDefined();
});

test('the owners of a connection are shown, and others chosen among administrators', async () => {
  const { service, user } = open('/settings/provisioning?connection=3', {
    [`PUT ${path}`]: itemOf(connection({ revision: 6 })),
  });
  expect(await screen.findByText('Ida Chief', { selector: 'bdi' })).toBeDefined();
  await pick(user, await screen.findByRole('combobox', { name: /Owners/ }), 'Ben Hall');
  await user.click(await button('Save changes'));
  await screen.findByText('Changes saved.');
  expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ owner_ids: [8, 9], revision: 5 });
});

test('a dry run ends after a look at whose sign-in it would switch off, and a typed name', async () => {
  const { service, user } = open('/settings/provisioning?connection=3', {
    [`GET ${path}/requests`]: ({ url: { searchParams: query } }) =>
      listOf(
        query.get('refused')
          ? [request({ status: 400, effect: null })]
          : [
              request(),
              request({ person: 'Ben Hall', effect: 'sign_in_allowed' }),
              request({ person: 'Ben Hall' }),
              request({ person: 'Cid Live', is_dry_run: false }),
            ],
      ),
    [`PUT ${path}`]: itemOf(connection({ is_dry_run: false, revision: 6 })),
  });
  await user.click(await button('End dry run…'));
  const dialog = await dialogOf('End the dry run of Entra ID?');
  await dialog.findByText('1 sign-in would be turned off, based on the latest requests:');
  expect(dialog.getAllByRole('listitem').map((one) => one.textContent)).toEqual(['Ada King']);
  expect(dialog.getByText('1 request was refused. See Requests.')).toBeDefined();
  const confirm = dialog.getByRole('button', { name: 'End dry run' });
  expect(confirm).toHaveProperty('disabled', true);
  fill(dialog.getByLabelText('Type Entra ID to confirm'), 'entra id');
  await user.click(confirm);
  await screen.findByText('The dry run of Entra ID has ended.');
  expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ is_dry_run: false, revision: 5 });
});

test('a connection is deleted after it is said that its blocks stay', async () => {
  const { service, user, where } = open('/settings/provisioning?connection=3', { [`DELETE ${path}`]: { status: 204 } });
  await user.click(await button('Delete…'));
  const dialog = await dialogOf('Delete Entra ID?');
  expect(dialog.getByText(/The 2 sign-ins that it turned off stay off/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await screen.findByText('Entra ID was deleted.');
  expect(service.to(`DELETE ${path}`)).toHaveLength(1);
  expect(where()).toBe('/settings/provisioning');
});

test('failed requests are filtered, with the reason', async () => {
  const { service, user, where } = open('/settings/provisioning?connection=3&part=requests', {
    [`GET ${path}/requests`]: ({ url: { searchParams: query } }) =>
      listOf(query.get('refused') ? [request({ status: 400, effect: null, detail: 'No such filter.' })] : [request()]),
  });
  const table = await screen.findByRole('region', { name: 'Requests' });
  const row = await within(table).findByText('Sign-in turned off');
  expect(row.closest('tr')?.textContent).toMatch(/PATCH Users.*dry runAda KingactiveNot changed: title$/);
  await user.click(screen.getByRole('button', { name: 'Failed' }));
  await screen.findByText('No such filter.');
  expect(where()).toBe('/settings/provisioning?connection=3&part=requests&refused=true');
  expect(service.to(`GET ${path}/requests`).at(-1)?.query.get('refused')).toBe('1');
});

test('no one is linked while nothing takes effect', async () => {
  open('/settings/provisioning?connection=3&part=waiting');
  await screen.findByText(/^Entra ID is off or in a dry run\./);
  await button(/^Dismiss.*Lena Park$/);
  expect(screen.queryByRole('button', { name: /^Link…/ })).toBeNull();
});

test('HR links a person whom an identity provider added', async () => {
  const link = `POST ${path}/waiting/${lena.id}/link`;
  const row = { ...lena, connection: { id: 3, name: 'Entra ID' }, allowed_actions: ['link', 'dismiss'] };
  const { service, user } = open(
    '/people-waiting',
    {
      'GET /api/people-waiting/provisioned': listOf([row]),
      [link]: itemOf({ id: lena.id, employee_id: 12 }),
    },
    ['employees.reset_password', 'employees.view'],
  );
  await user.click(await screen.findByRole('tab', { name: 'Added by a provider' }));
  await user.click(await button(/^Link….*Lena Park$/));
  const dialog = await dialogOf('Link Lena Park');
  expect(dialog.getByText(/can’t sign in any more/)).toBeDefined();
  await pick(user, dialog.getByRole('combobox', { name: /Employee/ }), /Lena Park/);
  await user.click(dialog.getByRole('button', { name: 'Link' }));
  await screen.findByText('Lena Park was linked.');
  expect(service.to(link)[0]?.body).toEqual({ employee_id: 12 });
});

const waiting = { ...lena, connection: { id: 3, name: 'Entra ID' }, allowed_actions: ['link', 'create', 'dismiss'] };
const newcomer = {
  ...waiting,
  first_name: 'Lena',
  last_name: 'Park',
  job_title: 'Buyer',
  employee_number: 'ACM-77',
  place: { entity: { id: 1, name: 'Acme GmbH' }, department: { id: 4, name: 'Sales' } },
};
const hrOfNewcomers = ['employees.reset_password', 'employees.create', 'employees.view', 'employees.assign_roles'];
const openNewcomer = (replies: Parameters<typeof serve>[0] = {}) =>
  open(
    '/people-waiting?kind=provisioned',
    {
      'GET /api/people-waiting/provisioned': listOf([waiting]),
      [`GET ${path}/waiting/${lena.id}`]: itemOf(newcomer),
      'GET /api/departments': listOf([{ id: 4, name: 'Sales' }]),
      'GET /api/employees/duplicates': itemOf({ employee_number: null, email: false, similar: [] }),
      'GET /api/roles': listOf([]),
      'GET /api/employees/57': { status: 404, body: { message: 'Not found.' } },
      ...replies,
    },
    hrOfNewcomers,
  );

test('HR adds a person whom an identity provider added, with what it knows', async () => {
  const create = `POST ${path}/waiting/${lena.id}/create`;
  const { service, user, where } = openNewcomer({
    [create]: { status: 422, body: { message: 'Taken.', errors: { employee_number: ['Taken.'] } } },
  });
  await user.click(await screen.findByRole('link', { name: /^Add….*Lena Park$/ }));
  expect(where()).toBe(`/employees/new?connection=3&user=${lena.id}`);
  await screen.findByText(/^We’ve filled in what Entra ID knows about Lena Park\..*turned off/);
  const valueOf = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name).value;
  expect([valueOf(/^First name/), valueOf(/^Last name/), valueOf(/^Work email/)]).toEqual([
    'Lena',
    'Park',
    'lena@acme.example',
  ]);
  await user.click(screen.getByRole('button', { name: 'Next: job' }));
  expect(where()).toBe(`/employees/new?connection=3&user=${lena.id}&step=job`);
  const company = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Company' });
  await waitFor(() => expect(company.value).toBe('Acme GmbH'));
  expect(screen.queryByRole('button', { name: 'Save and add another' })).toBeNull();
  expect(screen.queryByText('Create one-time password')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Taken.');
  service.replies[create] = { status: 201, body: { data: { id: lena.id, employee_id: 57 }, message: 'Added.' } };
  service.replies[`GET ${path}/waiting/${lena.id}`] = { status: 404, body: { message: 'Not found.' } };
  fill(screen.getByLabelText(/^Employee number/), 'ACM-78');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Lena Park was added.');
  expect(where()).toBe('/employees/57');
  expect(service.to('POST /api/employees')).toHaveLength(0);
  expect(service.to(create).map(({ body }) => body)).toEqual(
    ['ACM-77', 'ACM-78'].map((employee_number) => ({
      first_name: 'Lena',
      last_name: 'Park',
      email: 'lena@acme.example',
      employee_number,
      job_title: 'Buyer',
      entity_id: 1,
      department_id: 4,
      employment_type: 'full_time',
    })),
  );
});

test('a person whom a colleague linked meanwhile is added by no one', async () => {
  const { user } = openNewcomer({
    [`GET ${path}/waiting/${lena.id}`]: { status: 404, body: { message: 'Not found.' } },
  });
  await user.click(await screen.findByRole('link', { name: /^Add….*Lena Park$/ }));
  await screen.findByRole('heading', { level: 1, name: 'Page not found' });
  expect(screen.queryByLabelText(/^First name/)).toBeNull();
});

test('who may not add people sees no button for it', async () => {
  open(
    '/people-waiting?kind=provisioned',
    { 'GET /api/people-waiting/provisioned': listOf([{ ...waiting, allowed_actions: ['link', 'dismiss'] }]) },
    ['employees.reset_password', 'employees.view'],
  );
  await button(/^Link….*Lena Park$/);
  expect(screen.queryByRole('link', { name: /^Add…/ })).toBeNull();
});

test('attributes have their owner, and the guide its values to paste', async () => {
  const { user } = open('/settings/provisioning?connection=3&part=owners');
  const table = await screen.findByRole('region', { name: 'Attributes and their owners' });
  expect(within(table).getByText('active').closest('tr')?.textContent).toMatch(/Identity provider$/);
  expect(within(table).getByText('title').closest('tr')?.textContent).toMatch(/HR$/);
  await user.click(screen.getByRole('tab', { name: 'Guide' }));
  await screen.findByText('https://hr.acme.example/scim/v2?aadOptscim062020');
  await user.click(screen.getByRole('button', { name: 'Okta' }));
  expect(await screen.findByText('https://hr.acme.example/scim/v2')).toBeDefined();
});

test('a group of a connection gives a role after a look at who gains it', async () => {
  const rules = `${path}/role-rules`;
  const hr = { id: 2, name: 'HR' };
  const known = {
    groups_claim: null,
    rules: [],
    seen: [{ value: 'People team', people: 4 }],
    known: 4,
    unknown: 0,
    roles: [{ ...hr, limitable: true, in_departments: false }],
    entities: [{ id: 1, name: 'Acme GmbH' }],
    revision: 5,
  };
  const { service, user } = open('/settings/provisioning?connection=3&part=roles', {
    [`GET ${rules}`]: itemOf(known),
    [`POST ${rules}/preview`]: itemOf({ gains: [{ role: hr, people: 4 }], losses: [], people: 4, confirm: null }),
    [`PUT ${rules}`]: itemOf({ ...known, revision: 6 }),
  });
  await screen.findByText('The groups of 4 people are known.', undefined, { timeout: 5_000 });
  await user.click(await button('Add rule'));
  const rule = within(screen.getByRole('group', { name: 'Rule 1' }));
  fill(rule.getByLabelText('Group'), 'People team');
  await user.selectOptions(rule.getByLabelText('Role'), 'HR');
  await pick(user, rule.getByRole('combobox', { name: 'In these companies' }), 'Acme GmbH');
  await user.click(await button('Review changes…'));
  const dialog = await dialogOf('Review the rules of Entra ID');
  expect(dialog.getByText('4 people gain it')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Save rules' }));
  await screen.findByText('Rules saved. They’re being applied.');
  const sent = [{ value: 'People team', role_id: 2, entity_ids: [1] }];
  expect(service.to(`PUT ${rules}`)[0]?.body).toEqual({ rules: sent, revision: 5 });
});
