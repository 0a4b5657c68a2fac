import { searchParams, wholeNumber } from '../../ui/search-params.ts';

/** What the figures are narrowed to. */
export const homeSearch = searchParams({ entity_id: wholeNumber(1), cycle_id: wholeNumber(1) });
export type HomeSearch = ReturnType<typeof homeSearch>;
