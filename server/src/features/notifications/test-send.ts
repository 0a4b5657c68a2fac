import { text } from '@tenure/contract';
import type { NotificationEvent, notificationSettings, Reply } from '@tenure/contract';
import type { ServiceCtx } from '../../http/context.ts';
import { invalid, tooMany } from '../../http/errors.ts';
import { notifyEach } from '../../notifications/notify.ts';
import { placesOf } from '../../notifications/words.ts';
import { sql } from 'kysely';
import { settingOf } from './settings.ts';

type Outcome = Reply<typeof notificationSettings.test>['data'];

export const secondsBetweenTests = 10;

/** Sample values: each placeholder shows its meaning. */
function samples(ctx: ServiceCtx, event: NotificationEvent): Record<string, string> {
  const known: Record<string, string> = {
    person: ctx.actor.name,
    date: Temporal.Now.plainDateISO('UTC').toString(),
  };
  return Object.fromEntries(placesOf(event).map((name) => [name, known[name] ?? `‹${name}›`]));
}

/**
 * Sends the caller a test notification, whatever their own preferences. Throws 422 if both channels are off, 429
 * shortly after another test.
 */
export async function sendTest(ctx: ServiceCtx, event: NotificationEvent): Promise<Outcome> {
  const { id, in_app, email, mail_is_on } = await settingOf(ctx, event);
  if (!in_app && !email) throw invalid('event', text('notifications.both_channels_off'));
  const notified = await notifyEach(
    ctx,
    event,
    { type: 'notification_setting', even_actor: true, is_test: true },
    sql`
      select ${ctx.actor.user_id}::bigint as user_id, ${id}::bigint as subject_id,
             'test-' || (extract(epoch from now())::bigint / ${secondsBetweenTests}) as round,
             '/settings/notifications' as url, ${JSON.stringify(samples(ctx, event))}::jsonb as params,
             'test' as variant, null::text as copy_to`,
  );
  if (notified === 0) throw tooMany(secondsBetweenTests, 1);
  return { in_app: in_app ? 'sent' : 'off', email: !email ? 'off' : mail_is_on ? 'queued' : 'no_server' };
}
