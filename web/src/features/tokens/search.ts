import { oneOf, searchParams, someText } from '../../ui/search-params.ts';

/** Tokens by their state; without one, the active ones. */
export const tokenViews = ['ending', 'unused', 'ended'] as const;
export type TokenView = 'active' | (typeof tokenViews)[number];

/** The id of the open service account; without one, all accounts and all tokens are shown. */
export const accessTokensSearch = searchParams({ account: someText(16), tokens: oneOf(tokenViews) });
