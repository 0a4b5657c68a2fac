import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

export const importsSearch = searchParams({ page: wholeNumber(1) });

/** Where somebody is in an import: which rows are shown, and whether the columns are being assigned. */
export const importSearch = searchParams({
  page: wholeNumber(1),
  rows: oneOf(['all', 'failed']),
  search: someText(100),
  columns: flag,
});
export type ImportSearch = ReturnType<typeof importSearch>;
