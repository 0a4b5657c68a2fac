import { expect, test } from 'vitest';
import { record } from '../../audit.ts';
import { startApp } from '../../testing/app.ts';

const { as, deps, make } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const buying = await make.department({ entity_id: north.id, name: 'Buying' });
const office = await make.department({ entity_id: north.id, name: 'Office' });
const stores = await make.department({ entity_id: south.id, name: 'Stores' });
const far = await make.employee({ department_id: stores.id, first_name: 'Omar', last_name: 'Diaz' });
const near = await make.employee({ department_id: office.id, first_name: 'Ida', last_name: 'Holm' });
const ann = await make.employee({ department_id: buying.id });
const hr = await as((await make.employee({ entity_id: north.id, roles: ['HR'] })).user_id);
const northHr = await as(
  (await make.employee({ department_id: buying.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
);

const change = async (body: object) =>
  expect((await hr.put(`/api/employees/${ann.id}`, body)).status, JSON.stringify(body)).toBe(200);
await change({ reporting_manager_id: near.id });
await change({ reporting_manager_id: far.id, job_title: 'Buyer' });
await change({ department_id: office.id });

const labels = async (client: typeof hr) => {
  const list = await client.get(`/api/audit-log?subject_type=employee&subject_id=${ann.id}`);
  return (list.body.data as { labels: object }[]).map((entry) => entry.labels);
};

test('ids in changes have labels', async () => {
  const moved = { department_id: { [buying.id]: 'Buying', [office.id]: 'Office' } };
  const handed = { reporting_manager_id: { [near.id]: 'Ida Holm', [far.id]: 'Omar Diaz' } };
  const given = { reporting_manager_id: { [near.id]: 'Ida Holm' } };
  expect(await labels(hr)).toEqual([moved, handed, given]);
  const [latest] = (await hr.get(`/api/audit-log?subject_id=${ann.id}&per_page=1`)).body.data;
  expect((await hr.get(`/api/audit-log/${latest.id}`)).body.data.labels).toEqual(moved);
});

test("a name outside the reader's scope is absent", async () => {
  const [, handed, given] = await labels(northHr);
  expect(handed).toEqual({ reporting_manager_id: { [near.id]: 'Ida Holm' } });
  expect(given).toEqual({ reporting_manager_id: { [near.id]: 'Ida Holm' } });
});

test('roles have the names of their companies', async () => {
  const { data } = (await hr.get(`/api/employees/${near.id}/roles`)).body;
  const manager = data.assignable.find(({ role }: { role: string }) => role === 'Manager');
  const assignments = [{ role_id: manager.role_id, entity_ids: [north.id, south.id] }];
  expect((await hr.put(`/api/employees/${near.id}/roles`, { assignments })).status).toBe(200);
  const url = `/api/audit-log?action=employee.roles_changed&subject_id=${near.id}`;
  expect((await hr.get(url)).body.data[0].labels).toEqual({ roles: { [north.id]: 'North', [south.id]: 'South' } });
  expect((await northHr.get(url)).body.data[0].labels).toEqual({ roles: { [north.id]: 'North' } });
});

test('reviewers, owners and lists of departments have labels', async () => {
  await record(
    { db: deps.db, actor: null },
    {
      action: 'kpi_cycle.updated',
      subject_id: 1,
      changes: {
        reviewer_id: { from: far.id, to: near.id },
        owner_id: { from: null, to: near.id },
        department_ids: { from: null, to: [buying.id, stores.id] },
      },
    },
  );
  const [entry] = (await hr.get('/api/audit-log?action=kpi_cycle.updated')).body.data;
  expect(entry.labels).toEqual({
    reviewer_id: { [near.id]: 'Ida Holm', [far.id]: 'Omar Diaz' },
    owner_id: { [near.id]: 'Ida Holm' },
    department_ids: { [buying.id]: 'Buying', [stores.id]: 'Stores' },
  });
});

test('providers, service accounts, owners and the places of rules have labels', async () => {
  const reader = await as((await make.admin()).user_id);
  const { id: service_account_id } = await deps.db
    .insertInto('users')
    .values({ email: 'payroll@service.invalid', account_kind: 'service' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await deps.db
    .insertInto('service_accounts')
    .values({ user_id: service_account_id, name: 'Payroll', owner_ids: [near.user_id] })
    .execute();
  const { id: provider } = await deps.db
    .insertInto('identity_providers')
    .values({ name: 'Keycloak', issuer: 'https://id.test', client_id: 'tenure', metadata: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rule = { value: 'hr', role: 'HR', entity_ids: [north.id], department_ids: [stores.id] };
  await record(
    { db: deps.db, actor: null },
    {
      action: 'webhook.created',
      subject_id: 1,
      changes: {
        service_account_id: { from: null, to: service_account_id },
        sso_provider_ids: { from: [], to: [provider] },
        provider_id: { from: null, to: provider },
        owner_ids: { from: [], to: [near.user_id] },
        rules: { from: [], to: [rule] },
      },
    },
  );
  const [entry] = (await reader.get('/api/audit-log?action=webhook.created')).body.data;
  expect(entry.labels).toEqual({
    service_account_id: { [service_account_id]: 'Payroll' },
    sso_provider_ids: { [provider]: 'Keycloak' },
    provider_id: { [provider]: 'Keycloak' },
    owner_ids: { [near.user_id]: 'Ida Holm' },
    rules: { [north.id]: 'North', [`department:${stores.id}`]: 'Stores' },
  });
});
