import { flag, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/**
 * The id of the connection that is open, or `new` for its form, and the part of it; in a list of it the page, what is
 * searched for, and whether only failed requests are shown. Without a connection, a guide may be open. The names of
 * parts and guides are checked by the page: every screen loads this module.
 */
export const provisioningSearch = searchParams({
  connection: someText(16),
  part: someText(16),
  guide: someText(16),
  page: wholeNumber(),
  search: someText(),
  refused: flag,
});
