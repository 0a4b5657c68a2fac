import { savedViews, text } from '@tenure/contract';
import { sql } from 'kysely';
import { bind } from '../../http/context.ts';
import type { Ctx, ReadCtx } from '../../http/context.ts';
import { forbidden } from '../../http/errors.ts';
import { taken } from '../../http/look-ups.ts';
import type { Sent } from '../../http/look-ups.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { can } from './policy.ts';
import { findView, listViews, present } from './queries.ts';
import type { StoredView } from './queries.ts';
import { createView, deleteView, lockOwner, updateView } from './write.ts';

/** Names are unique among a user's own views of a list. */
const name = ({ actor, id, sent }: Sent) =>
  taken(
    'name',
    sent['name'],
    sql`select from saved_views v where v.owner_id = ${actor.user_id} and fold(v.name) = fold(${sent['name']})
          and v.id is distinct from ${id}::bigint and v.resource = coalesce(
            ${sent['resource'] ?? null}::text, (select own.resource from saved_views own where own.id = ${id}::bigint))`,
  );

/** Finds and locks a view that the reader can change. */
const to = (action: 'update' | 'delete') => ({
  find: async (ctx: ReadCtx & { params: { id: number } }) => {
    await lockOwner(ctx.db, ctx.actor.user_id);
    return findView(ctx, ctx.params.id, { lock: true });
  },
  allow: ({ actor }: Pick<Ctx, 'actor'>, view: StoredView) => {
    if (!can(actor, view).includes(action)) throw forbidden();
  },
});

const shown = async (ctx: ReadCtx, id: number) => present(ctx.actor, await findView(ctx, id));

export const savedViewRoutes = [
  bind(savedViews.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listViews(ctx, ctx.query)),
  }),
  bind(savedViews.get, {
    find: (ctx) => findView(ctx, ctx.params.id),
    handle: async (ctx, view) => read(present(ctx.actor, view)),
  }),
  bind(savedViews.create, {
    lookUps: name,
    handle: async (ctx) => {
      const id = await createView(ctx, ctx.body);
      return done(await shown(ctx, id), text('saved_views.saved'));
    },
  }),
  bind(savedViews.update, {
    ...to('update'),
    lookUps: name,
    handle: async (ctx, view) => {
      await updateView(ctx, view, ctx.body);
      return done(await shown(ctx, view.id), text('saved_views.updated'));
    },
  }),
  bind(savedViews.delete, { ...to('delete'), handle: deleteView }),
];
