import { chatCounts, messages, maxChatTargets, text } from '@tenure/contract';
import type { BodyOut, ChatTarget, chatTargets } from '@tenure/contract';
import { sql } from 'kysely';
import { refuseUnknownCompanies } from '../../access/known-companies.ts';
import { accountableUser } from '../../access/credential-issuer.ts';
import { storeSecret } from '../../access/sealed-columns.ts';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { inTransaction } from '../../http/late-transaction.ts';
import type { LateTransactionCtx } from '../../http/late-transaction.ts';
import { requireAllowedUrl } from '../../http-out/allowed-url.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { lockTarget } from './queries.ts';
import { unseenCount } from './rights.ts';
import { urlColumn } from './send.ts';

/** The counts go to people who may not see them here, so the user who sends them must see everything they count. */
function checkCounts({ actor }: Pick<ReadCtx, 'actor'>, target: Pick<ChatTarget, 'counts' | 'entity_ids'>): void {
  const place = unseenCount(actor, target);
  if (place >= 0) throw invalid(`counts.${place}`, messages.unavailable);
}

async function refuseMore(db: Db): Promise<void> {
  // of two that are added at once, the second counts the first
  await sql`select pg_advisory_xact_lock(hashtext('chat_targets'))`.execute(db);
  const { rows } = await sql<{ count: number }>`select count(*) as count from chat_targets`.execute(db);
  if ((rows[0]?.count ?? 0) >= maxChatTargets) throw invalid('name', text('chat.too_many', { most: maxChatTargets }));
}

type Stored = Pick<
  ChatTarget,
  'name' | 'kind' | 'host' | 'entity_ids' | 'counts' | 'weekday' | 'hour' | 'timezone' | 'language'
>;

/** The fields of a body without the address, of which only the host is stored unencrypted. */
function storedOf(sent: BodyOut<typeof chatTargets.update>, before: Partial<Stored>): Stored {
  const { url, revision: _revision, ...fields } = sent;
  const { entity_ids, counts, weekday, ...all } = { entity_ids: null, weekday: null, ...before, ...fields } as Stored;
  return {
    ...all,
    host: url === undefined ? all.host : new URL(url).host,
    weekday: weekday ?? null,
    counts: chatCounts.filter((count) => counts.includes(count)),
    entity_ids: entity_ids ? [...new Set(entity_ids)].toSorted((a, b) => a - b) : null,
  };
}

const valuesOf = ({ name, kind, host, entity_ids, counts, weekday, hour, timezone, language }: Stored): Stored => ({
  name,
  kind,
  host,
  entity_ids,
  counts,
  weekday,
  hour,
  timezone,
  language,
});

/** Adds a chat target. Returns its id. */
export async function createTarget(
  ctx: LateTransactionCtx & { body: BodyOut<typeof chatTargets.create> },
): Promise<number> {
  const { counts, entity_ids = null } = ctx.body;
  checkCounts(ctx, { counts, entity_ids });
  await requireAllowedUrl(ctx, ctx.body.url);
  return inTransaction(ctx, async (inside) => {
    const { db, actor } = inside;
    const values = valuesOf(storedOf(ctx.body, {}));
    await refuseUnknownCompanies(db, values.entity_ids);
    await refuseMore(db);
    const { id } = await db
      .insertInto('chat_targets')
      .values({ ...values, set_by_id: accountableUser(actor) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await storeSecret(db, ctx.deps.ring, urlColumn, id, Buffer.from(ctx.body.url));
    const changes = changesBetween({}, values);
    await record(inside, { action: 'chat_target.created', subject_id: id, subject_label: values.name, changes });
    return id;
  });
}

/** Changes a chat target. */
export async function updateTarget(
  ctx: LateTransactionCtx & { body: BodyOut<typeof chatTargets.update> },
  found: ChatTarget,
): Promise<void> {
  const { url } = ctx.body;
  if (url !== undefined) await requireAllowedUrl(ctx, url);
  await inTransaction(ctx, async (inside) => {
    const { db, actor } = inside;
    const before = await lockTarget(inside, found.id);
    checkRevision(before, ctx.body, before.status);
    const values = valuesOf(storedOf(ctx.body, before));
    checkCounts(ctx, { ...values, counts: ctx.body.counts ?? values.counts });
    await refuseUnknownCompanies(db, values.entity_ids);
    const changes = changesBetween({ ...before }, values);
    // if the host stays the same, the entry still says that an address was sent
    if (url !== undefined) changes['webhook_url'] = { from: before.host, to: values.host };
    if (Object.keys(changes).length === 0) return;
    await db
      .updateTable('chat_targets')
      .set({ ...values, set_by_id: accountableUser(actor) })
      .where('id', '=', found.id)
      .execute();
    if (url !== undefined) await storeSecret(db, ctx.deps.ring, urlColumn, found.id, Buffer.from(url));
    await record(inside, { action: 'chat_target.updated', subject_id: found.id, subject_label: values.name, changes });
  });
}

/** Reactivates a locked chat target; the actor, who can see everything it counts, becomes responsible. */
export async function resumeTarget(
  ctx: WriteCtx & { body: { revision?: number | undefined } },
  target: ChatTarget,
): Promise<void> {
  const { id, name, status } = target;
  checkRevision(target, ctx.body, status);
  if (status === 'active') return;
  await sql`
    update chat_targets set status = 'active', reason = null, set_by_id = ${accountableUser(ctx.actor)}
    where id = ${id}`.execute(ctx.db);
  await record(ctx, { action: 'chat_target.resumed', subject_id: id, subject_label: name });
}

/** Deletes a locked chat target. */
export async function deleteTarget(ctx: WriteCtx, { id, name }: ChatTarget): Promise<void> {
  await ctx.db.deleteFrom('chat_targets').where('id', '=', id).execute();
  await record(ctx, { action: 'chat_target.deleted', subject_id: id, subject_label: name });
}
