import type { AuditAction, Permission, WebhookDelivery } from '@tenure/contract';
import { describe, expect, test, vi } from 'vitest';
import { record } from '../audit.ts';
import { takeTurn } from '../features/webhooks/sending/turn.ts';
import { collectForWebhooks } from '../jobs/schedule.ts';
import { databaseNow } from '../jobs/task.ts';
import type { Client } from '../testing/client.ts';
import { programOf } from '../testing/programs.ts';
import { receiverOfTest, startWebhooks } from '../testing/webhook-receiver.ts';

/** Attacks on webhooks: what their managers and programs can learn and send beyond their own rights. */

const service = await startWebhooks();
const { admin, account, add, as, make, owner, deps } = service;
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const path = '/api/webhooks';
const url = 'https://hooks.test:8443/in?key=hush';

/** A person whose only role has these permissions everywhere. */
async function holder(...permissions: Permission[]) {
  return permitted(await make.employee({ entity_id: north.id, roles: [] }), permissions);
}

async function permitted(person: { id: number; user_id: number }, permissions: readonly Permission[]) {
  const { rows } = await owner.query("insert into roles (name, scope) values ($1, 'all') returning id", [
    `Role of ${person.id}`,
  ]);
  await owner.query('insert into role_permissions (role_id, permission) select $1, unnest($2::text[])', [
    rows[0].id,
    permissions,
  ]);
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [person.user_id, rows[0].id]);
  return as(person.user_id);
}

/** Creates an event and its deliveries. */
async function happen(
  subject_id: number,
  action: AuditAction,
  entity_id: number,
  more: { about_employee_id?: number } = {},
) {
  await record({ db: deps.db, actor: null }, { action, subject_id, entity_id, ...more });
  await vi.waitFor(
    async () => {
      await collectForWebhooks({ deps, now: await databaseNow(deps.db) });
      const { rows } = await owner.query(
        'select from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)',
      );
      expect(rows).toEqual([]);
    },
    { timeout: 10_000 },
  );
}

describe('an event that the account of a webhook may not read', () => {
  test('is in no list, no number and no replay of its webhook', async () => {
    const { id: service_account_id } = await account(['employees.view'], [north.id]);
    const { id } = await add({ url, service_account_id });
    await admin.post(`${path}/${id}/pause`, {});
    const since = new Date(Date.now() - 1_000).toISOString();
    await happen(11, 'employee.updated', north.id);
    await happen(12, 'employee.updated', south.id);
    await happen(13, 'department.updated', north.id);
    const manager = await holder('webhooks.manage', 'employees.view', 'employees.view_sensitive');
    const of = async (query = '') =>
      (await manager.get(`${path}/${id}/deliveries?per_page=100${query}`)).body.data as WebhookDelivery[];
    expect((await of()).map(({ type }) => type)).toEqual(['employee.updated']);
    expect(await of('&type=department.updated')).toEqual([]);
    expect((await manager.get(`${path}/${id}`)).body.data.pending_count).toBe(1);
    const { rows } = await owner.query(
      'select d.id from webhook_deliveries d join events v on v.sequence = d.sequence where d.webhook_id = $1 and v.subject_id = 13',
      [id],
    );
    for (const hidden of rows) {
      expect((await manager.get(`${path}/${id}/deliveries/${hidden.id}`)).status).toBe(404);
      expect((await manager.post(`${path}/${id}/deliveries/${hidden.id}/replay`, {})).status).toBe(404);
    }
    await owner.query('delete from webhook_deliveries where webhook_id = $1', [id]);
    expect((await manager.post(`${path}/${id}/replay`, { since })).body.data).toEqual({ queued: 1 });
  });

  test('is hidden with the rights that the account loses, but not from who has them', async () => {
    const { id: service_account_id, role } = await account(['employees.view', 'departments.view']);
    const { id } = await add({ url, service_account_id });
    await happen(14, 'department.updated', north.id);
    await owner.query("delete from role_permissions where role_id = $1 and permission = 'departments.view'", [role]);
    const manager = await holder('webhooks.manage', 'employees.view', 'employees.view_sensitive');
    const { data } = (await admin.get(`${path}/${id}/deliveries?type=department.updated`)).body;
    expect(data).toHaveLength(1);
    const of = `${path}/${id}/deliveries/${data[0].id}`;
    expect((await admin.get(of)).status).toBe(200);
    expect((await manager.get(`${path}/${id}/deliveries?type=department.updated`)).body.data).toEqual([]);
    expect([(await manager.get(of)).status, (await manager.post(`${of}/replay`, {})).status]).toEqual([404, 404]);
  });
});

