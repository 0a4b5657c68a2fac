import type { Kysely, Transaction } from 'kysely';
import type { DB } from '../db/schema.ts';
import { unavailable } from '../http/errors.ts';
import { LinkedMeanwhile } from './role-rules.ts';

const maxTries = 3;

/**
 * Works in a transaction that holds the providers of a person; again, where the person was linked to one meanwhile.
 * Throws 503 when that does not end.
 */
export async function untilHeld<T>(db: Kysely<DB>, work: (db: Transaction<DB>) => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= maxTries; attempt += 1)
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!(error instanceof LinkedMeanwhile)) throw error;
    }
  throw unavailable();
}
