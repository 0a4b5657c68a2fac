import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, owner } = await startApp();
const acme = await make.entity();
const buying = await make.department({ entity_id: acme.id });
const admin = await as((await make.admin()).user_id);

test('a role that someone holds in departments keeps its scope until it is taken away', async () => {
  const draft = { name: 'Auditor', scope: 'all', permissions: ['employees.view'] };
  const { id } = (await admin.post('/api/roles', draft)).body.data;
  const holder = await make.employee({
    entity_id: acme.id,
    roles: [{ role: 'Auditor', department_ids: [buying.id] }],
  });
  const before = (await admin.get(`/api/roles/${id}`)).body.data;
  for (const scope of ['own', 'managed']) {
    const { status, body } = await admin.put(`/api/roles/${id}`, { scope, description: 'Other' });
    expect([status, body.errors]).toEqual([
      422,
      {
        scope: [
          'For some people, this role is limited to departments, so its scope can’t change. Change their roles first.',
        ],
      },
    ]);
  }
  expect((await admin.get(`/api/roles/${id}`)).body.data).toEqual(before);
  expect((await admin.put(`/api/roles/${id}`, { description: 'Other' })).status).toBe(200);
  await owner.query('update role_assignments set entity_ids = $2, department_ids = null where user_id = $1', [
    holder.user_id,
    [acme.id],
  ]);
  expect((await admin.put(`/api/roles/${id}`, { scope: 'managed' })).body.data).toMatchObject({ scope: 'managed' });
});

test('so does one that a rule gives in departments', async () => {
  const draft = { name: 'Planner', scope: 'all', permissions: ['employees.view'] };
  const { id } = (await admin.post('/api/roles', draft)).body.data;
  const connection = await admin.post('/api/scim-connections', { name: 'Keycloak' });
  expect([connection.status, connection.body.errors]).toEqual([201, undefined]);
  const url = `/api/scim-connections/${connection.body.data.id}/role-rules`;
  const rules = [{ value: 'plan', role_id: id, department_ids: [buying.id] }];
  const saved = await admin.put(url, { rules, confirm: 'Keycloak' });
  expect([saved.status, saved.body.errors]).toEqual([200, undefined]);
  const refused = await admin.put(`/api/roles/${id}`, { scope: 'own' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['scope']]);
  expect((await admin.put(url, { rules: [] })).status).toBe(200);
  expect((await admin.put(`/api/roles/${id}`, { scope: 'own' })).body.data).toMatchObject({ scope: 'own' });
});
