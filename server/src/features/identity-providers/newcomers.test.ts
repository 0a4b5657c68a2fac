import { expect, test } from 'vitest';
import { startSso } from '../../testing/single-sign-on.ts';

/** People who tried to sign in: what HR sees of them, and adding one as an employee. */

const { op, as, admin, make, owner, addProvider, come } = await startSso();
const [acme, beta] = [await make.entity(), await make.entity()];
const department = await make.department({ entity_id: acme.id });
const elsewhere = await make.department({ entity_id: beta.id });
const id = await addProvider({
  name: 'Acme ID',
  domains: ['acme.example'],
  entity_ids: [acme.id],
  match_rule: 'linked_only',
  groups_claim: 'groups',
});
const hr = await as(
  (await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id,
);

async function tried(subject: string, claims: object = {}) {
  op.people.set(subject, { email: `${subject}@acme.example`, email_verified: true, name: `Ada ${subject}`, ...claims });
  expect((await come(subject, id)).status).toBe(422);
  const { rows } = await owner.query<{ id: number }>('select id::int from sso_unmatched where subject = $1', [subject]);
  return `/api/identity-providers/${id}/unmatched/${rows[0]?.id}`;
}
const newPerson = (email: string | null, fields: object = {}) => ({
  first_name: 'Ada',
  last_name: 'Byron',
  email,
  entity_id: acme.id,
  department_id: department.id,
  job_title: 'Analyst',
  employment_type: 'full_time',
  joining_date: '2026-01-01',
  ...fields,
});

test('the number of groups that came is shown, not their names', async () => {
  await tried('grouped', { groups: ['hr', 'sales'] });
  await tried('plain');
  const rows = (await hr.get('/api/people-waiting?sort_by=email')).body.data as { subject: string }[];
  expect(rows).toMatchObject([
    { subject: 'grouped', groups_count: 2, allowed_actions: ['link', 'create', 'dismiss', 'add'] },
    { subject: 'plain', groups_count: null },
  ]);
  expect(JSON.stringify(rows)).not.toContain('sales');
  const list = (await admin.get(`/api/identity-providers/${id}/unmatched?sort_by=email`)).body.data;
  expect(list).toMatchObject([{ groups_count: 2 }, { groups_count: null }]);
});

test('one of them is added as a person and signs in from then on', async () => {
  const path = await tried('byron');
  const { body } = await hr.get(path);
  expect(body.data).toMatchObject({
    subject: 'byron',
    name: 'Ada byron',
    email: 'byron@acme.example',
    provider: { id, name: 'Acme ID' },
    allowed_actions: ['link', 'create', 'dismiss', 'add'],
  });
  const made = await hr.post(`${path}/create`, newPerson('byron@acme.example'));
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  expect(made.body.message).toBe('Added and linked. This person can now sign in with Acme ID.');
  const came = await come('byron', id);
  expect(came.status).toBe(200);
  expect((await came.browser.get('/api/me')).body.data.user.employee_id).toBe(made.body.data.employee_id);
  expect((await hr.get(path)).status).toBe(404);
  const { rows } = await owner.query("select action from audit_log where action = 'identity.linked'");
  expect(rows).toHaveLength(1);
});

test('nothing is added where the two cannot be linked', async () => {
  const path = await tried('carol');
  const count = async () => (await owner.query('select from employees')).rowCount;
  const before = await count();
  const bare = await hr.post(`${path}/create`, newPerson(null));
  expect([bare.status, Object.keys(bare.body.errors)]).toEqual([422, ['email']]);
  const both = await as((await make.employee({ roles: ['HR'] })).user_id);
  const now = await count();
  const far = await both.post(
    `${path}/create`,
    newPerson('carol@acme.example', { entity_id: beta.id, department_id: elsewhere.id }),
  );
  expect([far.status, far.body.errors]).toEqual([422, { entity_id: ['This person can’t be linked to Acme ID.'] }]);
  expect(await count()).toBe(now);
  expect((now ?? 0) - (before ?? 0)).toBe(1);
});

test('it takes the right to add people, the right to give passwords, and all companies of the provider', async () => {
  const path = await tried('dora');
  const roleOf = async (name: string, permissions: string[]) =>
    (await admin.post('/api/roles', { name, scope: 'all', permissions })).body.data.id as number;
  const holder = async (role_id: number, entity: number) => {
    const person = await make.employee({ entity_id: entity });
    const assignments = [{ role_id, entity_ids: [entity] }];
    expect((await admin.put(`/api/employees/${person.id}/roles`, { assignments })).status).toBe(200);
    return as(person.user_id);
  };
  const adds = await holder(await roleOf('Adds', ['employees.view', 'employees.create']), acme.id);
  const links = await holder(await roleOf('Links', ['employees.view', 'employees.reset_password']), acme.id);
  const far = await as(
    (await make.employee({ entity_id: beta.id, roles: [{ role: 'HR', entity_ids: [beta.id] }] })).user_id,
  );
  const body = newPerson('dora@acme.example');
  expect((await adds.get(path)).status).toBe(403);
  expect((await links.get(path)).body.data.allowed_actions).toEqual(['link', 'dismiss']);
  expect([
    (await adds.post(`${path}/create`, body)).status,
    (await links.post(`${path}/create`, body)).status,
    (await far.get(path)).status,
    (await far.post(`${path}/create`, body)).status,
  ]).toEqual([404, 403, 404, 404]);
  expect((await owner.query("select from employees where email = 'dora@acme.example'")).rowCount).toBe(0);
});

test('another address at the provider is shown to HR, on the page of the person', async () => {
  const person = await make.employee({ entity_id: acme.id });
  const path = await tried('erin', { email: 'erin.old@acme.example' });
  expect((await hr.post(`${path}/link`, { employee_id: person.id })).status).toBe(200);
  const shown = async () => (await hr.get(`/api/employees/${person.id}/sign-in`)).body.data.identities;
  expect(await shown()).toMatchObject([{ provider: { id }, other_email: 'erin.old@acme.example' }]);
  op.people.set('erin', { email: person.email.toUpperCase(), email_verified: true });
  expect((await come('erin', id)).status).toBe(200);
  expect((await shown())[0]).not.toHaveProperty('other_email');
});
