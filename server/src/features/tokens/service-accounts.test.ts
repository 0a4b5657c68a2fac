import { permissionCatalogue } from '@tenure/contract';
import { expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { chainAndCollect } from '../events/collect.ts';
import { remindOfTokens } from './ending.ts';
import { bearing } from '../../testing/programs.ts';
import { givenRoles } from '../../testing/given-roles.ts';
import { startApp } from '../../testing/app.ts';

const service = await startApp();
const { as, make, owner, deps } = service;
const acme = await make.entity();
const chief = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
const second = await make.employee({ entity_id: acme.id });
const admin = await as(chief.user_id);

const roleId = async (name: string) => {
  const { rows } = await owner.query<{ id: string }>('select id from roles where name = $1', [name]);
  return Number(rows[0]?.id);
};
const hrRole = await roleId('HR');

let made = 0;
/** A service account with roles and a token. */
async function program(more: object = {}, permissions = ['employees.view', 'employees.view_all']) {
  made += 1;
  const sent = { name: `Payroll ${made}`, owner_ids: [chief.user_id, second.user_id], ...more };
  const account = await admin.post('/api/service-accounts', sent);
  expect(account.status).toBe(201);
  const { id } = account.body.data as { id: number };
  const assignments = [{ role_id: hrRole, entity_ids: [acme.id] }];
  const roles = await admin.put(`/api/service-accounts/${id}/roles`, { assignments });
  expect(roles.status).toBe(200);
  const token = await admin.post(`/api/service-accounts/${id}/tokens`, { name: 'Nightly', permissions });
  expect(token.status).toBe(201);
  return { id, name: sent.name, token: token.body.token as string, token_id: token.body.data.id as number };
}
test('a service account may do nothing until it has roles and a token', async () => {
  const account = await admin.post('/api/service-accounts', { name: 'Directory', owner_ids: [chief.user_id] });
  const { id } = account.body.data;
  expect(account.body.data).toMatchObject({
    permissions: [],
    role_assignments: [],
    active_tokens: 0,
    is_enabled: true,
  });
  const refused = await admin.post(`/api/service-accounts/${id}/tokens`, {
    name: 'T',
    permissions: ['employees.view'],
  });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['permissions.0']]);
});

test('its token reads what its roles and permissions allow, and lasts a year', async () => {
  const { id, token, name } = await program();
  expect(token).toMatch(/^tnrs_/);
  const list = await bearing(service, token).get('/api/employees');
  expect([list.status, list.body.meta.total]).toEqual([200, 2]);
  const me = await bearing(service, token).get('/api/me');
  expect(me.body.data.user).toMatchObject({ name, employee_id: null });
  const account = await admin.get(`/api/service-accounts/${id}`);
  expect(account.body.data).toMatchObject({
    active_tokens: 1,
    role_assignments: [{ role: 'HR', entity_ids: [acme.id] }],
  });
  const days = Date.parse((await admin.get(`/api/service-accounts/${id}/tokens`)).body.data[0].expires_at) - Date.now();
  expect(Math.round(days / 86_400_000)).toBe(365);
  const longer = { name: 'T', permissions: ['employees.view'], days: 731 };
  expect((await admin.post(`/api/service-accounts/${id}/tokens`, longer)).status).toBe(422);
});

test('it is never an administrator, in the application or in the database', async () => {
  const { id } = await program();
  const assignments = [{ role_id: await roleId('Admin') }];
  const refused = await admin.put(`/api/service-accounts/${id}/roles`, { assignments });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['assignments.0.role_id']]);
  const forced = owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [
    id,
    await roleId('Admin'),
  ]);
  await expect(forced).rejects.toThrow('users_service_check');
});

test('it never signs in: no password, no session whatever inserts one', async () => {
  const { id } = await program();
  const hashed = owner.query(`update users set password_hash = 'x' where id = $1`, [id]);
  await expect(hashed).rejects.toThrow('users_service_check');
  await expect(as(id)).rejects.toThrow('a service account does not sign in');
});

test('switched off it loses its tokens for good', async () => {
  const { id, token } = await program();
  expect((await admin.put(`/api/service-accounts/${id}`, { is_enabled: false })).status).toBe(200);
  expect((await bearing(service, token).get('/api/me')).status).toBe(401);
  const none = await admin.post(`/api/service-accounts/${id}/tokens`, { name: 'T', permissions: ['employees.view'] });
  expect(none.status).toBe(422);
  expect((await admin.put(`/api/service-accounts/${id}`, { is_enabled: true })).status).toBe(200);
  expect((await bearing(service, token).get('/api/me')).status).toBe(401);
});

test('a role in departments is shown with their names', async () => {
  const { id } = await program();
  const buying = await make.department({ entity_id: acme.id, name: 'Buying' });
  const assignments = [{ role_id: hrRole, entity_ids: [], department_ids: [buying.id] }];
  const { status, body } = await admin.put(`/api/service-accounts/${id}/roles`, { assignments });
  expect([status, body.data.role_assignments]).toMatchObject([
    200,
    [{ role: 'HR', entity_ids: [], department_ids: [buying.id], departments: [{ id: buying.id, name: 'Buying' }] }],
  ]);
});

