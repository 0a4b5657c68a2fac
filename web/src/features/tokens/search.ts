import { oneOf, searchParams, someText } from '../../ui/search-params.ts';

/** Tokens by their state; without one, the active ones. */
export const tokenViews = ['ending', 'unused', 'ended'] as const;
export type TokenView = 'active' | (typeof tokenViews)[number];

/** The id of the service account that is open; without one, all of them and all tokens. */
export const accessTokensSearch = searchParams({ account: someText(16), tokens: oneOf(tokenViews) });
