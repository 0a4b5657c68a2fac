import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { DB } from '../db/schema.ts';
import { inJobTransaction } from '../jobs/task.ts';

/**
 * A transaction of an import. A plan made for a nearly empty table would scan it for each batch while the import fills
 * it, so plans use indexes from the start.
 */
export const inImportTransaction = <T>(db: Kysely<DB>, work: (db: Transaction<DB>) => Promise<T>): Promise<T> =>
  inJobTransaction(db, async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    return work(trx);
  });
