import { notifications, singleReads, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { StreamReply } from '../../http/event-stream.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import {
  countUnread,
  findNotification,
  listNotifications,
  markAllRead,
  markRead,
  removeNotification,
} from './queries.ts';

type OneOfMine = ReadCtx & { params: { id: number } };

const find = (ctx: OneOfMine) => findNotification(ctx, ctx.params.id);

/** Reading a notification changes no record and does not appear in the audit log. */
export const notificationRoutes = [
  bind(notifications.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listNotifications(ctx, ctx.query)),
  }),
  bind(notifications.unreadCount, { handle: async (ctx) => read({ count: await countUnread(ctx) }) }),
  bind(singleReads.notification, { find, handle: async (_ctx, found) => read(found) }),
  bind(notifications.readAll, {
    handle: async (ctx) => done({ count: await markAllRead(ctx, ctx.query) }, text('notifications.all_marked_read')),
  }),
  bind(notifications.read, {
    find,
    handle: async (ctx, { id }) => {
      await markRead(ctx, id);
      return done(await findNotification(ctx, id), text('notifications.marked_read'));
    },
  }),
  bind(notifications.stream, {
    handle: async ({ deps, actor }) => new StreamReply((stream) => deps.live.join(stream, actor)),
  }),
  bind(notifications.delete, { find, handle: (ctx, { id }) => removeNotification(ctx, id) }),
];