test('its tokens are revoked, and renamed nowhere', async () => {
  const { id, token_id } = await program();
  const actions = async (url: string) =>
    ((await admin.get(url)).body.data as { id: number; allowed_actions: string[] }[]).find((one) => one.id === token_id)
      ?.allowed_actions;
  expect(await actions(`/api/service-accounts/${id}/tokens`)).toEqual(['delete']);
  expect(await actions('/api/tokens?per_page=100')).toEqual(['delete']);
});

test('its tokens come from its networks only', async () => {
  const { id, token } = await program({ cidrs: ['192.0.2.7/24', '2001:db8::/32'] });
  const account = await admin.get(`/api/service-accounts/${id}`);
  expect(account.body.data.cidrs).toEqual(['192.0.2.0/24', '2001:db8::/32']);
  expect((await bearing(service, token).get('/api/me')).status).toBe(401);
  const from = async (remoteAddress: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await service.app.inject({ url: '/api/me', headers, remoteAddress })).statusCode;
  };
  const addresses = ['192.0.2.200', '::ffff:192.0.2.200', '2001:db8::9', '192.0.3.1', '2001:db9::1', 'fe80::1%eth0'];
  expect(await Promise.all(addresses.map(from))).toEqual([200, 200, 200, 401, 401, 401]);
  for (const wrong of ['192.0.2.0/33', '300.1.1.1', 'ab', '::1/129'])
    expect((await admin.put(`/api/service-accounts/${id}`, { cidrs: [wrong] })).status).toBe(422);
  expect((await admin.put(`/api/service-accounts/${id}`, { cidrs: null })).body.data.cidrs).toBeNull();
  expect((await bearing(service, token).get('/api/me')).status).toBe(200);
});

test('owners are people who can sign in', async () => {
  const { id } = await program();
  for (const owner_ids of [[id], [99_999], []])
    expect((await admin.put(`/api/service-accounts/${id}`, { owner_ids })).status).toBe(422);
});

test('it is deleted with its tokens, unless records name it', async () => {
  const { id, token } = await program();
  expect((await admin.delete(`/api/service-accounts/${id}`)).status).toBe(204);
  expect((await bearing(service, token).get('/api/me')).status).toBe(401);
  expect((await admin.get(`/api/service-accounts/${id}`)).status).toBe(404);
  const author = await program({}, ['employees.view', 'employees.view_all', 'employees.update']);
  const changed = await bearing(service, author.token).send('PUT', `/api/employees/${second.id}`, { grade: 'G4' });
  expect(changed.status).toBe(200);
  const kept = await admin.delete(`/api/service-accounts/${author.id}`);
  expect([kept.status, kept.body.errors]).toEqual([
    422,
    { service_account: ['Other records refer to this service account, so it can’t be deleted. Turn it off instead.'] },
  ]);
});

test('only holders of everything manage service accounts, and a person is none', async () => {
  const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
  expect((await hr.get('/api/service-accounts')).status).toBe(403);
  for (const url of [`/api/service-accounts/${second.user_id}`, `/api/service-accounts/${second.user_id}/tokens`])
    expect((await admin.get(url)).status).toBe(404);
  expect((await admin.put(`/api/service-accounts/${second.user_id}/roles`, { assignments: [] })).status).toBe(404);
  expect((await admin.delete(`/api/service-accounts/${second.user_id}`)).status).toBe(404);
});

test('its roles are given and taken by who has all their rights', async () => {
  const { id } = await program();
  const { roleWith, give } = givenRoles(service);
  const keeper = await make.employee({ entity_id: acme.id });
  await give(keeper.user_id, await roleWith('Keeper', 'all', ['service-accounts.manage']));
  const client = await as(keeper.user_id);
  const url = `/api/service-accounts/${id}`;
  const before = (await admin.get(url)).body.data;
  const inAcme = { role_id: hrRole, entity_ids: [acme.id] };
  for (const assignments of [[], [{ role_id: hrRole }], [inAcme, { role_id: await roleId('Manager') }]])
    expect((await client.put(`${url}/roles`, { assignments })).status).toBe(403);
  expect((await admin.get(url)).body.data).toEqual(before);
  // without a change, no right is needed to give roles
  expect((await client.put(`${url}/roles`, { assignments: [inAcme] })).status).toBe(200);
  await give(keeper.user_id, hrRole, [acme.id]);
  expect((await client.put(`${url}/roles`, { assignments: [{ role_id: hrRole }] })).status).toBe(403);
  const taken = await client.put(`${url}/roles`, { assignments: [] });
  expect([taken.status, taken.body.data.role_assignments]).toEqual([200, []]);
});

