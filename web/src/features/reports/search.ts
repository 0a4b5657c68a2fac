import { day, searchParams, wholeNumber } from '../../ui/search-params.ts';

/** The filters of all reports. */
export const reportsSearch = searchParams({
  entity_id: wholeNumber(1),
  cycle_id: wholeNumber(1),
  from: day,
  to: day,
  /** The day of the head count; without one it is today. */
  as_of: day,
});
export type ReportsSearch = ReturnType<typeof reportsSearch>;
