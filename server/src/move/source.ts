import { to } from 'pg-copy-streams';
import type pg from 'pg';
import { Refusal, noDatabaseIn } from '../backup/refusal.ts';
import { placeOf, refuseUsers } from '../backup/restore-external.ts';
import type { Addresses } from '../backup/restore-external.ts';
import type { Rows } from '../backup/rows.ts';
import { connectFor, openSnapshot, readFacts, readJobs } from '../backup/snapshot.ts';
import type { Snapshot } from '../backup/snapshot.ts';
import { copyOut, readAuditMonths, readSequences, readTables, copySettings, sumOf } from '../backup/tables.ts';
import { hashesOf } from '../backup/write.ts';
import type { Config } from '../config.ts';
import { externalAddresses } from '../db/addresses.ts';
import { hasCluster } from '../db/data-dir.ts';
import { startEmbedded } from '../db/embedded.ts';
import { jobsSchema } from '../db/migrate.ts';
import { markMoved, movedTo } from '../db/moved.ts';
import type { Logger } from 'pino';

export type Source = Addresses & { name: string; isEmbedded: boolean };

export const embeddedName = (dataDir: string) => `the embedded database in ${dataDir}`;

/** Works with the configured database. Starts the embedded one for it, or refuses if its service is running. */
export async function withSource<T>(
  { config, log }: { config: Config; log: Logger },
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const external = externalAddresses(config);
  if (external) return work({ ...external, name: placeOf(external.ownerUrl), isEmbedded: false });
  const { DATA_DIR: dataDir } = config;
  if (!(await hasCluster(dataDir))) throw noDatabaseIn(dataDir);
  const database = await startEmbedded({ dataDir, log });
  try {
    return await work({ ...database, name: embeddedName(dataDir), isEmbedded: true });
  } finally {
    await database.stop();
  }
}

/** A database that cannot change until `close`. */
export type Frozen = {
  /** Blocks services from it from now on; they report the new place instead. */
  markMoved: (place: string) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Freezes a database: no process uses it, one that starts waits, and its tables are locked against changes. The mark is
 * set in the same transaction, so that nothing is written between copy and mark. Users are checked again once the locks
 * are held, because one that came before them would write to this database after the move.
 */
export async function freeze(source: Source, newPlace: string): Promise<Frozen> {
  const client = await connectFor('move', source.ownerUrl);
  const close = () => client.end();
  try {
    await client.query(copySettings);
    await client.query('begin');
    const refuseInUse = async () => {
      await refuseUsers(client, source);
      if (!source.isEmbedded) await refuseLiving(client);
    };
    await refuseInUse();
    await refuseMovedElsewhere(client, newPlace);
    await lockTables(client, source);
    await refuseInUse();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    markMoved: async (place) => {
      await markMoved(client, place);
      await client.query('commit');
    },
    close,
  };
}

/** Behind a pooler, a running process may have no connection that its roles reveal. */
async function refuseLiving(client: pg.Client): Promise<void> {
  const { rows: known } = await client.query<{ found: boolean }>(
    `select to_regclass('processes') is not null as found`,
  );
  if (!known[0]?.found) return;
  const { rows } = await client.query<{ role: string; host: string }>(
    `select role, host from processes where last_seen_at > now() - interval '1 minute' order by last_seen_at desc limit 1`,
  );
  const [living] = rows;
  if (living)
    throw new Refusal(
      `A process of Tenure (ROLE=${living.role} on ${living.host}) was seen within the last minute. Stop all processes and ` +
        'repeat the command. A killed process counts as running for a minute.',
    );
}

/** Moving to the same place again completes a move that was interrupted at the very end. */
async function refuseMovedElsewhere(client: pg.Client, newPlace: string): Promise<void> {
  const moved = await movedTo((text, values) => client.query(text, values));
  if (moved && moved.place !== newPlace)
    throw new Refusal(
      `This database was moved to ${moved.place} on ${moved.day}: to use it again, run the command with --unmark first.`,
    );
}

async function lockTables(client: pg.Client, { name }: Source): Promise<void> {
  const { rows } = await client.query<{ names: string | null }>(
    `select string_agg(format('%I.%I', n.nspname, c.relname), ', ') as names
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in (current_schema(), $1) and c.relkind in ('r', 'p') and not c.relispartition`,
    [jobsSchema],
  );
  const names = rows[0]?.names;
  if (!names) throw new Refusal(`${name} contains no tables: check the settings of the service.`);
  await client.query(`lock table ${names} in share mode`).catch((error: Error & { code?: string }) => {
    if (error.code !== '55P03') throw error;
    throw new Refusal(`A transaction uses tables of ${name}: end it and repeat the command.`, { cause: error });
  });
}

/** Works with the rows of a snapshot of the database. */
export async function withRows<T>({ ownerUrl, name }: Source, work: (rows: Rows) => Promise<T>): Promise<T> {
  const snapshot = await openSnapshot(ownerUrl);
  try {
    return await work(await rowsOf(snapshot, name));
  } finally {
    await snapshot.close();
  }
}

/** One connection copies, the other one computes sums. */
async function rowsOf({ clients: [first, second] }: Snapshot, name: string): Promise<Rows> {
  const { migrations } = await readFacts(first);
  const tables = await readTables(first);
  return {
    name,
    remedy: 'the former database is unchanged; please report this',
    migrations: await hashesOf(migrations),
    audit_months: await readAuditMonths(first),
    sequences: await readSequences(first),
    jobs: await readJobs(first),
    tables: Object.fromEntries(
      tables.map((table) => [
        table.name,
        {
          columns: table.columns,
          open: () => first.query(to(copyOut(table))),
          sum: () => sumOf(second, table),
        },
      ]),
    ),
  };
}
