import type { Ask } from './ask.ts';

/** A table that exists in a database until its restore is complete. */
export const unfinishedRestore = 'unfinished_restore';

/** An error that says what to do, if a restore or move into the database is running or was interrupted. */
export async function findUnfinished(ask: Ask): Promise<Error | undefined> {
  const { rows } = await ask('select to_regclass($1)::text as found', [unfinishedRestore]);
  if (!(rows[0] as { found: string | null }).found) return undefined;
  return new Error(
    'A restore into this database was interrupted. Repeat the command restore with --replace, or move-database',
  );
}
