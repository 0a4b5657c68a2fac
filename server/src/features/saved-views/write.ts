import { maxSavedViews, savedViewLists, text } from '@tenure/contract';
import type { BodyOut, savedViews, SavedViewResource } from '@tenure/contract';
import { sql } from 'kysely';
import * as z from 'zod';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { sentOf } from '../../db/values.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalid, invalidFields, say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { parseInput } from '../../http/validation.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { mayCall } from './queries.ts';
import type { StoredView } from './queries.ts';

type Create = BodyOut<typeof savedViews.create>;
type Update = BodyOut<typeof savedViews.update>;
type Query = NonNullable<Create['query']>;

/** The parameters as in a URL, without empty ones. */
const asTexts = (query: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, String(value)]])),
  );

/**
 * Validates a query like its list, and more strictly: an unknown parameter would have no effect. Returns the parameters
 * as texts. Throws 422 on `query.<parameter>`.
 */
function checkedQuery(resource: SavedViewResource, sent: Query): Record<string, string> {
  const query = asTexts(sent);
  const { page: _page, ...parameters } = savedViewLists[resource].query.shape;
  const list = z.object(parameters);
  const errors: FieldErrors = {};
  for (const name of Object.keys(query))
    if (!(name in list.shape)) errors[`query.${name}`] = [say(`query.${name}`, text('validation.prohibited'))];
  const parsed = parseInput(list, query);
  if ('errors' in parsed)
    for (const [name, messages] of Object.entries(parsed.errors)) errors[`query.${name}`] = messages;
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return query;
}

/** Of two simultaneous changes of a user's views, the second sees the first. */
export const lockOwner = (db: Db, ownerId: number) =>
  sql`select 1 from users where id = ${ownerId} for no key update`.execute(db);

/** Clears the current default before another one is set. */
async function dropDefault(db: Db, ownerId: number, resource: SavedViewResource): Promise<void> {
  await db
    .updateTable('saved_views')
    .set({ is_default: false })
    .where('owner_id', '=', ownerId)
    .where('resource', '=', resource)
    .where('is_default', '=', true)
    .execute();
}

async function refuseTooMany({ db, actor }: WriteCtx): Promise<void> {
  const { rows } = await sql<{ views: number }>`
    select count(*) as views from saved_views where owner_id = ${actor.user_id}`.execute(db);
  if ((rows[0]?.views ?? 0) >= maxSavedViews)
    throw invalid('name', text('saved_views.too_many', { most: maxSavedViews }));
}

/** Saves a new view of a list that the actor can call. */
export async function createView(ctx: WriteCtx, { resource, query, ...fields }: Create): Promise<number> {
  const { db, actor } = ctx;
  if (!mayCall(actor, resource)) throw invalid('resource', text('validation.selected'));
  const values = { ...sentOf(fields), resource, query: checkedQuery(resource, query ?? {}) };
  await lockOwner(db, actor.user_id);
  await refuseTooMany(ctx);
  if (values.is_default) await dropDefault(db, actor.user_id, resource);
  const { id } = await db
    .insertInto('saved_views')
    .values({ ...values, query: JSON.stringify(values.query), owner_id: actor.user_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(ctx, {
    action: 'saved_view.created',
    subject_id: id,
    subject_label: values.name,
    changes: changesBetween({}, values),
  });
  return id;
}

/** Updates the sent fields of one of the user's own views. */
export async function updateView(
  ctx: WriteCtx,
  view: StoredView,
  { revision, query, ...fields }: Update,
): Promise<void> {
  const { db, actor } = ctx;
  const values = { ...sentOf(fields), ...(query && { query: checkedQuery(view.resource, query) }) };
  checkRevision(view, { revision }, view.is_shared ? 'shared' : 'private');
  const changes = changesBetween(view, values);
  if (Object.keys(changes).length === 0) return;
  if (changes.is_default && values.is_default) await dropDefault(db, actor.user_id, view.resource);
  await db
    .updateTable('saved_views')
    .set({ ...values, ...(values.query && { query: JSON.stringify(values.query) }) })
    .where('id', '=', view.id)
    .execute();
  await record(ctx, {
    action: 'saved_view.updated',
    subject_id: view.id,
    subject_label: values.name ?? view.name,
    changes,
  });
}

/** Deletes a view. */
export async function deleteView(ctx: WriteCtx, view: StoredView): Promise<void> {
  await ctx.db.deleteFrom('saved_views').where('id', '=', view.id).execute();
  await record(ctx, {
    action: 'saved_view.deleted',
    subject_id: view.id,
    subject_label: view.name,
    changes: changesBetween({ owner: view.owner_name, resource: view.resource }, { owner: null, resource: null }),
  });
}
