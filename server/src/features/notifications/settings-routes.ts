import { notificationSettings, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { changeSettings, listSettings, settingOf, settingsOf } from './settings.ts';
import { sendTest } from './test-send.ts';

export const notificationSettingRoutes = [
  bind(notificationSettings.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listSettings(ctx, ctx.query)),
  }),
  bind(notificationSettings.updateAll, {
    handle: async (ctx) => {
      const { events } = ctx.body;
      await changeSettings(ctx, events, (index) => (name) => `events.${index}.${name}`);
      const changed = await settingsOf(
        ctx,
        events.map(({ event }) => event),
      );
      return done({ events: changed }, text('notifications.settings_updated'));
    },
  }),
  bind(notificationSettings.get, { handle: async (ctx) => read(await settingOf(ctx, ctx.params.event)) }),
  bind(notificationSettings.update, {
    handle: async (ctx) => {
      const { event } = ctx.params;
      await changeSettings(ctx, [{ ...ctx.body, event }], () => (name) => name);
      return done(await settingOf(ctx, event), text('notifications.setting_updated'));
    },
  }),
  bind(notificationSettings.test, {
    handle: async (ctx) => done(await sendTest(ctx, ctx.params.event), text('notifications.test_sent')),
  }),
];
