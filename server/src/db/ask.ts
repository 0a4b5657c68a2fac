import { CompiledQuery } from 'kysely';
import type { Db } from './connect.ts';

/** Runs a query on a plain connection or through Kysely alike. */
export type Ask = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;

export const askIn =
  (db: Db): Ask =>
  (text, values) =>
    db.executeQuery(CompiledQuery.raw(text, values));
