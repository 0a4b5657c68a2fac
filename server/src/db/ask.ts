import { CompiledQuery } from 'kysely';
import type { Db } from './connect.ts';

/** Asks with a bare connection or with Kysely alike. */
export type Ask = (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;

export const askIn =
  (db: Db): Ask =>
  (text, values) =>
    db.executeQuery(CompiledQuery.raw(text, values));
