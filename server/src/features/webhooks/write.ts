import { eventTypeNames, messages, maxWebhooks, text } from '@tenure/contract';
import type { BodyOut, webhooks } from '@tenure/contract';
import { sql } from 'kysely';
import { coveredAccounts, lockAccounts } from '../../access/cover.ts';
import { refuseUnknownCompanies } from '../../access/known-companies.ts';
import { accountableUser } from '../../access/credential-issuer.ts';
import { readSecret, storeSecret } from '../../access/sealed-columns.ts';
import { changesBetween, record } from '../../audit.ts';
import type { Change, Entry } from '../../audit.ts';
import { newWebhookKey } from '../../crypto/webhook-signature.ts';
import type { Db } from '../../db/connect.ts';
import { sentOf } from '../../db/values.ts';
import type { ReadCtx, ServiceCtx, WriteCtx } from '../../http/context.ts';
import { conflict, invalid } from '../../http/errors.ts';
import { inTransaction } from '../../http/late-transaction.ts';
import type { LateTransactionCtx } from '../../http/late-transaction.ts';
import { requireAllowedUrl } from '../../http-out/allowed-url.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { lockWebhook } from './queries.ts';
import type { StoredWebhook } from './queries.ts';

const secretColumn = { table: 'webhooks', column: 'secret' } as const;
const previousColumn = { table: 'webhooks', column: 'previous_secret' } as const;

/** How many hours the previous secret still signs after a change. */
const overlapHours = 24;

/** The service account, if the actor has all of its rights; others are treated as unknown. */
async function checkAccount({ db, actor }: ReadCtx, id: number): Promise<void> {
  await lockAccounts(db, [id]);
  const { rows } = await sql`select from service_accounts where user_id = ${id}`.execute(db);
  const isCovered = (await coveredAccounts(db, actor, [id])).has(id);
  if (rows.length === 0 || !isCovered) throw invalid('service_account_id', messages.unavailable);
}

async function refuseMore(db: Db): Promise<void> {
  // of two that are added at once, the second counts the first
  await sql`select pg_advisory_xact_lock(hashtext('webhooks'))`.execute(db);
  const { rows } = await sql<{ count: number }>`select count(*) from webhooks`.execute(db);
  if ((rows[0]?.count ?? 0) >= maxWebhooks) throw invalid('name', text('webhooks.too_many', { most: maxWebhooks }));
}

type Fields = Omit<BodyOut<typeof webhooks.update>, 'revision'>;

/** Sorted, without duplicates. */
const tidied = (fields: Fields): Fields =>
  sentOf({
    ...fields,
    types: fields.types && eventTypeNames.filter((type) => fields.types?.includes(type)),
    entity_ids: fields.entity_ids && [...new Set<number>(fields.entity_ids)].toSorted((a, b) => a - b),
  });

/** The part of an address that the audit log stores, because paths and parameters of receivers are often secrets. */
const originOf = (url: string) => new URL(url).origin;

function changesOf(before: Partial<StoredWebhook>, { url, ...fields }: Fields): Record<string, Change> {
  const changes = changesBetween(before, fields);
  if (url !== undefined && url !== before.url)
    changes['url'] = { from: before.url === undefined ? null : originOf(before.url), to: originOf(url) };
  return changes;
}

const note = (
  ctx: WriteCtx,
  { id, name }: Pick<StoredWebhook, 'id' | 'name'>,
  entry: Pick<Entry, 'action' | 'changes'>,
) => record(ctx, { ...entry, subject_id: id, subject_label: name });

