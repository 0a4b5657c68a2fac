import { eventTypeNames, maxWebhooks } from '@tenure/contract';
import type { Permission } from '@tenure/contract';
import { expect, test } from 'vitest';
import { waitingLocks } from '../../testing/waiting-locks.ts';
import { startWebhooks, receiverOfTest } from '../../testing/webhook-receiver.ts';

const { admin, account, add, as, make, owner } = await startWebhooks();
const acme = await make.entity();
const url = 'https://hooks.test:8443/in?key=hush';
const path = '/api/webhooks';

const auditOf = async (id: number) =>
  (
    await owner.query(
      "select action, changes from audit_log where subject_type = 'webhook' and subject_id = $1 order by id",
      [id],
    )
  ).rows as { action: string; changes: Record<string, unknown> }[];

/** A person whose only role has these permissions everywhere. */
async function holder(...permissions: Permission[]) {
  const person = await make.employee({ entity_id: acme.id, roles: [] });
  const { rows } = await owner.query("insert into roles (name, scope) values ($1, 'all') returning id", [
    `Role of ${person.id}`,
  ]);
  await owner.query('insert into role_permissions (role_id, permission) select $1, unnest($2::text[])', [
    rows[0].id,
    permissions,
  ]);
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [person.user_id, rows[0].id]);
  return { client: await as(person.user_id), user_id: person.user_id };
}

test('is added with a secret that is shown once and stored sealed', async () => {
  const { id: service_account_id } = await account();
  const sent = { name: 'Payroll', url, service_account_id, types: ['employee.left', 'employee.created'] };
  const { status, body, headers } = await admin.post(path, sent);
  expect([status, body.message, headers['cache-control']]).toEqual([
    201,
    'Webhook added. Its secret is shown only now.',
    'no-store',
  ]);
  expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(body.data).toMatchObject({
    url,
    types: ['employee.created', 'employee.left'],
    service_account: { id: service_account_id, is_enabled: true },
    entity_ids: null,
    signature: 'v1',
    public_key: null,
    status: 'active',
    hindrance: null,
    pending_count: 0,
    allowed_actions: ['update', 'secret', 'test', 'replay', 'pause', 'delete'],
  });
  const { id } = body.data;
  const read = await admin.get(`${path}/${id}`);
  expect(read.body.data).toEqual(body.data);
  expect(JSON.stringify([read.body, (await admin.get(path)).body])).not.toContain('whsec_');
  const { rows } = await owner.query('select secret from webhooks where id = $1', [id]);
  expect(rows[0].secret).toMatch(/^1\.[0-9a-f]{12}\./);
  // the paths of receivers are often secrets
  expect(await auditOf(id)).toMatchObject([
    { action: 'webhook.created', changes: { url: { to: 'https://hooks.test:8443' }, signature: { to: 'v1' } } },
  ]);
});

test('refuses addresses that must not be reached, and what is no account or company', async () => {
  const { id: service_account_id } = await account();
  const refused = async (fields: object) => {
    const sent = { name: 'Refused', url, service_account_id, ...fields };
    const { status, body } = await admin.post(path, sent);
    expect(status).toBe(422);
    return body.errors as Record<string, string[]>;
  };
  const denied = { url: ['This address cannot be reached from here.'] };
  for (const bad of [
    'http://hooks.test/',
    'https://a:b@hooks.test/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'x',
  ])
    expect(await refused({ url: bad }), bad).toEqual(denied);
  expect(Object.keys(await refused({ service_account_id: 987_654 }))).toEqual(['service_account_id']);
  expect(Object.keys(await refused({ service_account_id: (await make.admin()).user_id }))).toEqual([
    'service_account_id',
  ]);
  expect(Object.keys(await refused({ entity_ids: [987_654] }))).toEqual(['entity_ids']);
  expect(Object.keys(await refused({ types: ['role.created'] }))).toEqual(['types.0']);
});

