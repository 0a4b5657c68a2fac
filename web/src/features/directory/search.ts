import { searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The filters and page of the directory, all in the address. */
export const directorySearch = searchParams({
  page: wholeNumber(1),
  search: someText(100),
  entity_id: wholeNumber(1),
  department_id: wholeNumber(1),
  manager_id: wholeNumber(1),
});
export type DirectorySearch = ReturnType<typeof directorySearch>;
