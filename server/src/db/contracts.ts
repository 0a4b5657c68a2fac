import type pg from 'pg';
import { applyMigration, connectAsOwner, inShortTransaction } from './apply-migration.ts';
import { compareSchema } from './check-schema.ts';
import { listMigrations, ownMigrations } from './migration-files.ts';
import { migrationLock } from './migrate.ts';

/**
 * Finds a process that still uses what a contract removes, and whether the register of processes can be trusted: no
 * process could register while the database was down, and earlier releases never do. So one process must have been
 * registered for ten minutes.
 */
const gate = `
  with alive as (select * from processes where last_seen_at > now() - interval '10 minutes')
  select (select release || ' on ' || host from alive where not contracts @> array[$1::text] order by started_at limit 1)
           as used_by,
         exists (select from alive where beating_since < now() - interval '10 minutes') as is_vouched`;

type Found = { used_by: string | null; is_vouched: boolean };

/** Applies one contract, or returns what it is waiting for. */
async function applyContract(client: pg.Client, name: string, folder: URL): Promise<string | undefined> {
  let waiting: string | undefined;
  await inShortTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    // a process that starts meanwhile registers first, and checks the migrations after that
    await client.query('lock table processes in exclusive mode');
    const { rows: applied } = await client.query('select from schema_migrations where name = $1', [name]);
    if (applied.length > 0) return;
    const { rows } = await client.query<Found>(gate, [name]);
    const [{ used_by, is_vouched }] = rows as [Found];
    waiting = used_by ? `the end of ${used_by}` : is_vouched ? undefined : 'ten minutes of the new release';
    if (!waiting) await applyMigration(client, name, folder);
  }).catch((error: unknown) => {
    throw new Error(`Migration ${name} failed`, { cause: error });
  });
  return waiting;
}

export type Contracted = {
  applied: string[];
  /** The first one that has to wait, and why. */
  waiting?: string;
};

/**
 * Removes what only earlier releases use, as the owner of the database, once no process of such a release has been seen
 * for ten minutes. Those releases cannot start afterwards.
 */
export async function applyContracts(ownerUrl: string, folder: URL = ownMigrations): Promise<Contracted> {
  const client = await connectAsOwner(ownerUrl);
  try {
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
    const { missing, contracts } = compareSchema(
      rows.map(({ name }) => name),
      await listMigrations(folder),
    );
    const applied: string[] = [];
    for (const name of missing.length > 0 ? [] : contracts) {
      const waiting = await applyContract(client, name, folder);
      if (waiting) return { applied, waiting: `${name} waits for ${waiting}` };
      applied.push(name);
    }
    return { applied };
  } finally {
    await client.end();
  }
}
