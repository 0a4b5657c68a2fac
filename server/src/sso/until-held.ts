import type { Kysely, Transaction } from 'kysely';
import type { DB } from '../db/schema.ts';
import { unavailable } from '../http/errors.ts';
import { LinkedMeanwhile } from './role-rules.ts';

const maxTries = 3;

/**
 * Works in a transaction that locks a person's providers; repeats it if the person was linked to another one meanwhile.
 * Throws 503 if that keeps happening.
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