test('its owners get notifications of its tokens, and are reminded 14, 7 and 1 days before one ends', async () => {
  const { token_id, name } = await program();
  const titles = async (userId: number) => {
    const { rows } = await owner.query<{ event: string; round: string }>(
      `select event, dedupe_key as round from notifications where user_id = $1 and subject_type = 'token' and subject_id = $2`,
      [userId, token_id],
    );
    return rows.map(({ event }) => event);
  };
  expect(await titles(second.user_id)).toEqual(['account_security_notice']);
  const ends = async (inDays: number) => {
    await owner.query(
      `update api_tokens set created_at = now() - interval '200 days', expires_at = now() + $2 * interval '1 day' where id = $1`,
      [token_id, inDays],
    );
    await remindOfTokens({ deps, now: Temporal.Now.instant() });
    await remindOfTokens({ deps, now: Temporal.Now.instant() });
    return (await titles(second.user_id)).filter((event) => event === 'token_ending').length;
  };
  expect(await ends(15)).toBe(0);
  expect(await ends(13.5)).toBe(1);
  expect(await ends(8)).toBe(1);
  expect(await ends(6.9)).toBe(2);
  expect(await ends(0.5)).toBe(3);
  const notified = await (await as(second.user_id)).get('/api/notifications');
  expect(notified.body.data[0].title).toContain(`The token “Nightly” of ${name} expires on`);
});

test('it stands nowhere where people do', async () => {
  const { id, name } = await program();
  const { rows } = await owner.query<{ email: string }>('select email from users where id = $1', [id]);
  const address = rows[0]?.email ?? '';
  expect(address).toMatch(/^payroll-\d+\.\w+@service\.invalid$/);
  const before = (await admin.get('/api/employees')).body.meta.total as number;
  await program();
  for (const url of [
    '/api/employees?per_page=100',
    `/api/entities/${acme.id}`,
    '/api/directory',
    `/api/search?q=${encodeURIComponent(name)}`,
    '/api/org-chart',
    '/api/dashboard',
    '/api/sign-in-policies',
    '/api/break-glass-accounts',
  ]) {
    const text = (await admin.get(url)).bytes.toString();
    expect(text).not.toContain(address);
    expect(text).not.toContain(name);
  }
  expect((await admin.get('/api/employees')).body.meta.total).toBe(before);
  const rule = { sso_required: true, sso_provider_ids: [] };
  const preflight = await admin.post('/api/sign-in-policies/default/preflight', rule);
  expect([preflight.status, preflight.bytes.toString().includes('service.invalid')]).toEqual([200, false]);
  // as a sign-in: the same response as for an unknown address
  const guest = await as();
  const known = await guest.post('/login', { email: address, password: 'right-Battery-9' });
  expect([known.status, known.body.errors.email]).toEqual([422, ['These credentials do not match our records.']]);
  // as the account of a person, as an emergency account, and among recipients
  const person = { first_name: 'Pay', last_name: 'Roll', email: address, entity_id: acme.id };
  expect((await admin.post('/api/employees', person)).body.errors.email).toEqual(['The email has already been taken.']);
  expect((await admin.put('/api/break-glass-accounts', { user_ids: [id] })).status).toBe(422);
  const reached = await owner.query('select from reachable_users where user_id = $1', [id]);
  expect(reached.rows).toEqual([]);
});

test('holders of a permission name it as a program, and the number of holders of a role leaves it out', async () => {
  const count = async () => {
    const { data } = (await admin.get('/api/roles?per_page=100')).body;
    return (data as { id: number; users_count: number }[]).find(({ id }) => id === hrRole)?.users_count;
  };
  const before = await count();
  // URLs of programs can contain a number too
  const { id, name } = await program({ name: 'Figures of staff' });
  expect(await count()).toBe(before);
  const permission = permissionCatalogue.find((one) => one.name === 'employees.view')?.id;
  const { data } = (await admin.get(`/api/permissions/${permission}/holders?search=${encodeURIComponent(name)}`)).body;
  expect(data).toEqual([
    expect.objectContaining({ user_id: id, name, is_service: true, employee: null, may_sign_in: false }),
  ]);
});

test('the audit log names the token of an entry to those who see tokens, and events say that a program acted', async () => {
  const { token, token_id } = await program({}, ['employees.view', 'employees.view_all', 'employees.update']);
  const changed = await bearing(service, token).send('PUT', `/api/employees/${second.id}`, { grade: 'G7' });
  expect([changed.status, changed.body.errors]).toEqual([200, undefined]);
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  const entryOf = async (client: typeof admin) => {
    const query = `?subject_type=employee&subject_id=${second.id}&action=employee.updated`;
    return (await client.get(`/api/audit-log${query}`)).body.data?.[0]?.token;
  };
  expect([await entryOf(admin), await entryOf(hr)]).toEqual([
    { id: token_id, name: 'Nightly' },
    { id: token_id, name: null },
  ]);
  const now = await databaseNow(deps.db);
  await chainAndCollect({ deps, now });
  const { rows } = await owner.query('select by_user, by_token from events where subject_id = $1 and type = $2', [
    second.id,
    'employee.updated',
  ]);
  expect(rows.at(-1)).toEqual({ by_user: true, by_token: true });
});