/** Adds a webhook. Returns its id and the secret to show. */
export async function createWebhook(
  ctx: LateTransactionCtx & { body: BodyOut<typeof webhooks.create> },
): Promise<{ id: number; secret: string | null }> {
  const { signature = 'v1', ...rest } = ctx.body;
  const fields = tidied(rest);
  await requireAllowedUrl(ctx, rest.url);
  return inTransaction(ctx, async (inside) => {
    const { db, actor } = inside;
    await refuseMore(db);
    await checkAccount(inside, rest.service_account_id);
    await refuseUnknownCompanies(db, fields.entity_ids);
    const key = newWebhookKey(signature);
    const { id } = await db
      .insertInto('webhooks')
      .values({ ...rest, ...fields, signature, public_key: key.public_key, set_by_id: accountableUser(actor) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await storeSecret(db, ctx.deps.ring, secretColumn, id, key.secret);
    const made = { ...changesOf({}, fields), signature: { from: null, to: signature } };
    await note(inside, { id, name: rest.name }, { action: 'webhook.created', changes: made });
    return { id, secret: key.shown };
  });
}

/** Changes a webhook. */
export async function updateWebhook(
  ctx: LateTransactionCtx & { body: BodyOut<typeof webhooks.update> },
  found: StoredWebhook,
): Promise<void> {
  const { revision, ...sent } = ctx.body;
  checkRevision(found, { revision }, found.status);
  const fields = tidied(sent);
  const { url, entity_ids, service_account_id } = fields;
  if (url !== undefined) await requireAllowedUrl(ctx, url);
  await inTransaction(ctx, async (inside) => {
    const { db, actor } = inside;
    await checkAccount(inside, service_account_id ?? found.service_account_id);
    const webhook = await lockWebhook(inside, found.id);
    checkRevision(webhook, { revision: found.revision }, webhook.status);
    await refuseUnknownCompanies(db, entity_ids);
    const changes = changesOf(webhook, fields);
    if (Object.keys(changes).length === 0) return;
    await db
      .updateTable('webhooks')
      .set({ ...fields, set_by_id: accountableUser(actor) })
      .where('id', '=', webhook.id)
      .execute();
    await note(inside, { ...webhook, ...fields }, { action: 'webhook.updated', changes });
  });
}

/** Deletes a locked webhook with its deliveries. */
export async function deleteWebhook(ctx: WriteCtx, webhook: StoredWebhook): Promise<void> {
  await ctx.db.deleteFrom('webhooks').where('id', '=', webhook.id).execute();
  await note(ctx, webhook, { action: 'webhook.deleted' });
}

/** Creates another secret of a locked webhook; the previous one also signs for a day. Returns the secret to show. */
export async function replaceSecret(
  ctx: ServiceCtx & { body: { revision?: number | undefined } },
  webhook: StoredWebhook,
): Promise<string | null> {
  const { db, deps } = ctx;
  const { id } = webhook;
  checkRevision(webhook, ctx.body, webhook.status);
  const before = await readSecret(db, deps.ring, secretColumn, id);
  const { secret, shown, public_key } = newWebhookKey(webhook.signature);
  await sql`
    update webhooks set public_key = ${public_key}, previous_secret = null,
      previous_until = ${before ? sql`now() + make_interval(hours => ${overlapHours})` : null},
      set_by_id = ${accountableUser(ctx.actor)}
    where id = ${id}`.execute(db);
  if (before) await storeSecret(db, deps.ring, previousColumn, id, before);
  await storeSecret(db, deps.ring, secretColumn, id, secret);
  await note(ctx, webhook, { action: 'webhook.secret_replaced' });
  return shown;
}

type Moving = WriteCtx & { body: { revision?: number | undefined } };

/** Pauses a locked webhook, whose events are kept for later. */
export async function pauseWebhook(ctx: Moving, webhook: StoredWebhook): Promise<void> {
  const { status, revision } = webhook;
  checkRevision(webhook, ctx.body, status);
  if (status === 'disabled') throw conflict(text('webhooks.is_disabled'), { status, revision });
  if (status === 'paused') return;
  await sql`update webhooks set status = 'paused', reason = 'person' where id = ${webhook.id}`.execute(ctx.db);
  await note(ctx, webhook, { action: 'webhook.paused' });
}

/** Lets a locked webhook send again and clears its failures. */
export async function resumeWebhook(ctx: Moving, webhook: StoredWebhook): Promise<void> {
  checkRevision(webhook, ctx.body, webhook.status);
  if (webhook.status === 'active') return;
  await sql`
    update webhooks set status = 'active', reason = null, failures = 0, failing_since = null, next_turn_at = now(),
      set_by_id = ${accountableUser(ctx.actor)}
    where id = ${webhook.id}`.execute(ctx.db);
  await note(ctx, webhook, { action: 'webhook.resumed' });
}
