import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { record } from '../../../audit.ts';
import type { Deps } from '../../../http/context.ts';
import { collectForWebhooks } from '../../../jobs/schedule.ts';
import { databaseNow } from '../../../jobs/task.ts';
import { receiverOfTest, startWebhooks } from '../../../testing/webhook-receiver.ts';
import type { Received } from '../../../testing/webhook-receiver.ts';
import { fanOut, deleteDeliveries } from './fan-out.ts';
import { startSender } from './sender.ts';
import { takeTurn } from './turn.ts';

const { admin, account, add, make, owner, deps } = await startWebhooks();
const acting = { db: deps.db, actor: null };
const acme = await make.entity();
const { signal } = new AbortController();
const path = '/api/webhooks';
const { id: service_account_id } = await account();

const job = async (own: Deps = deps) => ({ deps: own, now: await databaseNow(deps.db) });
const collect = async () => collectForWebhooks(await job());
const happen = (...ids: number[]) =>
  record(acting, ...ids.map((id) => ({ action: 'employee.updated' as const, subject_id: id, entity_id: acme.id })));
/** A sender like a worker's, until the end of the test. */
function sender(own: Deps = deps) {
  const running = startSender(own, { collect, lookMs: 20, collectMs: 50 });
  onTestFinished(running.stop);
  return running;
}
async function hook(fields: Record<string, unknown> = {}) {
  const receiver = await receiverOfTest();
  return { ...(await add({ url: receiver.url, service_account_id, ...fields })), receiver };
}
/** Collects until this many deliveries of a webhook are pending: an open transaction elsewhere holds events back. */
const waiting = (id: number, count: number) =>
  vi.waitFor(
    async () => {
      await collect();
      const { rows } = await owner.query(
        "select from webhook_deliveries where webhook_id = $1 and status = 'pending'",
        [id],
      );
      expect(rows).toHaveLength(count);
    },
    { timeout: 10_000 },
  );

const headersOf = ({ headers }: Received) => headers as Record<string, string>;

test('N31: a receiver verifies with a library of others, and what was changed is refused', async () => {
  const [one, other] = [await hook(), await hook()];
  await happen(1);
  for (const { id } of [one, other]) {
    await waiting(id, 1);
    await takeTurn(deps, id, signal);
  }
  const [got] = one.receiver.got as [Received];
  const verifier = new Webhook(one.secret);
  expect(verifier.verify(got.text, headersOf(got))).toEqual(got.body);
  const refused = (text: string, headers: Record<string, string>, secret = one.secret) =>
    expect(() => new Webhook(secret).verify(text, headers)).toThrow(/signature|timestamp/i);
  refused(got.text.replace('"id":1', '"id":2'), headersOf(got));
  refused(got.text, headersOf(got), other.secret);
  refused(got.text, { ...headersOf(got), 'webhook-id': 'evt_2' });
  const old = String(Number(headersOf(got)['webhook-timestamp']) - 600);
  refused(got.text, { ...headersOf(got), 'webhook-timestamp': old });
  // two endpoints get different signatures of the same event
  const [same] = other.receiver.got as [Received];
  expect(same.text).toBe(got.text);
  expect(same.headers['webhook-signature']).not.toBe(got.headers['webhook-signature']);
});

