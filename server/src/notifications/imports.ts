import type { ImportCounts } from '@tenure/contract';
import { notify } from './notify.ts';
import type { NotifyContext } from './notify.ts';
import { accounts } from './recipients.ts';
import type { VariantOf } from './words.ts';

type Import = { id: number; file_name: string; created_by: number; url: `/${string}` };

/**
 * Notifies the uploader of the outcome of an import that ended in the background. `run` distinguishes the runs of an
 * import.
 */
export async function notifyImportFinished(
  { db }: Pick<NotifyContext, 'db'>,
  { id, file_name, created_by, url }: Import,
  run: string,
  counts: ImportCounts,
  variant?: VariantOf<'import_finished'>,
): Promise<void> {
  const { total, valid, created, updated, skipped, failed } = counts;
  await notify({ db, actor: null }, 'import_finished', {
    subject: { type: 'import', id },
    round: run,
    url,
    params: { file: file_name, total, valid, created, updated, skipped, failed },
    to: accounts([created_by]),
    ...(variant && { variant }),
  });
}
