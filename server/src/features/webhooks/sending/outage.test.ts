import { expect, test, vi } from 'vitest';
import { record } from '../../../audit.ts';
import { collectForWebhooks } from '../../../jobs/schedule.ts';
import { databaseNow } from '../../../jobs/task.ts';
import { displaced, receiverOfTest, startWebhooks } from '../../../testing/webhook-receiver.ts';
import type { Receiver } from '../../../testing/webhook-receiver.ts';
import { takeTurn } from './turn.ts';

/** A receiver that is down for hours, with a simulated clock: time passes by moving due times closer. */

const { account, add, admin, make, owner, deps } = await startWebhooks();
const acme = await make.entity();
const { signal } = new AbortController();
const hour = 3_600;

async function hook() {
  const receiver = await receiverOfTest();
  const { id: service_account_id } = await account();
  return { ...(await add({ url: receiver.url, service_account_id })), receiver };
}
/** Creates events about these people. An open transaction elsewhere holds events back for a moment. */
async function happen(ids: readonly number[]) {
  const acting = { db: deps.db, actor: null };
  await record(
    acting,
    ...ids.map((id) => ({ action: 'employee.updated' as const, subject_id: id, entity_id: acme.id })),
  );
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
async function pass(id: number, seconds: number) {
  const ago = `make_interval(secs => ${seconds})`;
  await owner.query(`update webhook_deliveries set next_attempt_at = next_attempt_at - ${ago} where webhook_id = $1`, [
    id,
  ]);
  await owner.query(`update webhooks set failing_since = failing_since - ${ago} where id = $1`, [id]);
}
const pending = async (id: number) =>
  (await admin.get(`/api/webhooks/${id}/deliveries?status=pending&per_page=1`)).body.meta.total as number;
const idsIn = ({ got }: Receiver) => got.map(({ body }) => (body['data'] as { id: number }).id);

test('a receiver that is down for six hours gets everything afterwards, in order', async () => {
  const { id, receiver } = await hook();
  // no response at all
  receiver.answer((_got, response) => void response.destroy());
  const batches = Array.from({ length: 6 }, (_, hours) => Array.from({ length: 8 }, (_, n) => 100 * (hours + 1) + n));
  let clock = 0;
  let tries = 0;
  for (const [hours, ids] of batches.entries()) {
    await happen(ids);
    while (clock < (hours + 1) * hour) {
      const rest = Math.max(300, await takeTurn(deps, id, signal));
      tries += 1;
      clock += rest;
      await pass(id, rest);
    }
  }
  // tried every five minutes, by one request
  expect(tries).toBeLessThan(100);
  expect(receiver.got.length).toBeLessThan(120);
  expect(await pending(id)).toBe(48);

  receiver.got.length = 0;
  receiver.answer((_got, response) => void response.writeHead(204).end());
  while ((await pending(id)) > 0) await takeTurn(deps, id, signal);
  expect(idsIn(receiver).toSorted((a, b) => a - b)).toEqual(batches.flat());
  // after the request that detected the outage; four are sent at once, and may arrive in another order
  expect(displaced({ got: receiver.got.slice(1) })).toBeLessThan(4);
}, 120_000);

test('only what got no answer is hastened, and the last tries stay as planned', async () => {
  const { id, receiver } = await hook();
  receiver.answer((_got, response) => void response.writeHead(500).end());
  await happen([1, 2, 3, 4]);
  await takeTurn(deps, id, signal);
  await owner.query(
    `update webhook_deliveries d set attempts = v.attempts, error = v.error, next_attempt_at = now() + interval '1 hour'
     from (values (1, 2, 'connection'), (2, 2, 'status'), (3, 7, 'timeout'), (4, 6, 'timeout')) as v (person, attempts, error)
     join events e on e.subject_id = v.person
     where d.webhook_id = $1 and d.sequence = e.sequence`,
    [id],
  );
  const failedFor = (minutes: number) =>
    owner.query('update webhooks set failures = 9, failing_since = now() - make_interval(mins => $2) where id = $1', [
      id,
      minutes,
    ]);
  receiver.got.length = 0;
  receiver.answer((_got, response) => void response.writeHead(204).end());
  // busy, not down
  await failedFor(20);
  await happen([5]);
  await takeTurn(deps, id, signal);
  expect(idsIn(receiver)).toEqual([5]);
  await failedFor(40);
  await happen([6]);
  await takeTurn(deps, id, signal);
  expect(idsIn(receiver).toSorted((a, b) => a - b)).toEqual([1, 4, 5, 6]);
  expect(await pending(id)).toBe(2);
});
