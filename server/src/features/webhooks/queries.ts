import { eventTypeNames, eventTypes } from '@tenure/contract';
import type { EventType, Permission, QueryOut, Webhook, webhooks } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Holder } from '../../access/actor.ts';
import { coveredAccounts, lockAccounts } from '../../access/cover.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx, ServiceCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { isOfOthers } from '../events/visible.ts';
import { hindrance, webhookTables } from './columns.ts';
import type { Sending } from './columns.ts';

type Computed = 'allowed_actions';
type Shown = Omit<Webhook, Computed>;
type Looking = Pick<ServiceCtx, 'db' | 'deps' | 'actor'>;

/** A webhook as stored, locked for a change. */
export type StoredWebhook = Pick<
  Webhook,
  'id' | 'name' | 'url' | 'types' | 'entity_ids' | 'signature' | 'status' | 'revision'
> & { service_account_id: number };

export const sendingOf = ({ config, ring }: ServiceCtx['deps']): Sending => ({ isOn: config.WEBHOOKS, ring });

/** The attempts of a webhook `w` by hour, without those about the actor's own review. */
const hoursOf = ({ employee_id: me }: Holder) => sql`array(
  select json_build_object('sent', coalesce(h.sent - coalesce(o.sent, 0), 0),
                           'failed', coalesce(h.failed - coalesce(o.failed, 0), 0))
  from generate_series(23, 0, -1) as ago
  left join webhook_hours h
    on h.webhook_id = w.id and h.hour = date_trunc('hour', now(), 'UTC') - make_interval(hours => ago)
  left join webhook_hours_about o on o.webhook_id = h.webhook_id and o.hour = h.hour and o.employee_id = ${me}::bigint
  order by ago desc)`;
/** When the latest delivery arrived, apart from those about the actor's own review. */
const lastSentFor = ({ employee_id: me }: Holder) =>
  sql`case when w.last_sent_about = ${me}::bigint then w.last_sent_before else w.last_sent_at end`;
/** How many deliveries of a webhook `w` are in a state, without those that the actor does not see. */
const countOf = (actor: Holder, status: 'pending' | 'dead') =>
  actor.employee_id === null
    ? sql`(select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.status = ${sql.lit(status)})`
    : sql`(select count(*) from webhook_deliveries d join events v on v.sequence = d.sequence
        where d.webhook_id = w.id and d.status = ${sql.lit(status)} and ${isOfOthers(actor)})`;
const columns = (actor: Holder, sending: Sending) => sql`
  w.id, w.name, w.url, w.types,
  json_build_object('id', s.user_id, 'name', s.name, 'is_enabled', u.is_enabled) as service_account,
  w.entity_ids, w.signature, w.public_key, case when w.previous_until > now() then w.previous_until end as previous_until,
  w.status, w.reason, ${hindrance(sending)} as hindrance, w.failing_since, w.failures,
  ${countOf(actor, 'pending')} as pending_count, ${countOf(actor, 'dead')} as dead_count,
  ${lastSentFor(actor)} as last_sent_at, ${hoursOf(actor)} as hours, w.revision, w.created_at, w.updated_at`;

/** The actions of a caller with all rights of the account, and those of any other one. */
function actionsOf({ status }: Pick<Webhook, 'status'>, isCovered: boolean): string[] {
  const pause = status === 'active' ? ['pause'] : [];
  if (!isCovered) return [...pause, 'delete'];
  return ['update', 'secret', 'test', 'replay', ...(status === 'active' ? pause : ['resume']), 'delete'];
}

const known: ReadonlySet<string> = new Set(eventTypeNames);

async function present({ db, actor }: Looking, rows: readonly Shown[]): Promise<Webhook[]> {
  const covered = await coveredAccounts(db, actor, [...new Set(rows.map(({ service_account }) => service_account.id))]);
  return rows.map((row) => ({
    ...row,
    // its path is often a secret, so only users who can set the address see it
    url: covered.has(row.service_account.id) ? row.url : new URL(row.url).origin,
    // a later release may have removed the type
    types: row.types && row.types.filter((type) => known.has(type)),
    allowed_actions: actionsOf(row, covered.has(row.service_account.id)),
  }));
}

type Query = QueryOut<typeof webhooks.list>;
const sortsFor = (actor: Holder): Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> => ({
  name: sql`fold(w.name)`,
  created_at: sql`w.created_at`,
  last_sent_at: lastSentFor(actor),
});

export async function listWebhooks(ctx: Looking, query: Query) {
  const where = every([
    ...oneOfTexts(sql`w.status`, query.status),
    ...holdsWords([sql`w.name`, sql`substring(w.url from '^https://[^/?#]+')`, sql`s.name`], query.search),
  ]);
  const { rows, total } = await selectPage(ctx.db, query, {
    rows: sql<Shown>`
      select ${columns(ctx.actor, sendingOf(ctx.deps))} from ${webhookTables} where ${where}
      ${orderedBy(sortsFor(ctx.actor)[query.sort_by ?? 'name'], query.sort_direction, sql`w.id`)}`,
    total: sql`select count(*) from ${webhookTables} where ${where}`,
  });
  return { rows: await present(ctx, rows), total };
}

/** A webhook as responses show it. Throws 404. */
export async function readWebhook(ctx: Looking, id: number): Promise<Webhook> {
  const { rows } = await sql<Shown>`
    select ${columns(ctx.actor, sendingOf(ctx.deps))} from ${webhookTables} where w.id = ${id}`.execute(ctx.db);
  const [webhook] = await present(ctx, rows);
  if (!webhook) throw notFound();
  return webhook;
}

const stored = sql`
  id, name, url, types, entity_ids, signature, status, revision, service_account_id`;

/** A webhook as stored. Throws 404. */
export async function findWebhook({ db }: Pick<ReadCtx, 'db'>, id: number): Promise<StoredWebhook> {
  const { rows } = await sql<StoredWebhook>`select ${stored} from webhooks where id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** Finds and locks a webhook for a change. Throws 404. */
export async function lockWebhook(ctx: Pick<ReadCtx, 'db'>, id: number): Promise<StoredWebhook> {
  // lock the account first, like a change of its rights, which pauses webhooks
  await lockAccounts(ctx.db, [(await findWebhook(ctx, id)).service_account_id]);
  await sql`select from webhooks where id = ${id} for no key update`.execute(ctx.db);
  return findWebhook(ctx, id);
}

type Account = { id: number; name: string; is_enabled: boolean; permissions: Permission[] };

/** The service accounts whose every right the actor has, each with the event types that its roles permit anywhere. */
export async function listAccounts({ db, actor }: ReadCtx) {
  const { rows } = await sql<Account>`
    select s.user_id as id, s.name, u.is_enabled, array(
      select distinct p.permission from role_assignments h
      join roles r on r.id = h.role_id and r.scope = 'all'
      join role_permissions p on p.role_id = r.id
      where h.user_id = s.user_id and h.entity_ids is distinct from '{}') as permissions
    from service_accounts s join users u on u.id = s.user_id order by fold(s.name), s.user_id`.execute(db);
  const covered = await coveredAccounts(
    db,
    actor,
    rows.map(({ id }) => id),
  );
  const typesOf = ({ permissions }: Account): EventType[] =>
    eventTypeNames.filter((type) => permissions.includes(eventTypes[type].permission));
  return rows
    .filter(({ id }) => covered.has(id))
    .map((account) => ({
      id: account.id,
      name: account.name,
      is_enabled: account.is_enabled,
      types: typesOf(account),
    }));
}
