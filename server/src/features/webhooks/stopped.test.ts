import { expect, test } from 'vitest';
import { startWebhooks } from '../../testing/webhook-receiver.ts';
import type { Client } from '../../testing/client.ts';

/** Stopped webhooks and channels are tasks for the users who manage them. */

const { admin, account, add, as, make, owner, deps } = await startWebhooks();
const acme = await make.entity();

/** A person with a role of their own. */
async function withRole(permission: string, entityIds: number[] | null = null) {
  const { user_id } = await make.employee({ roles: [] });
  const { rows } = await owner.query(`insert into roles (name, scope) values ($1, 'all') returning id`, [
    `Role of ${user_id}`,
  ]);
  await owner.query('insert into role_permissions values ($1, $2)', [rows[0].id, permission]);
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    user_id,
    rows[0].id,
    entityIds,
  ]);
  return as(user_id);
}
const manager = await withRole('webhooks.manage');
const ofOne = await withRole('webhooks.manage', [acme.id]);
const reader = await withRole('events.view');

const byText = (a: string[], b: string[]) => a.join().localeCompare(b.join());
const tasks = async (client: Client, kind: string) => {
  const { status, body } = await client.get(`/api/actionable-items?kind=${kind}`);
  expect(status).toBe(200);
  return (body.data as { title: string; url: string }[]).map(({ title, url }) => [title, url]);
};

test('a webhook that its failures or the rights of its account stopped is a task, one that a person paused is not', async () => {
  const kind = 'webhook_stopped';
  const { id: service_account_id } = await account();
  const url = 'https://hooks.test/hook';
  const [gone, grown, paused] = [
    await add({ name: 'Payroll', url, service_account_id }),
    await add({ name: 'Access', url, service_account_id }),
    await add({ name: 'Door', url, service_account_id }),
  ];
  expect(await tasks(manager, kind)).toEqual([]);
  const set = 'update webhooks set status = $2, reason = $3 where id = $1';
  await owner.query(set, [gone.id, 'disabled', 'failing']);
  await owner.query(set, [grown.id, 'paused', 'more_rights']);
  await owner.query(set, [paused.id, 'paused', 'person']);
  const expected = [
    ['Resume the webhook Payroll or delete it', `/settings/webhooks?webhook=${gone.id}`],
    ['Resume the webhook Access or delete it', `/settings/webhooks?webhook=${grown.id}`],
  ];
  for (const client of [admin, manager])
    expect((await tasks(client, kind)).toSorted(byText)).toEqual(expected.toSorted(byText));
  for (const client of [ofOne, reader]) expect(await tasks(client, kind)).toEqual([]);
  expect((await manager.get(`/api/actionable-items?kind=${kind}&search=payroll`)).body.meta.total).toBe(1);
  expect(await deps.metrics.text()).toMatch(/^tenure_webhooks_disabled 1$/m);
  await owner.query("update webhooks set status = 'active', reason = null");
  expect(await tasks(manager, kind)).toEqual([]);
});

test('a stopped channel is a task', async () => {
  const kind = 'chat_target_stopped';
  const { status } = await admin.post('/api/chat-targets', {
    name: 'HR team',
    kind: 'slack',
    url: 'https://hooks.test/hook',
    counts: ['kpi_reviews'],
    hour: 9,
    timezone: 'Europe/Berlin',
    language: 'en',
  });
  expect([status, await tasks(manager, kind)]).toEqual([201, []]);
  await owner.query("update chat_targets set status = 'stopped', reason = 'account'");
  const expected = [['Resume the chat channel HR team or delete it', '/settings/webhooks?view=chat']];
  expect([await tasks(admin, kind), await tasks(manager, kind)]).toEqual([expected, expected]);
  for (const client of [ofOne, reader]) expect(await tasks(client, kind)).toEqual([]);
});