test('of a review of their own, managers of webhooks learn nothing from its deliveries', async () => {
  const { id: service_account_id } = await account(['probation-review.view']);
  const { id } = await add({ url, service_account_id });
  await admin.post(`${path}/${id}/pause`, {});
  const person = await make.employee({ entity_id: north.id, roles: [] });
  const permissions = [
    'webhooks.manage',
    'employees.view',
    'employees.view_sensitive',
    'probation-review.view',
  ] as const;
  const [manager, colleague] = [await permitted(person, permissions), await holder(...permissions)];
  await happen(31, 'probation_review.create', north.id, { about_employee_id: person.id });
  const listOf = `${path}/${id}/deliveries`;
  const seen = (await colleague.get(listOf)).body;
  expect(seen.data).toMatchObject([{ type: 'probation_review.created' }]);
  expect((await manager.get(listOf)).body).toMatchObject({ data: [], meta: { total: 0 } });
  const one = `${listOf}/${seen.data[0].id}`;
  expect([(await colleague.get(one)).status, (await manager.get(one)).status]).toEqual([200, 404]);
  expect((await manager.post(`${one}/replay`, {})).status).toBe(404);
  const countsOf = async (client: Client) => {
    const { pending_count, dead_count } = (await client.get(`${path}/${id}`)).body.data;
    return [pending_count, dead_count];
  };
  expect([await countsOf(colleague), await countsOf(manager)]).toEqual([
    [1, 0],
    [0, 0],
  ]);
  await owner.query("update webhook_deliveries set status = 'dead' where webhook_id = $1", [id]);
  expect([await countsOf(colleague), await countsOf(manager)]).toEqual([
    [0, 1],
    [0, 0],
  ]);
  // they are still sent again
  const again = async (client: Client) => (await client.post(`${path}/${id}/replay`, { status: 'dead' })).body.data;
  expect(await again(manager)).toEqual({ queued: 0 });
  expect([await countsOf(colleague), await again(colleague)]).toEqual([[1, 0], { queued: 0 }]);
  await owner.query("update webhook_deliveries set status = 'dead' where webhook_id = $1", [id]);
  expect(await again(colleague)).toEqual({ queued: 1 });
});

test('of a review of their own, managers of webhooks learn nothing from its figures', async () => {
  const receiver = await receiverOfTest();
  const { id: service_account_id } = await account(['probation-review.view']);
  const { id } = await add({ url: receiver.url, service_account_id });
  const person = await make.employee({ entity_id: north.id, roles: [] });
  const permissions = ['webhooks.manage', 'probation-review.view'] as const;
  const [manager, colleague] = [await permitted(person, permissions), await holder(...permissions)];
  const send = () => takeTurn(deps, id, new AbortController().signal);
  const hurry = () => owner.query('update webhook_deliveries set next_attempt_at = now() where webhook_id = $1', [id]);
  const seenBy = async (client: Client) => {
    const { last_sent_at, hours } = (await client.get(`${path}/${id}`)).body.data;
    const [row] = (
      await client.get(`${path}?search=${receiver.url.slice(0, 18)}&sort_by=last_sent_at`)
    ).body.data.filter((one: { id: number }) => one.id === id);
    expect([row.last_sent_at, row.hours]).toEqual([last_sent_at, hours]);
    const sum = (of: 'sent' | 'failed') =>
      hours.reduce((all: number, hour: Record<string, number>) => all + (hour[of] ?? 0), 0);
    return { last_sent_at, sent: sum('sent'), failed: sum('failed') };
  };
  const never = { last_sent_at: null, sent: 0, failed: 0 };

  receiver.answer((_got, response) => void response.writeHead(503).end());
  await happen(41, 'probation_review.create', north.id, { about_employee_id: person.id });
  await send();
  expect([await seenBy(manager), await seenBy(colleague)]).toEqual([never, { ...never, failed: 1 }]);
  receiver.answer((_got, response) => void response.writeHead(204).end());
  await hurry();
  await send();
  const at = expect.any(String);
  expect([await seenBy(manager), await seenBy(colleague)]).toEqual([never, { last_sent_at: at, sent: 1, failed: 1 }]);

  const other = await make.employee({ entity_id: north.id });
  await happen(42, 'probation_review.create', north.id, { about_employee_id: other.id });
  await send();
  const then = await seenBy(colleague);
  expect(then).toMatchObject({ sent: 2, failed: 1 });
  expect(await seenBy(manager)).toEqual({ last_sent_at: then.last_sent_at, sent: 1, failed: 0 });

  for (const subject of [43, 44]) {
    await happen(subject, 'probation_review.create', north.id, { about_employee_id: person.id });
    await send();
  }
  const now = await seenBy(colleague);
  expect(Date.parse(now.last_sent_at)).toBeGreaterThan(Date.parse(then.last_sent_at));
  expect(now).toMatchObject({ sent: 4, failed: 1 });
  expect(await seenBy(manager)).toEqual({ last_sent_at: then.last_sent_at, sent: 1, failed: 0 });
});

