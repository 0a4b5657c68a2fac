import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The parts of a connection. */
export const connectionParts = ['settings', 'waiting', 'requests', 'roles', 'owners', 'guide'] as const;
export type ConnectionPart = (typeof connectionParts)[number];

/** The identity providers with a guide. */
export const guides = ['entra', 'okta'] as const;
export type GuideName = (typeof guides)[number];

/**
 * The id of the connection that is open, or `new` for its form, and the part of it; in a list of it the page, what is
 * searched for, and whether only failed requests are shown. Without a connection, a guide may be open.
 */
export const provisioningSearch = searchParams({
  connection: someText(16),
  part: oneOf(connectionParts),
  guide: oneOf(guides),
  page: wholeNumber(),
  search: someText(),
  refused: flag,
});
