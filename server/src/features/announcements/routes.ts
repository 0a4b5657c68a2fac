import { announcements, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { listAnnouncements, lockAnnouncement, readAnnouncement } from './queries.ts';
import { createAnnouncement, deleteAnnouncement, updateAnnouncement } from './write.ts';

const find = (ctx: ReadCtx & { params: { id: number } }) => lockAnnouncement(ctx, ctx.params.id);

export const announcementRoutes = [
  bind(announcements.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listAnnouncements(ctx, ctx.query)),
  }),
  bind(announcements.get, { handle: async (ctx) => read(await readAnnouncement(ctx, ctx.params.id)) }),
  bind(announcements.create, {
    handle: async (ctx) =>
      done(await readAnnouncement(ctx, await createAnnouncement(ctx)), text('announcements.created')),
  }),
  bind(announcements.update, {
    find,
    handle: async (ctx, announcement) => {
      await updateAnnouncement(ctx, announcement);
      return done(await readAnnouncement(ctx, announcement.id), text('announcements.updated'));
    },
  }),
  bind(announcements.delete, { find, handle: deleteAnnouncement }),
];
