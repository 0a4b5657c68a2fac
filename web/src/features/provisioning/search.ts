import { flag, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/**
 * The id of the open connection, or `new` for the form of a new one, and its open part; for the lists of a part, the
 * page, the search text and whether only failed requests are shown. Without a connection, a guide may be open. The page
 * checks the names of parts and guides, since every screen loads this module.
 */
export const provisioningSearch = searchParams({
  connection: someText(16),
  part: someText(16),
  guide: someText(16),
  page: wholeNumber(),
  search: someText(),
  refused: flag,
});