describe('a token of the account', () => {
  test('lets nothing out, and learns nothing, beyond the permissions of the token', async () => {
    const { id: service_account_id } = await account(['webhooks.manage', 'employees.view', 'departments.view']);
    const { id } = await add({ url, service_account_id });
    await happen(21, 'department.updated', north.id);
    const narrow = await programOf(service, service_account_id, ['webhooks.manage'], { kind: 'service' });
    expect((await narrow.get(`${path}/${id}/deliveries`)).status).toBe(403);
    expect((await narrow.send('POST', `${path}/${id}/test`, {})).status).toBe(403);
    expect((await narrow.send('POST', `${path}/${id}/replay`, { status: 'sent' })).status).toBe(403);
    expect((await narrow.get(`${path}/${id}`)).body.data.allowed_actions).toEqual(['pause', 'delete']);
    const whole = await programOf(
      service,
      service_account_id,
      ['webhooks.manage', 'employees.view', 'departments.view'],
      { kind: 'service' },
    );
    expect((await whole.get(`${path}/${id}/deliveries`)).status).toBe(200);
  });

  test('does not answer for where the events go in place of a person', async () => {
    const { id: service_account_id, role } = await account(['webhooks.manage', 'employees.view']);
    const manager = await holder('webhooks.manage', 'employees.view', 'employees.view_sensitive');
    const made = await manager.post(path, { name: 'Of a person', url, service_account_id });
    const { id } = made.body.data as { id: number };
    const old = await programOf(service, service_account_id, ['webhooks.manage', 'employees.view'], {
      kind: 'service',
    });
    const { rows } = await owner.query("select id from roles where name = 'HR'");
    const assignments = [{ role_id: role }, { role_id: Number(rows[0].id) }];
    expect((await admin.put(`/api/service-accounts/${service_account_id}/roles`, { assignments })).status).toBe(200);
    expect((await admin.get(`${path}/${id}`)).body.data).toMatchObject({ status: 'paused', reason: 'more_rights' });
    expect((await old.send('POST', `${path}/${id}/resume`, {})).status).toBe(403);
    expect((await admin.get(`${path}/${id}`)).body.data).toMatchObject({ status: 'paused', reason: 'more_rights' });
  });
});

test('the path of a receiver is shown to those alone who may change it', async () => {
  const { id: service_account_id } = await account(['employees.view', 'kpi-evaluation.view']);
  const { id } = await add({ url, service_account_id });
  const manager = await holder('webhooks.manage');
  const seen = await manager.get(`${path}/${id}`);
  expect(seen.body.data).toMatchObject({ url: 'https://hooks.test:8443', allowed_actions: ['pause', 'delete'] });
  for (const search of ['hush', 'key=h'])
    expect((await manager.get(`${path}?search=${encodeURIComponent(search)}`)).body.data).toEqual([]);
  expect((await admin.get(`${path}/${id}`)).body.data.url).toBe(url);
});
