import { flag, searchParams, someText } from '../../ui/search-params.ts';

/** Where to go after signing in, and whether a session ended during work. */
export const signInSearch = searchParams({ next: someText(2_000), expired: flag });
export const newPasswordSearch = searchParams({ next: someText(2_000) });
