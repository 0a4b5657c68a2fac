import type { AuditAction, Permission, WebhookDelivery } from '@tenure/contract';
import { expect, test, vi } from 'vitest';
import { record } from '../../../audit.ts';
import { collectForWebhooks } from '../../../jobs/schedule.ts';
import { databaseNow } from '../../../jobs/task.ts';
import { displaced, receiverOfTest, startWebhooks } from '../../../testing/webhook-receiver.ts';
import type { Received, Receiver } from '../../../testing/webhook-receiver.ts';
import { takeTurn } from './turn.ts';

const { admin, account, add, make, owner, deps, logged } = await startWebhooks();
const acting = { db: deps.db, actor: null };
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const { signal } = new AbortController();
const path = '/api/webhooks';

const collect = async () => collectForWebhooks({ deps, now: await databaseNow(deps.db) });
/** Collects until all entries are processed: an open transaction elsewhere holds back links. */
const collectAll = () =>
  vi.waitFor(
    async () => {
      await collect();
      const { rows } = await owner.query(
        'select from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)',
      );
      expect(rows).toEqual([]);
    },
    { timeout: 10_000 },
  );

type Happened = { action?: AuditAction; entity_id?: number; changes?: Record<string, { from: unknown; to: unknown }> };
/** Events about records with these ids, as deliveries. */
async function happen(
  ids: readonly number[],
  { action = 'employee.updated', entity_id = north.id, ...rest }: Happened = {},
) {
  await record(acting, ...ids.map((id) => ({ action, subject_id: id, entity_id, ...rest })));
  await collectAll();
}

const send = (id: number) => takeTurn(deps, id, signal);
const idsIn = ({ got }: Receiver) => got.map(({ body }) => (body['data'] as { id: number }).id);
const deliveries = async (id: number, query = '') =>
  (await admin.get(`${path}/${id}/deliveries?per_page=100&sort_direction=asc${query}`)).body.data as WebhookDelivery[];
/** The seconds between an attempt and the next one. */
const waitOf = ({ next_attempt_at, tried_at }: WebhookDelivery) =>
  next_attempt_at === null ? [] : [(Date.parse(next_attempt_at) - Date.parse(tried_at ?? '')) / 1_000];
/** Makes all pending deliveries due. */
const hurry = (id: number) =>
  owner.query("update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and status = 'pending'", [
    id,
  ]);
const read = async (id: number) => (await admin.get(`${path}/${id}`)).body.data as Record<string, unknown>;

/** A webhook with a separate account, and its receiver. */
async function hook(fields: Record<string, unknown> = {}, permissions?: Permission[], entityIds?: number[]) {
  const receiver = await receiverOfTest();
  const { id: service_account_id, role } = await account(permissions, entityIds);
  const made = await add({ url: receiver.url, service_account_id, ...fields });
  return { ...made, receiver, role, service_account_id };
}

test('an event arrives once, with ids and names of fields', async () => {
  const { id, receiver } = await hook();
  await happen([57], { changes: { job_title: { from: 'a', to: 'b' }, bank: { from: 'c', to: 'd' } } });
  await send(id);
  await send(id);
  const [{ headers, body, text }] = receiver.got as [Received];
  expect(receiver.got).toHaveLength(1);
  expect(body).toEqual({
    type: 'employee.updated',
    timestamp: expect.stringMatching(/^2.*Z$/),
    sequence: expect.any(Number),
    data: {
      id: 57,
      entity_id: north.id,
      employee_id: 57,
      changed: ['private', 'job_title'],
      actor: { type: 'system' },
    },
  });
  expect(Object.keys(body)).toEqual(['type', 'timestamp', 'sequence', 'data']);
  expect(text).not.toContain('"b"');
  const [delivery] = await deliveries(id);
  expect(delivery).toMatchObject({ status: 'sent', attempts: 1, http_status: 204, error: null });
  expect(headers).toMatchObject({ 'webhook-id': delivery?.message_id, 'content-type': 'application/json' });
  expect(headers['webhook-id']).toMatch(/^evt_\d+_[0-9a-f]+$/);
  expect(await read(id)).toMatchObject({ pending_count: 0, failures: 0, last_sent_at: expect.any(String) });
  expect((await read(id))['hours']).toHaveLength(24);
  expect(((await read(id))['hours'] as unknown[]).at(-1)).toEqual({ sent: 1, failed: 0 });
});

