import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { record } from '../audit.ts';
import { startSender } from '../features/webhooks/sending/sender.ts';
import { collectForWebhooks } from '../jobs/schedule.ts';
import { databaseNow } from '../jobs/task.ts';
import { killWhen } from '../testing/kill-process.ts';
import { receiverOfTest, startWebhooks, tls } from '../testing/webhook-receiver.ts';

// The sending process is killed at each of its steps: every event arrives at least once, and none is lost.

const app = await startWebhooks();
const { account, add, make, owner, deps } = app;

const count = async (from: string) =>
  Number((await owner.query<{ count: string }>(`select count(*) from ${from}`)).rows[0]?.count);

test('a sender that is killed at each step loses no event', async () => {
  const acme = await make.entity();
  const { id: service_account_id } = await account();
  const receiver = await receiverOfTest();
  const silent: ServerResponse[] = [];
  await add({ url: receiver.url, service_account_id, types: ['employee.updated'] });
  let happened = 0;
  const happen = async (ids: number) => {
    const entries = Array.from({ length: ids }, () => ({
      action: 'employee.updated' as const,
      subject_id: (happened += 1),
      entity_id: acme.id,
    }));
    await record({ db: deps.db, actor: null }, ...entries);
  };
  const key = deps.ring.current;
  const secrets = key.forPurpose.secrets.toString('hex');
  const kill = async (reached: () => Promise<boolean>) => {
    await killWhen(app, ['webhook-worker.ts', key.kid, secrets, tls.cert], reached);
    // how long the lease of the killed process lasts
    await owner.query('update webhooks set leased_until = now(), next_turn_at = now()');
  };

  // while the chain, the events or the deliveries are created
  await happen(1_000);
  await kill(async () => (await count('audit_chain')) > 0);
  await happen(1_000);
  await kill(async () => (await count('events')) > 0);
  await kill(async () => (await count('webhook_deliveries')) > 0);
  // while a receiver has the request and has not responded
  const before = receiver.got.length;
  receiver.answer((_got, response) => void silent.push(response));
  await kill(async () => receiver.got.length > before);
  expect(silent.length).toBeGreaterThan(0);
  receiver.answer((_got, response) => void response.writeHead(204).end());
  // after the responses came, before and after they are stored
  const answered = receiver.got.length;
  await kill(async () => receiver.got.length > answered);
  await kill(async () => (await count("webhook_deliveries where status = 'sent'")) > 100);

  const sender = startSender(deps, {
    collect: async () => collectForWebhooks({ deps, now: await databaseNow(deps.db) }),
    lookMs: 20,
  });
  await vi.waitFor(
    async () => {
      expect(await count("webhook_deliveries where status = 'sent'")).toBe(happened);
    },
    { timeout: 120_000, interval: 200 },
  );
  await sender.stop();

  const ids = receiver.got.map(({ body }) => (body['data'] as { id: number }).id);
  expect(new Set(ids)).toEqual(new Set(Array.from({ length: happened }, (_, index) => index + 1)));
  // repeats have the id of the first request
  const messages = new Map(receiver.got.map(({ headers, body }) => [headers['webhook-id'], body['sequence']]));
  expect(messages.size).toBe(happened);
  const { rows } = await owner.query<{ sequence: string }>('select sequence from events order by sequence');
  expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, index) => index + 1));
}, 240_000);
