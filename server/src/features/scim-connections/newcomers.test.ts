import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { provisioning } from '../../testing/provisioning.ts';

const service = await startApp();
const { as, make, owner } = service;
const admin = await as((await make.admin()).user_id);
const connect = provisioning(service);
const [acme, beta] = [await make.entity(), await make.entity()];
const [sales, selling] = [
  await make.department({ entity_id: acme.id, name: 'Sales', code: 'S-1' }),
  await make.department({ entity_id: beta.id, name: 'Sales' }),
];
await make.department({ entity_id: acme.id, name: 'S-2' });
await make.department({ entity_id: beta.id, name: 'Two', code: 'S-2' });

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ada = (department: string) => ({
  displayName: 'Ada Byron',
  name: { givenName: 'Ada', familyName: 'Byron' },
  title: 'Analyst',
  emails: [{ value: 'ada@new.example', type: 'work' }],
  [enterprise]: { employeeNumber: 'NEW-1', department },
});

async function roleThat(...permissions: string[]) {
  const { rows } = await owner.query("insert into roles (name, scope) values ($1, 'all') returning id", [
    permissions.join(),
  ]);
  for (const permission of permissions)
    await owner.query('insert into role_permissions (role_id, permission) values ($1, $2)', [rows[0].id, permission]);
  return rows[0].id as number;
}
async function holderOf(role: number, entity_ids: number[] | null) {
  const { user_id } = await make.employee({ roles: ['Employee'] });
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    user_id,
    role,
    entity_ids,
  ]);
  return as(user_id);
}
const both = await roleThat('employees.view', 'employees.create', 'employees.reset_password');
const links = await roleThat('employees.view', 'employees.reset_password');
const [near, linker, far] = [
  await holderOf(both, [acme.id]),
  await holderOf(links, [acme.id]),
  await holderOf(both, [beta.id]),
];

/** A connection of a company with an unlinked user. */
async function waits(department = 'Sales', fields: object = {}, entity_ids: number[] | null = [acme.id]) {
  const entra = await connect({ entity_ids });
  const { body } = await entra.addUser('a.byron', { ...ada(department), ...fields });
  return { entra, url: `/api/scim-connections/${entra.id}/waiting/${body.id}`, id: body.id as string };
}

describe('one user who waits', () => {
  test('is read with what the provider knows, by those who may link the person', async () => {
    const { entra, url, id } = await waits();
    const { body } = await near.get(url);
    expect(body.data).toEqual({
      id,
      user_name: 'a.byron',
      display_name: 'Ada Byron',
      first_name: 'Ada',
      last_name: 'Byron',
      job_title: 'Analyst',
      email: 'ada@new.example',
      employee_number: 'NEW-1',
      department: 'Sales',
      is_active: true,
      created_at: expect.any(String),
      connection: { id: entra.id, name: expect.any(String) },
      place: { entity: { id: acme.id, name: acme.name }, department: { id: sales.id, name: 'Sales' } },
      allowed_actions: ['link', 'create', 'dismiss'],
    });
    expect((await linker.get(url)).body.data).toMatchObject({ place: null, allowed_actions: ['link', 'dismiss'] });
    const plain = await as((await make.employee({ entity_id: acme.id })).user_id);
    expect([(await far.get(url)).status, (await plain.get(url)).status]).toEqual([404, 403]);
    const list = await near.get('/api/people-waiting/provisioned?search=a.byron');
    expect(list.body.data).toMatchObject([{ id, allowed_actions: ['link', 'create', 'dismiss'] }]);
  });

  test('names a department by its code, else its name, where only one is meant', async () => {
    const placeOf = async (department: string, entity_ids: number[] | null) =>
      (await admin.get((await waits(department, {}, entity_ids)).url)).body.data.place?.department.id;
    expect(await placeOf('s-1', null)).toBe(sales.id);
    expect(await placeOf('sales', null)).toBeUndefined();
    expect(await placeOf('SALES', [beta.id])).toBe(selling.id);
    expect((await admin.get((await waits('s-2', {}, null)).url)).body.data.place.department.name).toBe('Two');
    expect(await placeOf('Unknown', null)).toBeUndefined();
  });

  test('can only be dismissed while the connection is in a dry run', async () => {
    const { entra, url } = await waits();
    await admin.put(`/api/scim-connections/${entra.id}`, { is_dry_run: true });
    expect((await near.get(url)).body.data.allowed_actions).toEqual(['dismiss']);
  });
});

describe('a user who waits is added as a person', () => {
  const person = { first_name: 'Ada', last_name: 'Byron', entity_id: acme.id, department_id: sales.id };

  test('who is linked, and waits no more', async () => {
    const hr = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
    const { entra, url, id } = await waits();
    const { status, body } = await hr.post(`${url}/create`, { ...person, email: 'ada@new.example' });
    expect([status, body.errors]).toEqual([201, undefined]);
    const { employee_id } = body.data;
    expect((await hr.get(`/api/employees/${employee_id}`)).body.data).toMatchObject({ email: 'ada@new.example' });
    expect((await entra.get(`/Users/${id}`)).body).toMatchObject({ active: true, displayName: 'Ada Byron' });
    expect([(await hr.get(url)).status, (await hr.post(`${url}/create`, person)).status]).toEqual([404, 404]);
    const { rows } = await owner.query(
      "select action from audit_log where action in ('employee.created', 'scim_user.linked') and subject_label = 'Ada Byron'",
    );
    expect(rows.map(({ action }) => String(action)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'employee.created',
      'scim_user.linked',
    ]);
  });

  test('by no one who may not, and with no address by no one at all; nothing is left behind', async () => {
    const { entra, url } = await waits();
    const count = async () => Number((await owner.query('select count(*) as n from employees')).rows[0].n);
    const before = await count();
    const email = 'ada.two@new.example';
    const create = (browser: typeof near, fields: object = {}) =>
      browser.post(`${url}/create`, { ...person, email, ...fields });
    expect([(await create(linker)).status, (await create(far)).status]).toEqual([403, 404]);
    const foreign = { entity_id: beta.id, department_id: selling.id };
    for (const [fields, field] of [
      [{ email: null }, 'email'],
      [foreign, 'entity_id,department_id'],
      [{ last_name: '' }, 'last_name'],
    ] as const)
      expect(Object.keys((await create(near, fields)).body.errors).join()).toBe(field);
    // in all companies of the actor, but not of the connection
    expect(Object.keys((await create(admin, foreign)).body.errors)).toEqual(['entity_id']);
    await admin.post(`/api/scim-connections/${entra.id}/disable`, {});
    expect(Object.keys((await create(near)).body.errors)).toEqual(['entity_id']);
    expect(await count()).toBe(before);
  });
});
