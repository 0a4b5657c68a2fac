import { notificationGroups, notificationSeverities } from '@tenure/contract';
import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The filters and page of the notifications, all in the address. */
export const notificationsSearch = searchParams({
  page: wholeNumber(1),
  search: someText(100),
  unread: flag,
  severity: oneOf(notificationSeverities),
});
export type NotificationsSearch = ReturnType<typeof notificationsSearch>;

/** The group of settings that is shown. */
export const settingsSearch = searchParams({ group: oneOf(notificationGroups) });
