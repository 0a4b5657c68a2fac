import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { allowedActions, instant, item, page, Ref, stamps } from './envelope.ts';
import { Event, eventTypeNames } from './events.ts';
import { changes, id, moment, oneOf, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';

/** `v1`: HMAC-SHA256 with a shared secret. `v1a`: Ed25519 with a key pair, whose private half only the service has. */
export const webhookSignatures = ['v1', 'v1a'] as const;
/** `paused` keeps events for later; `disabled` receives none. */
export const webhookStatuses = ['active', 'paused', 'disabled'] as const;
/**
 * Why a webhook is not active: a person paused it; the receiver answered 410; it failed for days; its account may do
 * more than the person who set it up.
 */
export const webhookReasons = ['person', 'gone', 'failing', 'more_rights'] as const;
/** Why nothing is sent although the webhook is active. */
export const webhookHindrances = ['off', 'account_off', 'no_token', 'secret_lost'] as const;
/** `sent`: answered with 2xx. `dead`: the last try failed. */
export const deliveryStatuses = ['pending', 'sent', 'dead'] as const;
/** What went wrong in an attempt: an answer other than 2xx, or none. */
export const deliveryErrors = ['status', 'timeout', 'connection', 'unresolved', 'denied', 'proxy'] as const;

/** The most webhooks of an installation, the most events resent at once, and the days that an event is kept. */
export const maxWebhooks = 100;
export const maxReplayed = 10_000;
export const webhookDays = 30;

const types = z.array(z.enum(eventTypeNames));

/** An address that receives events by signed POST. */
export const Webhook = z.object({
  id: z.int(),
  name: z.string().max(60),
  url: z.string().max(500),
  /** Null for all, including those of later releases. */
  types: types.nullable(),
  /** The account that owns it: only what the account may read is sent. */
  service_account: z.object({ id: z.int(), name: z.string().max(60), is_enabled: z.boolean() }),
  /** Companies that it is limited to; null for all that its account reaches. */
  entity_ids: z.array(z.int()).nullable(),
  signature: z.enum(webhookSignatures),
  /** With `v1a`, the key that verifies: `whpk_…`. */
  public_key: z.string().max(100).nullable(),
  /** Until then, the previous secret signs too. */
  previous_until: instant.nullable(),
  status: z.enum(webhookStatuses),
  reason: z.enum(webhookReasons).nullable(),
  hindrance: z.enum(webhookHindrances).nullable(),
  /** Since when every attempt has failed, and the number of failures in a row. */
  failing_since: instant.nullable(),
  failures: z.int(),
  /** Pending events, those that were given up, and the latest one delivered. */
  pending_count: z.int(),
  dead_count: z.int(),
  last_sent_at: instant.nullable(),
  /** Successful and failed attempts in the last 24 hours, by hour, the current one last. */
  hours: z.array(z.object({ sent: z.int(), failed: z.int() })).length(24),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type Webhook = z.output<typeof Webhook>;

/** One event on its way to a webhook. */
export const WebhookDelivery = z.object({
  id: z.int(),
  /** The `webhook-id` of all its requests. */
  message_id: z.string().max(60),
  sequence: z.int(),
  type: z.enum(eventTypeNames),
  /** When it happened. */
  timestamp: instant,
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  /** The time of the last attempt. */
  tried_at: instant.nullable(),
  http_status: z.int().nullable(),
  error: z.enum(deliveryErrors).nullable(),
  ms: z.int().nullable(),
  /** Null unless it is pending. */
  next_attempt_at: instant.nullable(),
  created_at: instant,
  allowed_actions: allowedActions,
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

const about = z.object({
  name: text(60, 2),
  url: text(500, 1).meta({ format: 'uri' }),
  types: z.array(oneOf(eventTypeNames)).min(1).max(eventTypeNames.length).nullish(),
  service_account_id: id(),
  entity_ids: z.array(id()).min(1).max(500).nullish(),
  signature: oneOf(webhookSignatures).optional(),
});

/** Shown once; null with `v1a`, whose public key is always shown. */
const withSecret = item(Webhook).extend({ secret: z.string().max(100).nullable() });

const path = '/webhooks/:id';
const delivery = `${path}/deliveries/:deliveryId` as const;
const reply = item(Webhook);
const manage = { permission: 'webhooks.manage', scope: 'everything' } as const;
const change = { ...manage, ...confirmed } as const;
const move = { ...manage, method: 'POST', body: z.object(revision), reply, status: 200 } as const;
const queued = item(z.object({ queued: z.int() }));

export const webhooks = {
  types: endpoint({
    ...manage,
    method: 'GET',
    path: '/webhook-events',
    summary: 'List the types of events, each with the permission it needs and an example',
    reply: z.object({
      data: z.array(z.object({ type: z.enum(eventTypeNames), permission: z.string().max(60), example: Event })),
    }),
    status: 200,
  }),
  accounts: endpoint({
    ...manage,
    method: 'GET',
    path: '/webhook-accounts',
    summary: 'List the service accounts that a webhook may belong to, each with the types it may read',
    reply: z.object({ data: z.array(Ref.extend({ is_enabled: z.boolean(), types })) }),
    status: 200,
  }),
  list: endpoint({
    ...manage,
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    query: listQuery(['name', 'created_at', 'last_sent_at'], { status: filters.oneOf(webhookStatuses) }),
    reply: page(Webhook),
    status: 200,
  }),
  get: endpoint({ ...manage, method: 'GET', path, summary: 'Read a webhook', reply, status: 200 }),
  create: endpoint({
    ...change,
    method: 'POST',
    path: '/webhooks',
    summary: 'Add a webhook; its secret is shown once',
    body: about,
    reply: withSecret,
    secret: true,
    status: 201,
  }),
  update: endpoint({
    ...change,
    method: 'PUT',
    path,
    summary: 'Change a webhook',
    body: changes(about.omit({ signature: true }), revision),
    reply,
    status: 200,
  }),
  delete: endpoint({
    ...manage,
    method: 'DELETE',
    path,
    summary: 'Delete a webhook with its deliveries',
    status: 204,
  }),
  secret: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/secret`,
    summary: 'Make another secret of a webhook, shown once; the one before signs beside it for 24 hours',
    body: z.object(revision),
    reply: withSecret,
    secret: true,
    status: 200,
  }),
  test: endpoint({
    ...manage,
    method: 'POST',
    path: `${path}/test`,
    summary: 'Send a webhook an event of the type webhook.test, about nothing, and see the answer',
    reply: item(
      z.object({
        is_sent: z.boolean(),
        http_status: z.int().nullable(),
        error: z.enum(deliveryErrors).nullable(),
        ms: z.int(),
      }),
    ),
    status: 200,
  }),
  pause: endpoint({ ...move, path: `${path}/pause`, summary: 'Keep the events of a webhook for later' }),
  // a person answers for where the events go
  resume: endpoint({
    ...move,
    accepts: 'session',
    path: `${path}/resume`,
    summary: 'Send the events of a webhook again',
  }),
  replay: endpoint({
    ...manage,
    method: 'POST',
    path: `${path}/replay`,
    summary: 'Send events of the last 30 days again: those with a status, or all since a moment, at most 10,000',
    body: z.object({ since: moment().nullish(), status: oneOf(['sent', 'dead']).nullish() }),
    reply: queued,
    status: 200,
  }),
  deliveries: endpoint({
    ...manage,
    method: 'GET',
    path: `${path}/deliveries`,
    summary: 'List the deliveries of a webhook, for 30 days, the latest event first',
    query: listQuery(['sequence'], {
      status: filters.oneOf(deliveryStatuses),
      type: filters.oneOf(eventTypeNames),
    }),
    reply: page(WebhookDelivery),
    status: 200,
  }),
  delivery: endpoint({
    ...manage,
    method: 'GET',
    path: delivery,
    summary: 'Read a delivery with its event, where the reader may read that',
    reply: item(WebhookDelivery.extend({ event: Event.nullable() })),
    status: 200,
  }),
  replayDelivery: endpoint({
    ...manage,
    method: 'POST',
    path: `${delivery}/replay`,
    summary: 'Send one event again',
    reply: item(WebhookDelivery),
    status: 200,
  }),
};
