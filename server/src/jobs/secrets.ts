import { resealSome, sealedColumns } from '../access/sealed-columns.ts';
import { inJobTransaction } from './task.ts';
import type { JobContext } from './task.ts';

const batch = 200;

/**
 * Reseals every secret of the database under the current application key. Once all are resealed, earlier keys can be
 * removed. Secrets that no key of the ring opens are reported each time: their owner must enter them again.
 */
export async function resealSecrets({ deps: { db, ring, log } }: JobContext): Promise<void> {
  for (const column of sealedColumns) {
    let [moved, unreadable] = [0, 0];
    for (let after: number | null = 0; after !== null;) {
      const from: number = after;
      const found = await inJobTransaction(db, (trx) => resealSome(trx, ring, column, { after: from, limit: batch }));
      moved += found.moved;
      unreadable += found.unreadable;
      after = found.last;
    }
    const where = `${column.table}.${column.column}`;
    if (moved > 0)
      log.info({ event: 'secrets_resealed', where, count: moved }, 'secrets were encrypted with the current key');
    if (unreadable > 0)
      log.warn(
        { event: 'secrets_unreadable', where, count: unreadable },
        'no key decrypts these secrets: add their key to APP_PREVIOUS_KEYS, or enter them again',
      );
  }
}
