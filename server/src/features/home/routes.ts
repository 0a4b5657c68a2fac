import { announcements, home } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { read } from '../../http/replies.ts';
import { findShown, readShown } from './announcements.ts';
import { readColleagues } from './colleagues.ts';
import { readPlace } from './place.ts';

const find = async (ctx: ReadCtx & { params: { id: number } }) => findShown(ctx, await readPlace(ctx), ctx.params.id);

export const homeRoutes = [
  bind(home.news, {
    handle: async (ctx) => {
      const place = await readPlace(ctx);
      return read({
        announcements: await readShown(ctx, place),
        ...(await readColleagues(ctx, place, ctx.deps.config.DIRECTORY)),
      });
    },
  }),
  bind(announcements.dismiss, {
    find,
    handle: async ({ db, actor }, id) => {
      await db
        .insertInto('announcement_dismissals')
        .values({ announcement_id: id, user_id: actor.user_id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  }),
  bind(announcements.restore, {
    find,
    handle: async ({ db, actor }, id) => {
      await db
        .deleteFrom('announcement_dismissals')
        .where('announcement_id', '=', id)
        .where('user_id', '=', actor.user_id)
        .execute();
    },
  }),
];
