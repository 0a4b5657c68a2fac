import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Db } from '../db/connect.ts';
import { rollBack } from '../db/roll-back.ts';
import type { DB } from '../db/schema.ts';
import { fromDatabase, HttpError, isRetryable } from '../http/errors.ts';
import { ScimProblem, taken } from './problem.ts';

const maxTries = 4;

type DatabaseError = { constraint?: string };
const constraintOf = (error: unknown) => ((error ?? {}) as DatabaseError).constraint;

// another request adopted the account at the same moment: the retry finds no account
const isLostRace = (error: unknown) => constraintOf(error) === 'scim_users_user_id_key';

async function tryOnce<T>(db: Kysely<DB>, isDryRun: boolean, work: (db: Db) => Promise<T>): Promise<T> {
  const transaction = await db.startTransaction().execute();
  try {
    const result = await work(transaction);
    await (isDryRun ? transaction.rollback() : transaction.commit()).execute();
    return result;
  } catch (error) {
    await rollBack(transaction);
    throw error;
  }
}

/** Does the work of a request in one transaction, all or nothing; a dry run rolls it back. */
export async function inTransaction<T>(db: Kysely<DB>, isDryRun: boolean, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryOnce(db, isDryRun, work);
    } catch (error) {
      if (attempt >= maxTries || !(isRetryable(error) || isLostRace(error))) throw error;
      await wait(10 * attempt * (0.5 + (performance.now() % 1)));
    }
  }
}

const refusals: Readonly<Record<string, () => ScimProblem>> = {
  scim_users_user_name_key: () => taken('userName'),
  scim_users_external_id_key: () => taken('externalId'),
  scim_groups_external_id_key: () => taken('externalId'),
  last_active_admin: () => new ScimProblem(403, 'The last active administrator cannot be switched off.'),
  last_emergency_account: () => new ScimProblem(403, 'The last emergency account cannot be switched off.'),
  sign_in_blocks_emergency_account: () => new ScimProblem(403, 'An emergency account cannot be switched off.'),
};

/** Translates an error for a SCIM client: a refusal, or undefined for a fault. */
export function problemOf(raw: unknown): ScimProblem | undefined {
  if (raw instanceof ScimProblem) return raw;
  const refusal = refusals[constraintOf(raw) ?? ''];
  if (refusal) return refusal();
  const error = fromDatabase(raw);
  if (error instanceof HttpError) return new ScimProblem(error.status, error.message);
  const { statusCode, message } = raw as { statusCode?: number; message?: string };
  return statusCode !== undefined && statusCode < 500 ? new ScimProblem(statusCode, message ?? '') : undefined;
}