test('is changed, paused, resumed and deleted, each with an entry', async () => {
  const { id } = await add({ url, service_account_id: (await account()).id });
  const { revision } = (await admin.get(`${path}/${id}`)).body.data;
  const changed = await admin.put(`${path}/${id}`, {
    name: 'Other',
    url: `${url}er`,
    entity_ids: [acme.id],
    types: null,
    revision,
  });
  expect([changed.status, changed.body.data]).toEqual([
    200,
    expect.objectContaining({ name: 'Other', url: `${url}er`, entity_ids: [acme.id] }),
  ]);
  expect((await admin.put(`${path}/${id}`, { name: 'Stale', revision })).status).toBe(422);
  const paused = await admin.post(`${path}/${id}/pause`, {});
  expect(paused.body.data).toMatchObject({ status: 'paused', reason: 'person' });
  expect(paused.body.data.allowed_actions).toContain('resume');
  expect((await admin.post(`${path}/${id}/resume`, {})).body.data).toMatchObject({ status: 'active', reason: null });
  expect((await admin.delete(`${path}/${id}`)).status).toBe(204);
  expect((await admin.get(`${path}/${id}`)).status).toBe(404);
  expect((await auditOf(id)).map(({ action }) => action)).toEqual(
    ['created', 'updated', 'paused', 'resumed', 'deleted'].map((verb) => `webhook.${verb}`),
  );
  expect((await auditOf(id))[1]?.changes).toMatchObject({
    url: { from: 'https://hooks.test:8443', to: 'https://hooks.test:8443' },
  });
});

test('another secret signs beside the one before for a day', async () => {
  const { id, secret } = await add({ url, service_account_id: (await account()).id });
  const { status, body } = await admin.post(`${path}/${id}/secret`, {});
  expect([status, body.data.previous_until]).toEqual([200, expect.any(String)]);
  expect(body.secret).toMatch(/^whsec_/);
  expect(body.secret).not.toBe(secret);
  const pair = await add({ url, service_account_id: (await account()).id, signature: 'v1a' });
  expect(pair.secret).toBeNull();
  expect((await admin.get(`${path}/${pair.id}`)).body.data.public_key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
});

test('a test message is sent at once, and the answer shown', async () => {
  const receiver = await receiverOfTest();
  const { id } = await add({ url: receiver.url, service_account_id: (await account()).id });
  const sent = await admin.post(`${path}/${id}/test`, {});
  expect(sent.body.data).toMatchObject({ is_sent: true, http_status: 204, error: null });
  expect(receiver.got[0]?.body).toMatchObject({ type: 'webhook.test', data: { id } });
  receiver.answer((_got, response) => void response.writeHead(302, { location: 'https://elsewhere.test/' }).end());
  expect((await admin.post(`${path}/${id}/test`, {})).body.data).toMatchObject({
    is_sent: false,
    http_status: 302,
    error: 'status',
  });
});

test('the catalogue has an example of each type', async () => {
  const { body } = await admin.get('/api/webhook-events');
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(eventTypeNames);
  expect(body.data[1]).toMatchObject({ permission: 'employees.view', example: { type: 'employee.updated' } });
});

test('who may not do all that the account may cannot make its events leave', async () => {
  const { id: wide } = await account(['employees.view', 'kpi-evaluation.view']);
  const { id: narrow } = await account(['employees.view']);
  const { client } = await holder('webhooks.manage', 'employees.view', 'employees.view_sensitive');
  const refused = await client.post(path, { name: 'Mine', url, service_account_id: wide });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['service_account_id']]);
  const accounts = (await client.get('/api/webhook-accounts')).body.data as { id: number; types: string[] }[];
  expect(accounts.map(({ id }) => id)).not.toContain(wide);
  expect(accounts.find(({ id }) => id === narrow)?.types).toContain('employee.left');
  const own = await client.post(path, { name: 'Mine', url, service_account_id: narrow });
  expect(own.status).toBe(201);
  expect((await client.put(`${path}/${own.body.data.id}`, { service_account_id: wide })).status).toBe(422);
  const theirs = await add({ url, service_account_id: wide });
  for (const [step, body] of Object.entries({ secret: {}, test: {}, replay: { status: 'dead' }, resume: {} }))
    expect((await client.post(`${path}/${theirs.id}/${step}`, body)).status, step).toBe(403);
  expect((await client.put(`${path}/${theirs.id}`, { url: 'https://hooks.test/mine' })).status).toBe(403);
  expect((await client.get(`${path}/${theirs.id}/deliveries`)).status).toBe(403);
  expect((await client.get(`${path}/${own.body.data.id}/deliveries`)).status).toBe(200);
  // stopping deliveries is always allowed
  expect((await client.get(`${path}/${theirs.id}`)).body.data.allowed_actions).toEqual(['pause', 'delete']);
  expect((await client.post(`${path}/${theirs.id}/pause`, {})).status).toBe(200);
  expect((await (await holder('employees.view')).client.get(path)).status).toBe(403);
});

