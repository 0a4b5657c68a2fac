import type { NotificationEvent } from '@tenure/contract';
import type { Db } from '../db/connect.ts';

/** How many days before the due day people are reminded; undefined when the event sends no reminders. */
export async function leadDaysOf(db: Db, event: NotificationEvent): Promise<readonly number[] | undefined> {
  const setting = await db
    .selectFrom('notification_settings')
    .select(['in_app', 'email', 'lead_days'])
    .where('event', '=', event)
    .executeTakeFirst();
  return setting && (setting.in_app || setting.email) ? (setting.lead_days ?? []) : undefined;
}