test('first tries leave in order, a few at once, and never two about one subject', async () => {
  const { id, receiver } = await hook();
  const ids = [...Array.from({ length: 24 }, (_, index) => 900 + index), 950, 950, 950];
  let late: NodeJS.Timeout | undefined;
  const open = new Map<number, () => void>();
  const repeated: number[] = [];
  let most = 0;
  const answerAll = () => {
    for (const [subject, answer] of open) {
      open.delete(subject);
      answer();
    }
  };
  // responds only when the maximum of simultaneous requests has arrived, or no more come
  receiver.answer(({ body }, response) => {
    const subject = (body['data'] as { id: number }).id;
    if (open.has(subject)) repeated.push(subject);
    open.set(subject, () => response.writeHead(200).end('fine'));
    most = Math.max(most, open.size);
    clearTimeout(late);
    if (open.size === 4) answerAll();
    else late = setTimeout(answerAll, 300);
  });
  await happen(ids);
  await send(id);
  expect([most, repeated]).toEqual([4, []]);
  expect(receiver.got).toHaveLength(ids.length);
  // four at once may arrive in another order
  expect(displaced(receiver)).toBeLessThan(4);
});

test('failures are tried again later and later, at last given up, and can be sent again', async () => {
  const { id, receiver } = await hook();
  receiver.answer((_got, response) => void response.writeHead(500).end('x'.repeat(100_000)));
  await happen([1]);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await hurry(id);
    await send(id);
    const [one] = await deliveries(id);
    expect(one).toMatchObject({ attempts: attempt, http_status: 500, error: 'status' });
    waits.push(...(one ? waitOf(one) : []));
  }
  const plain = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
  expect(waits).toHaveLength(plain.length);
  for (const [index, wait] of waits.entries()) {
    expect(wait / (plain[index] ?? 0)).toBeGreaterThan(0.75);
    expect(wait / (plain[index] ?? 0)).toBeLessThan(1.25);
  }
  const [dead] = await deliveries(id, '&status=dead');
  expect(dead).toMatchObject({ status: 'dead', next_attempt_at: null, allowed_actions: ['replay'] });
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await read(id)).toMatchObject({ dead_count: 1, failures: 10, failing_since: expect.any(String) });
  expect(logged.filter((line) => line.includes('"webhook_failed"')).at(-1)).toContain('"attempt":10');
  const metrics = await deps.metrics.text();
  expect(metrics).toContain('tenure_webhook_tries_total{result="failed"} 10\n');
  expect(metrics).toMatch(/^tenure_webhooks_failing 1$/m);
  receiver.answer((_got, response) => void response.writeHead(204).end());
  const again = await admin.post(`${path}/${id}/deliveries/${dead?.id}/replay`, {});
  expect([again.status, again.body.data.status]).toEqual([200, 'pending']);
  await send(id);
  expect(await deliveries(id)).toMatchObject([{ status: 'sent', attempts: 1 }]);
  expect(await read(id)).toMatchObject({ dead_count: 0, failures: 0, failing_since: null });
});

test('a receiver says when it wants to be asked again, but not beyond a day', async () => {
  const { id, receiver } = await hook();
  const later = async (header: string) => {
    receiver.answer((_got, response) => void response.writeHead(503, { 'retry-after': header }).end());
    await hurry(id);
    const rest = await send(id);
    const [one] = await deliveries(id);
    return [rest, ...(one ? waitOf(one) : [])];
  };
  await happen([1]);
  expect((await later('120'))[0]).toBe(120);
  const [rest, wait] = await later('999999');
  expect(rest).toBe(300);
  expect(wait).toBeGreaterThan(86_000);
  expect(wait).toBeLessThan(86_500);
});

