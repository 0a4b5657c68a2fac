import { notificationGroups, notificationSeverities } from '@tenure/contract';
import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The state of the notification centre, all of it in the address. */
export const notificationsSearch = searchParams({
  page: wholeNumber(1),
  search: someText(100),
  unread: flag,
  severity: oneOf(notificationSeverities),
});
export type NotificationsSearch = ReturnType<typeof notificationsSearch>;

/** Which group of the settings is shown. */
export const settingsSearch = searchParams({ group: oneOf(notificationGroups) });
