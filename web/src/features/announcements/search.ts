import { announcementStates } from '@tenure/contract';
import { oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

const dialogs = ['add', 'edit', 'delete'] as const;
export type AnnouncementDialog = (typeof dialogs)[number];

/** The list of announcements, with the open dialog and its announcement. */
export const announcementsSearch = searchParams({
  page: wholeNumber(1),
  search: someText(100),
  entity_id: wholeNumber(1),
  state: oneOf(announcementStates),
  sort_by: oneOf(['starts_on', 'ends_on']),
  sort_direction: oneOf(['asc', 'desc']),
  dialog: oneOf(dialogs),
  announcement: wholeNumber(1),
});
export type AnnouncementsSearch = ReturnType<typeof announcementsSearch>;
