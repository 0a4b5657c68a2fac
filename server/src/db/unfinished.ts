import type { Ask } from './ask.ts';

/** A table that a database has until its restore is complete. */
export const unfinishedRestore = 'unfinished_restore';

/** An error with what to do where a restore or a move into the database runs or was interrupted. */
export async function findUnfinished(ask: Ask): Promise<Error | undefined> {
  const { rows } = await ask('select to_regclass($1)::text as found', [unfinishedRestore]);
  if (!(rows[0] as { found: string | null }).found) return undefined;
  return new Error(
    'A restore into this database was interrupted. Repeat the command restore with --replace, or move-database',
  );
}
