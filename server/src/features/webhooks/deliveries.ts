import { eventTypeNames, maxReplayed, text, webhookDays } from '@tenure/contract';
import type { BodyOut, Event, QueryOut, WebhookDelivery, webhooks } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { record } from '../../audit.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { invalid, notFound } from '../../http/errors.ts';
import {
  eventColumns,
  isOfOthers,
  isReadableBy,
  presentEvent,
  readableEvents,
  visibleEvents,
} from '../events/visible.ts';
import type { StoredEvent } from '../events/visible.ts';
import { messageId } from './columns.ts';
import type { StoredWebhook } from './queries.ts';

type Shown = Omit<WebhookDelivery, 'allowed_actions'>;

const columns = sql`
  d.id, ${messageId} as message_id, d.sequence, v.type, v.at as timestamp, d.status, d.attempts, d.tried_at, d.http_status,
  d.error, d.ms, case when d.status = 'pending' then d.next_attempt_at end as next_attempt_at, d.created_at`;
/** A delivery is kept as long as its event. */
const tables = sql`webhook_deliveries d join events v on v.sequence = d.sequence`;

type Owned = Pick<StoredWebhook, 'id' | 'service_account_id'>;

/** True for an event that the account of a webhook may read now; a pending one has not been checked yet. */
const isReadable = ({ service_account_id }: Owned) => isReadableBy(sql`${service_account_id}::bigint`, 'v');

/**
 * True for a delivery that the actor sees: if the account lost rights, users who have them still see what was sent.
 * Deliveries about the actor's own review are hidden, because they could reveal an undecided one.
 */
const isSeen = ({ actor }: Pick<ReadCtx, 'actor'>, webhook: Owned) =>
  sql<SqlBool>`(${isOfOthers(actor)} and (${isReadable(webhook)} or ${readableEvents(actor, eventTypeNames)}))`;

const present = (row: Shown): WebhookDelivery => ({
  ...row,
  allowed_actions: row.status === 'pending' ? [] : ['replay'],
});

type Query = QueryOut<typeof webhooks.deliveries>;

export async function listDeliveries(ctx: ReadCtx, webhook: Owned, query: Query) {
  const where = every([
    sql<SqlBool>`d.webhook_id = ${webhook.id} and ${isSeen(ctx, webhook)}`,
    ...oneOfTexts(sql`d.status`, query.status),
    ...oneOfTexts(sql`v.type`, query.type),
    ...holdsWords([sql`v.type`, messageId, sql`d.error`], query.search),
  ]);
  const { rows, total } = await selectPage(ctx.db, query, {
    rows: sql<Shown>`
      select ${columns} from ${tables} where ${where}
      ${orderedBy(sql`d.sequence`, query.sort_direction ?? 'desc', sql`d.id`)}`,
    total: sql`select count(*) from ${tables} where ${where}`,
  });
  return { rows: rows.map(present), total };
}

/** Finds a delivery of a webhook. Throws 404. */
export async function findDelivery(ctx: ReadCtx, webhook: Owned, id: number): Promise<WebhookDelivery> {
  const { rows } = await sql<Shown>`
    select ${columns} from ${tables}
    where d.webhook_id = ${webhook.id} and d.id = ${id} and ${isSeen(ctx, webhook)}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(row);
}

/** The event of a delivery as the feed gives it to the actor; null if the actor may not read it. */
export async function eventFor({ db, actor }: ReadCtx, { sequence }: WebhookDelivery): Promise<Event | null> {
  const { rows } = await sql<StoredEvent>`
    select ${eventColumns(actor)} from events v
    where v.sequence = ${sequence} and ${visibleEvents(actor, eventTypeNames)}`.execute(db);
  return rows[0] ? presentEvent(rows[0]) : null;
}

const anew = sql`status = 'pending', attempts = 0, next_attempt_at = now(), http_status = null, error = null, ms = null`;

type Wanted = BodyOut<typeof webhooks.replay>;

/** The events to send again, and whether each one was already pending. */
const wantedAgain = (
  { id, types, entity_ids, service_account_id }: StoredWebhook,
  { since, status }: Wanted,
  isShown: RawBuilder<SqlBool>,
) => sql`
  select v.sequence, d.id as delivery_id, ${isShown} as is_shown
  from events v left join webhook_deliveries d on d.webhook_id = ${id} and d.sequence = v.sequence
  where v.at >= coalesce(${since ?? null}::timestamptz, now() - make_interval(days => ${webhookDays}))
    and ${isReadable({ id, service_account_id })}
    and ${
      status
        ? sql`d.status = ${status}`
        : sql`d.status is distinct from 'pending'
            and (${types}::text[] is null or v.type = any(${types}::text[]))
            and (${entity_ids}::bigint[] is null or v.entity_id = any(${entity_ids}::bigint[]))`
    }`;

type Queued = { queued: number; shown: number };

/** Queues events again; `shown` excludes those that the actor does not see. */
async function queue({ db, actor, body }: WriteCtx & { body: Wanted }, webhook: StoredWebhook): Promise<Queued> {
  const { rows } = await sql<Queued>`
    with wanted as materialized (${wantedAgain(webhook, body, isOfOthers(actor))} limit ${maxReplayed + 1}), counted as (
      select count(*) as queued, count(*) filter (where is_shown) as shown from wanted
    ), again as (
      update webhook_deliveries set ${anew}
      where id in (select delivery_id from wanted) and (select queued from counted) <= ${maxReplayed}
    ), added as (
      insert into webhook_deliveries (webhook_id, sequence)
      select ${webhook.id}, sequence from wanted
      where delivery_id is null and (select queued from counted) <= ${maxReplayed}
      on conflict do nothing
    )
    select queued::int, shown::int from counted`.execute(db);
  return rows[0] ?? { queued: 0, shown: 0 };
}

/** Sends events of a locked webhook again. Returns the number of those that the actor sees. */
export async function replay(ctx: WriteCtx & { body: Wanted }, webhook: StoredWebhook): Promise<number> {
  const { since = null, status = null } = ctx.body;
  if (!since && !status) throw invalid('since', text('validation.required'));
  const { queued, shown } = await queue(ctx, webhook);
  if (queued > maxReplayed) throw invalid('since', text('webhooks.too_many_again', { most: maxReplayed }));
  await record(ctx, {
    action: 'webhook.replayed',
    subject_id: webhook.id,
    subject_label: webhook.name,
    changes: {
      since: { from: null, to: since },
      status: { from: null, to: status },
      queued: { from: null, to: shown },
    },
  });
  return shown;
}

/** Sends one event again, even if it is pending. */
export async function replayDelivery(ctx: WriteCtx, webhook: StoredWebhook, delivery: WebhookDelivery): Promise<void> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set ${anew} where id = ${delivery.id} and status <> 'pending'`.execute(ctx.db);
  if (!numAffectedRows) return;
  await record(ctx, {
    action: 'webhook.replayed',
    subject_id: webhook.id,
    subject_label: webhook.name,
    changes: { sequence: { from: null, to: delivery.sequence } },
  });
}
