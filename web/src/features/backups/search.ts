import { backupResults, backupRunKinds } from '@tenure/contract';
import { oneOf, searchParams, wholeNumber } from '../../ui/search-params.ts';

/** The filters and page of the history of backups. */
export const backupsSearch = searchParams({
  page: wholeNumber(1),
  kind: oneOf(backupRunKinds),
  status: oneOf(backupResults),
});
export type BackupsSearch = ReturnType<typeof backupsSearch>;
