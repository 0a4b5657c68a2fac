import { day, searchParams, wholeNumber } from '../../ui/search-params.ts';

/** What all reports are narrowed to. */
export const reportsSearch = searchParams({
  entity_id: wholeNumber(1),
  cycle_id: wholeNumber(1),
  from: day,
  to: day,
});
export type ReportsSearch = ReturnType<typeof reportsSearch>;