test('the page shows how to verify without a library', async () => {
  const { id, secret, receiver } = await hook();
  await admin.post(`${path}/${id}/test`, {});
  const page = readFileSync('docs/events.md', 'utf8');
  const [, example = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(example)}`)) as {
    isGenuine: (secret: string, headers: Record<string, string>, body: string) => boolean;
  };
  const [got] = receiver.got as [Received];
  expect(isGenuine(secret, headersOf(got), got.text)).toBe(true);
  expect(isGenuine(secret, headersOf(got), `${got.text} `)).toBe(false);
  expect(isGenuine(secret, { ...headersOf(got), 'webhook-timestamp': '1' }, got.text)).toBe(false);
});

test('after a change of the secret the one before signs for a day too', async () => {
  const { id, secret, receiver } = await hook();
  const { body } = await admin.post(`${path}/${id}/secret`, {});
  const verified = async (subject: number) => {
    await happen(subject);
    await waiting(id, 1);
    await takeTurn(deps, id, signal);
    const got = receiver.got.at(-1) as Received;
    return [secret, body.secret as string].map((one) => {
      try {
        return Boolean(new Webhook(one).verify(got.text, headersOf(got)));
      } catch {
        return false;
      }
    });
  };
  expect(await verified(2)).toEqual([true, true]);
  await owner.query("update webhooks set previous_until = now() - interval '1 second' where id = $1", [id]);
  expect(await verified(3)).toEqual([false, true]);
  await deleteDeliveries(await job());
  expect((await owner.query('select previous_secret from webhooks where id = $1', [id])).rows[0].previous_secret).toBe(
    null,
  );
});

test('with v1a the public key verifies', async () => {
  const { id, receiver } = await hook({ signature: 'v1a' });
  await happen(4);
  await waiting(id, 1);
  await takeTurn(deps, id, signal);
  const [got] = receiver.got as [Received];
  const { public_key } = (await admin.get(`${path}/${id}`)).body.data as { public_key: string };
  const [kind, signature = ''] = headersOf(got)['webhook-signature']?.split(',') ?? [];
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(public_key.slice(5), 'base64').toString('base64url') },
    format: 'jwk',
  });
  const text = `${headersOf(got)['webhook-id']}.${headersOf(got)['webhook-timestamp']}.${got.text}`;
  expect([kind, verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))]).toEqual(['v1a', true]);
});

test('a receiver that hangs holds up no other, and none that is away loses an event', async () => {
  const [hangs, works, away] = [await hook(), await hook(), await hook()];
  hangs.receiver.answer(() => undefined);
  away.receiver.close();
  sender();
  await happen(5, 6, 7);
  await vi.waitFor(() => expect(hangs.receiver.got.length).toBeGreaterThan(0), { timeout: 10_000 });
  await happen(8, 9);
  await vi.waitFor(() => expect(works.receiver.got).toHaveLength(5), { timeout: 10_000 });
  hangs.receiver.close();
  const failed = async () =>
    (await admin.get(`${path}/${away.id}/deliveries?status=pending`)).body.data as { error: string | null }[];
  await vi.waitFor(async () => expect((await failed()).filter(({ error }) => error === 'connection')).not.toEqual([]));
  expect(await failed()).toHaveLength(5);
});

test('of several processes one sends for a webhook, and another takes over what a dead one held', async () => {
  const { id, receiver } = await hook();
  await happen(...Array.from({ length: 60 }, (_, index) => 100 + index));
  await waiting(id, 60);
  // a process that died while sending
  await owner.query(
    "update webhooks set leased_by = 'dead', leased_until = now() + interval '1 minute' where id = $1",
    [id],
  );
  sender();
  sender();
  const idle = await hook();
  await happen(1_000);
  await vi.waitFor(() => expect(idle.receiver.got).toHaveLength(1), { timeout: 10_000 });
  expect(receiver.got).toEqual([]);
  await owner.query('update webhooks set leased_until = now() where id = $1', [id]);
  await vi.waitFor(() => expect(receiver.got).toHaveLength(61), { timeout: 10_000 });
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(61);
});

test('events are sent again by status or since a moment, and what a pause kept leaves after it', async () => {
  const { id, receiver } = await hook({ types: ['employee.updated'] });
  await admin.post(`${path}/${id}/pause`, {});
  await happen(11, 12);
  await waiting(id, 2);
  await takeTurn(deps, id, signal);
  expect(receiver.got).toEqual([]);
  await admin.post(`${path}/${id}/resume`, {});
  await takeTurn(deps, id, signal);
  expect(receiver.got).toHaveLength(2);
  const again = async (body: object) => {
    const answer = await admin.post(`${path}/${id}/replay`, body);
    return answer.status === 200 ? (answer.body.data.queued as number) : answer.status;
  };
  expect(await again({})).toBe(422);
  expect(await again({ status: 'dead' })).toBe(0);
  expect(await again({ status: 'sent' })).toBe(2);
  expect(await again({ status: 'sent' })).toBe(0);
  await takeTurn(deps, id, signal);
  // also events from before the webhook existed
  const { rows } = await owner.query("select from events where type = 'employee.updated'");
  expect(await again({ since: new Date(Date.now() - 3_600_000).toISOString() })).toBe(rows.length);
  expect(receiver.got.map(({ headers }) => headers['webhook-id'])).toHaveLength(4);
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  await owner.query(
    `insert into events (sequence, audit_id, type, at, subject_id, by_user)
     select 1000000 + n, 0, 'employee.updated', now(), n, true from generate_series(1, 10001) as n`,
  );
  expect(await again({ since: new Date(Date.now() - 3_600_000).toISOString() })).toBe(422);
  await owner.query('delete from events where sequence > 1000000');
  const { rows: entries } = await owner.query(
    "select changes from audit_log where action = 'webhook.replayed' and subject_id = $1 order by id limit 2",
    [id],
  );
  expect(entries[1].changes).toMatchObject({ status: { to: 'sent' }, queued: { to: 2 } });
});

test('the reader of a delivery sees its event where the feed shows it to them', async () => {
  const { id } = await hook();
  await happen(13);
  await waiting(id, 1);
  const [{ id: delivery } = { id: 0 }] = (await admin.get(`${path}/${id}/deliveries`)).body.data as { id: number }[];
  const read = await admin.get(`${path}/${id}/deliveries/${delivery}`);
  expect(read.body.data.event).toMatchObject({ type: 'employee.updated', data: { id: 13 } });
  expect((await admin.get(`${path}/${id + 1}/deliveries/${delivery}`)).status).toBe(404);
});

test('where webhooks are off nothing is kept for later', async () => {
  const { id } = await hook();
  const off = { ...deps, config: { ...deps.config, WEBHOOKS: false } };
  await happen(14);
  await waiting(id, 1);
  await owner.query('update webhooks_reached set sequence = sequence - 1');
  await owner.query('delete from webhook_deliveries');
  await fanOut(await job(off));
  await fanOut(await job());
  expect((await owner.query('select from webhook_deliveries')).rows).toEqual([]);
});
