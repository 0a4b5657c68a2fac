import { day, searchParams, wholeNumber } from '../../ui/search-params.ts';

/** The filters of all reports. */
export const reportsSearch = searchParams({
  entity_id: wholeNumber(1),
  cycle_id: wholeNumber(1),
  from: day,
  to: day,
  /** The day of the headcount; today if undefined. */
  as_of: day,
});
export type ReportsSearch = ReturnType<typeof reportsSearch>;
