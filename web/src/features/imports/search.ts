import { importStatuses } from '@tenure/contract';
import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The import types; the wizard is opened with `?type=`. */
export const importTypes = ['employees'] as const;

export const importsSearch = searchParams({
  page: wholeNumber(1),
  search: someText(100),
  status: oneOf(importStatuses),
  mine: flag,
});
export type ImportsSearch = ReturnType<typeof importsSearch>;

export const newImportSearch = searchParams({ type: oneOf(importTypes) });

export const rowViews = ['all', 'created', 'updated', 'skipped', 'failed', 'warnings'] as const;
export type RowView = (typeof rowViews)[number];

/** The state of an import page: the row filter, and whether columns are being assigned. */
export const importSearch = searchParams({
  page: wholeNumber(1),
  rows: oneOf(rowViews),
  search: someText(100),
  columns: flag,
});
export type ImportSearch = ReturnType<typeof importSearch>;
