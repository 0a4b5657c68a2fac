import { searchParams, someText } from '../../ui/search-params.ts';

/** The id of the service account that is open; without one, all of them and all tokens. */
export const accessTokensSearch = searchParams({ account: someText(16) });
