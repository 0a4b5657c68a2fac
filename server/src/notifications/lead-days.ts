import type { NotificationEvent } from '@tenure/contract';
import type { Db } from '../db/connect.ts';

/** How many days before a day people are reminded of it; undefined when nobody is to be reminded at all. */
export async function leadDaysOf(db: Db, event: NotificationEvent): Promise<readonly number[] | undefined> {
  const setting = await db
    .selectFrom('notification_settings')
    .select(['in_app', 'email', 'lead_days'])
    .where('event', '=', event)
    .executeTakeFirst();
  return setting && (setting.in_app || setting.email) ? (setting.lead_days ?? []) : undefined;
}
