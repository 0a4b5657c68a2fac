import type { ControlledTransaction } from 'kysely';
import type { DB } from './schema.ts';

/** Gives up a transaction and gives its connection back. Never throws: why it is given up matters more. */
export const rollBack = (transaction: ControlledTransaction<DB>): Promise<void> =>
  transaction
    .rollback()
    .execute()
    .catch(() => undefined);
