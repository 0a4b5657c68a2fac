import type { ControlledTransaction } from 'kysely';
import type { DB } from './schema.ts';

/** Rolls back a transaction and releases its connection. Never throws: the reason for the rollback matters more. */
export const rollBack = (transaction: ControlledTransaction<DB>): Promise<void> =>
  transaction
    .rollback()
    .execute()
    .catch(() => undefined);
