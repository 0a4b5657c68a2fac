import { notificationPreferences, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done, read } from '../../http/replies.ts';
import { changePreferences, readPreferences } from './preferences.ts';

export const notificationPreferenceRoutes = [
  bind(notificationPreferences.get, { handle: async (ctx) => read(await readPreferences(ctx)) }),
  bind(notificationPreferences.update, {
    handle: async (ctx) => {
      await changePreferences(ctx, ctx.body);
      return done(await readPreferences(ctx), text('notifications.preferences_updated'));
    },
  }),
];
