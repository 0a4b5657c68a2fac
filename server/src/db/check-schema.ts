import { sql } from 'kysely';
import { BadSetting } from '../config.ts';
import type { Db } from './connect.ts';
import { askIn } from './ask.ts';
import { isContract, listMigrations } from './migration-files.ts';
import { findMove } from './moved.ts';
import { findUnfinished } from './unfinished.ts';

const named = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');

export type Schema = {
  /** Migrations of this release that a start requires and the database lacks, in order. */
  missing: string[];
  /** Migrations of this release that remove what earlier releases use, and have not run yet. */
  contracts: string[];
  /** Migrations of a later release. */
  unknown: string[];
};

/** Compares the migrations applied to a database with those of a release. */
export function compareSchema(applied: readonly string[], own: readonly string[]): Schema {
  const isApplied = new Set(applied);
  const missing = own.filter((name) => !isApplied.has(name));
  // no earlier release uses a new database
  const isNew = applied.length === 0;
  return {
    missing: missing.filter((name) => isNew || !isContract(name)),
    contracts: missing.filter(isContract),
    unknown: applied.filter((name) => !own.includes(name)).sort(),
  };
}

/**
 * Refuses a database that this release cannot run on: with a different history its tables may differ from what their
 * names say, and one that moved on beyond this release lacks something. What later releases added does no harm.
 */
export function refuseForeign({ missing, unknown }: Schema, own: readonly string[]): void {
  if (unknown.length === 0) return;
  const [first = ''] = own;
  if (missing.includes(first))
    throw new Error(
      `The database has migrations that this release does not know (${named(unknown)}). ` +
        'A database from before release 0.1.0 cannot be upgraded: set DATA_DIR or DATABASE_URL to an empty one',
    );
  const removed = unknown.filter(isContract);
  if (removed.length > 0)
    throw new Error(
      `A newer release removed what this one uses (${named(removed)}). Start the newer release, ` +
        'or restore a backup that this release made',
    );
  if (missing.length > 0)
    throw new Error(
      `The upgrade to a newer release is not complete (${named(unknown)} without ${named(missing)}). ` +
        'Run the migrations of the newer release again',
    );
}

/** Whether a release with these migrations can run on a database with those. */
export function canRun(applied: readonly string[], own: readonly string[]): boolean {
  const { missing, unknown } = compareSchema(applied, own);
  return missing.length === 0 && !unknown.some(isContract);
}

/**
 * Checks, with the application's rights, whether this release can run on the database as it is.
 * @returns an error that says what to do if it cannot
 */
export async function findSchemaFault(db: Db): Promise<Error | undefined> {
  const ask = askIn(db);
  const notHere = (await findMove(ask)) ?? (await findUnfinished(ask));
  if (notHere) return notHere;
  const own = await listMigrations();
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`
    .execute(db)
    .catch((error: unknown) => {
      if ((error as { code?: string }).code === '42P01') return { rows: [] };
      throw error;
    });
  const schema = compareSchema(
    rows.map(({ name }) => name),
    own,
  );
  try {
    refuseForeign(schema, own);
  } catch (error) {
    return error as Error;
  }
  if (schema.missing.length === 0) return undefined;
  return new BadSetting(
    `MIGRATE: is off, but the database lacks migrations of this release (${named(schema.missing)}). Run the command migrate`,
  );
}

/** @throws {BadSetting} or an Error that says what to do, if this release cannot run on the database as it is */
export async function requireSchema(db: Db): Promise<void> {
  const fault = await findSchemaFault(db);
  if (fault) throw fault;
}