test('an account that gains rights is paused where who set the webhook up has not all of them', async () => {
  const { id: service_account_id, role } = await account(['employees.view']);
  const { client } = await holder('webhooks.manage', 'employees.view', 'employees.view_sensitive');
  const mine = await client.post(path, { name: 'Of a person', url, service_account_id });
  expect(mine.status).toBe(201);
  const theirs = await add({ url, service_account_id });
  const { rows } = await owner.query("select id from roles where name = 'HR'");
  const assignments = [{ role_id: role }, { role_id: Number(rows[0].id), entity_ids: [acme.id] }];
  expect((await admin.put(`/api/service-accounts/${service_account_id}/roles`, { assignments })).status).toBe(200);
  const { id } = mine.body.data;
  expect((await admin.get(`${path}/${id}`)).body.data).toMatchObject({ status: 'paused', reason: 'more_rights' });
  expect((await admin.get(`${path}/${theirs.id}`)).body.data.status).toBe('active');
  expect((await client.post(`${path}/${id}/resume`, {})).status).toBe(403);
  expect((await admin.post(`${path}/${id}/resume`, {})).body.data).toMatchObject({ status: 'active', reason: null });
});

test('one that is disabled is not paused, which would hide why it was', async () => {
  const { id } = await add({ url, service_account_id: (await account()).id });
  await owner.query("update webhooks set status = 'disabled', reason = 'failing' where id = $1", [id]);
  const { client } = await holder('webhooks.manage');
  const { status, body } = await client.post(`${path}/${id}/pause`, {});
  expect([status, body.errors, body.status]).toEqual([422, { status: ['This webhook is disabled.'] }, 'disabled']);
  expect((await client.get(`${path}/${id}`)).body.data).toMatchObject({ status: 'disabled', reason: 'failing' });
  expect((await auditOf(id)).map(({ action }) => action)).toEqual(['webhook.created']);
});

test.each([
  ['gone', 'null'],
  ['sealed with a key that is gone', "overlay(secret placing 'ffffffffffff' from 3)"],
])('no test message is sent with a secret that is %s; another secret mends it', async (_what, secret) => {
  const receiver = await receiverOfTest();
  const { id } = await add({ url: receiver.url, service_account_id: (await account(['employees.view'])).id });
  await owner.query(`update webhooks set secret = ${secret} where id = $1`, [id]);
  const { client } = await holder('webhooks.manage', 'employees.view', 'employees.view_sensitive');
  const { status, body } = await client.post(`${path}/${id}/test`, {});
  expect([status, body.errors, receiver.got]).toEqual([
    422,
    { secret: ['The secret of this webhook can’t be read any more. Create a new one.'] },
    [],
  ]);
  expect((await client.post(`${path}/${id}/secret`, {})).status).toBe(200);
  expect((await client.post(`${path}/${id}/test`, {})).body.data.is_sent).toBe(true);
});

test('there are at most 100', async () => {
  const { id: service_account_id } = await account(['employees.view']);
  const { client } = await holder('webhooks.manage', 'employees.view', 'employees.view_sensitive');
  const count = async () => Number((await owner.query('select count(*) from webhooks')).rows[0].count);
  const { id } = await add({ url, service_account_id });
  await owner.query(
    `insert into webhooks (name, url, service_account_id, signature, set_by_id)
     select 'Filler ' || n, url, service_account_id, signature, set_by_id from webhooks, generate_series(1, $2) n
     where id = $1`,
    [id, maxWebhooks - (await count())],
  );
  const refused = await client.post(path, { name: 'One more', url, service_account_id });
  expect([refused.status, refused.body.errors]).toEqual([422, { name: ['There are 100 webhooks. Delete one first.'] }]);
  expect(await count()).toBe(maxWebhooks);
});

test('of two that are added at once, the second counts the first', async () => {
  await owner.query('delete from webhooks where id = (select max(id) from webhooks)');
  // webhooks of one account wait for each other anyway
  const accounts = [await account(['employees.view']), await account(['employees.view'])];
  const { client } = await holder('webhooks.manage', 'employees.view', 'employees.view_sensitive');
  const lock = await owner.connect();
  await lock.query('begin');
  await lock.query('lock table webhooks in share mode');
  const answers = accounts.map(({ id }) => client.post(path, { name: `Of ${id}`, url, service_account_id: id }));
  await expect.poll(async () => (await waitingLocks(owner)).length, { interval: 10 }).toBe(2);
  await lock.query('rollback');
  lock.release();
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([201, 422]));
  expect((await owner.query('select from webhooks')).rowCount).toBe(maxWebhooks);
});