test('410 disables at once, and so do 100 failures in a row over five days; owners and administrators are notified', async () => {
  const gone = await hook();
  gone.receiver.answer((_got, response) => void response.writeHead(410).end());
  await happen([1, 2]);
  await send(gone.id);
  expect(await read(gone.id)).toMatchObject({ status: 'disabled', reason: 'gone' });
  const failing = await hook();
  failing.receiver.answer((_got, response) => void response.writeHead(500).end());
  await happen([3]);
  const failed = (failures: number, since: string) =>
    owner.query('update webhooks set failures = $2, failing_since = now() - $3::interval where id = $1', [
      failing.id,
      failures,
      since,
    ]);
  for (const [failures, since, status] of [
    [99, '4 days', 'active'],
    [98, '6 days', 'active'],
    [99, '6 days', 'disabled'],
  ] as const) {
    await failed(failures, since);
    await hurry(failing.id);
    await send(failing.id);
    expect((await read(failing.id))['status'], `${failures} ${since}`).toBe(status);
  }
  const { rows } = await owner.query(
    "select distinct subject_id, variant from notifications where event = 'webhook_failing' order by subject_id",
  );
  expect(rows).toEqual([
    { subject_id: String(gone.id), variant: 'gone' },
    { subject_id: String(failing.id), variant: 'plain' },
  ]);
  expect(logged.filter((line) => line.includes('"webhook_disabled"'))).toHaveLength(2);
  // no deliveries are created while it is disabled; replaying sends what it missed
  await happen([4]);
  expect(await deliveries(failing.id)).toHaveLength(1);
  failing.receiver.answer((_got, response) => void response.writeHead(204).end());
  expect((await admin.post(`${path}/${failing.id}/resume`, {})).status).toBe(200);
  const replayed = await admin.post(`${path}/${failing.id}/replay`, { since: '2020-01-01T00:00:00Z' });
  expect(replayed.body.data.queued).toBeGreaterThan(1);
  await hurry(failing.id);
  await send(failing.id);
  expect(idsIn(failing.receiver)).toEqual(expect.arrayContaining([3, 4]));
});

test('what the account may read when it leaves is sent, and nothing else', async () => {
  const { id, receiver, role, service_account_id } = await hook({}, ['employees.view'], [north.id]);
  await happen([1], { entity_id: north.id });
  await happen([2], { entity_id: south.id });
  await happen([3], { action: 'department.updated' });
  await happen([4], { action: 'kpi_cycle.publish' });
  await send(id);
  expect(idsIn(receiver)).toEqual([1]);
  // a right that is removed or given takes effect immediately, even within a turn
  await happen([5, 6]);
  receiver.answer((_got, response) => {
    const taken = "delete from role_permissions where role_id = $1 and permission = 'employees.view'";
    const moved = 'update users set access_version = access_version + 1 where id = $1';
    void owner
      .query(taken, [role])
      .then(() => owner.query(moved, [service_account_id]))
      .then(() => setTimeout(() => response.writeHead(204).end(), 250));
  });
  await owner.query('update webhooks set failures = 1 where id = $1', [id]);
  await send(id);
  await send(id);
  expect(idsIn(receiver)).toEqual([1, 5]);
  expect(await deliveries(id)).toHaveLength(2);
});

test('nothing leaves of an account that is off or whose tokens have ended, nor what a change leaves out', async () => {
  const { id, receiver, service_account_id } = await hook();
  const waits = async (hindrance: string) => {
    await send(id);
    expect(receiver.got).toEqual([]);
    expect((await read(id))['hindrance']).toBe(hindrance);
  };
  await happen([1]);
  await owner.query('update api_tokens set revoked_at = now() where user_id = $1', [service_account_id]);
  await waits('no_token');
  await owner.query('update api_tokens set revoked_at = null where user_id = $1', [service_account_id]);
  await admin.put(`/api/service-accounts/${service_account_id}`, { is_enabled: false });
  await waits('account_off');
  await owner.query('update users set is_enabled = true where id = $1', [service_account_id]);
  await owner.query(
    'update api_tokens set epoch = (select token_epoch from users where id = user_id) where user_id = $1',
    [service_account_id],
  );
  expect((await admin.put(`${path}/${id}`, { entity_ids: [south.id] })).status).toBe(200);
  await happen([2], { entity_id: south.id });
  await send(id);
  expect(idsIn(receiver)).toEqual([2]);
  expect((await admin.delete(`/api/service-accounts/${service_account_id}`)).status).toBe(204);
  expect((await admin.get(`${path}/${id}`)).status).toBe(404);
  const { rows } = await owner.query("select from audit_log where action = 'webhook.deleted' and subject_id = $1", [
    id,
  ]);
  expect(rows).toHaveLength(1);
});
