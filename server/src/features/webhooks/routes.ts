import { text, webhooks } from '@tenure/contract';
import { coveredAccounts, requireCover } from '../../access/cover.ts';
import { bind } from '../../http/context.ts';
import type { ReadCtx, RecordCtx } from '../../http/context.ts';
import { forbidden } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { eventFor, findDelivery, listDeliveries, replay, replayDelivery } from './deliveries.ts';
import { eventCatalogue } from './examples.ts';
import { findWebhook, listAccounts, listWebhooks, lockWebhook, readWebhook } from './queries.ts';
import type { StoredWebhook } from './queries.ts';
import { sendTest } from './test-message.ts';
import { createWebhook, deleteWebhook, pauseWebhook, replaceSecret, resumeWebhook, updateWebhook } from './write.ts';

const find = (ctx: RecordCtx) => lockWebhook(ctx, ctx.params.id);

/** A webhook sends what the account may read, so users need all rights of the account to make it send. */
const allow = ({ db, actor }: ReadCtx, { service_account_id }: Pick<StoredWebhook, 'service_account_id'>) =>
  requireCover(db, actor, [service_account_id]);

/** Deliveries reveal what happened in the scope of the account. */
const allowRead = async (
  { db, actor }: ReadCtx,
  { service_account_id: id }: Pick<StoredWebhook, 'service_account_id'>,
) => {
  if (!(await coveredAccounts(db, actor, [id])).has(id)) throw forbidden();
};

const withoutTransaction = 'the address is looked up first, which may take seconds';

type DeliveryCtx = ReadCtx & { params: { id: number; deliveryId: number } };

const findOf = (look: (ctx: RecordCtx, id: number) => Promise<StoredWebhook>) => async (ctx: DeliveryCtx) => {
  const webhook = await look(ctx, ctx.params.id);
  return { webhook, delivery: await findDelivery(ctx, webhook, ctx.params.deliveryId) };
};

export const webhookRoutes = [
  bind(webhooks.types, { handle: async () => ({ data: eventCatalogue }) }),
  bind(webhooks.accounts, { handle: async (ctx) => ({ data: await listAccounts(ctx) }) }),
  bind(webhooks.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listWebhooks(ctx, ctx.query)) }),
  bind(webhooks.get, { handle: async (ctx) => read(await readWebhook(ctx, ctx.params.id)) }),
  bind(webhooks.create, {
    withoutTransaction,
    handle: async (ctx) => {
      const { id, secret } = await createWebhook(ctx);
      return { ...done(await readWebhook(ctx, id), text('webhooks.created')), secret };
    },
  }),
  bind(webhooks.update, {
    find: (ctx) => findWebhook(ctx, ctx.params.id),
    allow,
    withoutTransaction,
    handle: async (ctx, webhook) => {
      await updateWebhook(ctx, webhook);
      return done(await readWebhook(ctx, webhook.id), text('webhooks.updated'));
    },
  }),
  bind(webhooks.delete, { find, handle: deleteWebhook }),
  bind(webhooks.secret, {
    find,
    allow,
    handle: async (ctx, webhook) => {
      const secret = await replaceSecret(ctx, webhook);
      return { ...done(await readWebhook(ctx, webhook.id), text('webhooks.secret_replaced')), secret };
    },
  }),
  bind(webhooks.test, {
    find: (ctx) => findWebhook(ctx, ctx.params.id),
    allow,
    withoutTransaction: 'the receiver may take seconds to answer',
    handle: async (ctx, { id }) => {
      const outcome = await sendTest(ctx, id);
      return done(outcome, text(outcome.is_sent ? 'webhooks.test_sent' : 'webhooks.test_failed'));
    },
  }),
  bind(webhooks.pause, {
    find,
    handle: async (ctx, webhook) => {
      await pauseWebhook(ctx, webhook);
      return done(await readWebhook(ctx, webhook.id), text('webhooks.paused'));
    },
  }),
  bind(webhooks.resume, {
    find,
    allow,
    handle: async (ctx, webhook) => {
      await resumeWebhook(ctx, webhook);
      return done(await readWebhook(ctx, webhook.id), text('webhooks.resumed'));
    },
  }),
  bind(webhooks.replay, {
    find,
    allow,
    handle: async (ctx, webhook) => {
      const queued = await replay(ctx, webhook);
      return done({ queued }, text('webhooks.queued', { count: queued }));
    },
  }),
  bind(webhooks.deliveries, {
    find: (ctx) => findWebhook(ctx, ctx.params.id),
    allow: allowRead,
    handle: async (ctx, webhook) => pageOf(ctx, ctx.query, await listDeliveries(ctx, webhook, ctx.query)),
  }),
  bind(webhooks.delivery, {
    find: findOf(findWebhook),
    allow: (ctx, { webhook }) => allowRead(ctx, webhook),
    handle: async (ctx, { delivery }) => read({ ...delivery, event: await eventFor(ctx, delivery) }),
  }),
  bind(webhooks.replayDelivery, {
    find: findOf(lockWebhook),
    allow: (ctx, { webhook }) => allow(ctx, webhook),
    handle: async (ctx, { webhook, delivery }) => {
      await replayDelivery(ctx, webhook, delivery);
      return done(await findDelivery(ctx, webhook, delivery.id), text('webhooks.queued', { count: 1 }));
    },
  }),
];
