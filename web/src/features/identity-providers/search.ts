import { searchParams, someText } from '../../ui/search-params.ts';

/** The id of the provider that is open, or `new` for its form; without either, the list. */
export const signInSettingsSearch = searchParams({ provider: someText(16) });
