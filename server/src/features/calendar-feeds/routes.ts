import { calendarFeeds, feedKinds, maxFeeds, text } from '@tenure/contract';
import { sql } from 'kysely';
import { createFeed } from '../../access/calendar-feeds.ts';
import { lockOwnAccount } from '../../access/own-account.ts';
import { record } from '../../audit.ts';
import { bind } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { done, pageOf } from '../../http/replies.ts';
import { notifyFeedMade } from '../../notifications/own-account.ts';
import { countFeeds, listFeeds, readFeed } from './queries.ts';
import { feedPath } from './paths.ts';

export const calendarFeedRoutes = [
  bind(calendarFeeds.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listFeeds(ctx, ctx.query)) }),
  bind(calendarFeeds.create, {
    handle: async (ctx) => {
      const { db, actor, body, deps } = ctx;
      // of two simultaneous requests, the second counts the address of the first
      await lockOwnAccount(db, actor);
      if ((await countFeeds(ctx)) >= maxFeeds) throw invalid('kinds', text('calendar.too_many', { most: maxFeeds }));
      const kinds = feedKinds.filter((kind) => body.kinds.includes(kind));
      const with_names = body.with_names ?? false;
      const { id, token } = await createFeed(db, { ...actor, kinds, with_names });
      await record(ctx, {
        action: 'calendar_feed.created',
        subject_id: id,
        changes: { kinds: { from: null, to: kinds }, with_names: { from: null, to: with_names } },
      });
      await notifyFeedMade(db, actor.user_id, { ...ctx.request, id });
      return { ...done(await readFeed(ctx, id), text('calendar.created')), url: deps.config.APP_URL + feedPath(token) };
    },
  }),
  bind(calendarFeeds.delete, {
    find: (ctx) => readFeed(ctx, ctx.params.id),
    handle: async (ctx, { id }) => {
      await sql`delete from calendar_feeds where id = ${id}`.execute(ctx.db);
      await record(ctx, { action: 'calendar_feed.deleted', subject_id: id });
    },
  }),
];
