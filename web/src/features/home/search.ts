import { searchParams, wholeNumber } from '../../ui/search-params.ts';

/** The filters of the figures. */
export const homeSearch = searchParams({ entity_id: wholeNumber(1), cycle_id: wholeNumber(1) });
export type HomeSearch = ReturnType<typeof homeSearch>;
