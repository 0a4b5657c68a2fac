import { stat } from 'node:fs/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { deleteSpool } from '../backup/points/spool.ts';
import { Refusal } from '../backup/refusal.ts';
import { nameOfTime } from '../backup/manifest.ts';
import { fillCluster, isMountPoint, requireFreeBytes, withScratch } from '../backup/restore-embedded.ts';
import { fillExternal, placeOf, roleOf, stateOfUnused } from '../backup/restore-external.ts';
import type { Addresses } from '../backup/restore-external.ts';
import { finishRestore } from '../backup/restore.ts';
import type { RestoreTask, Restored } from '../backup/restore.ts';
import { withConnection } from '../backup/snapshot.ts';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { hasCluster, lockDataDir } from '../db/data-dir.ts';
import { startLocked } from '../db/embedded.ts';
import { unfinishedRestore } from '../db/unfinished.ts';
import { movedTo } from '../db/moved.ts';
import { finishMoves, moveIntoPlace } from '../db/restore-moves.ts';
import type { Moves } from '../db/restore-moves.ts';
import { checkConnections, refuseSuperuser } from '../db/start-check.ts';
import { embeddedName } from './source.ts';

export type CopyTask = Pick<RestoreTask, 'rows' | 'checks' | 'step'>;

/** The destination: addresses of an external database, or the embedded one in DATA_DIR. */
export type Destination = 'embedded' | Addresses;

/** The target of a move. */
export type Target = {
  name: string;
  /** Refuses what would fail, without changing anything. `bytes` is the size of the database. */
  check: (bytes: number) => Promise<void>;
  /**
   * Copies the rows. No service starts on the target before `leave` has blocked services from the source; only then is
   * the target released. A kill in between leaves one database that starts, or none until the command is repeated, but
   * never two.
   */
  receive: (task: CopyTask, leave: () => Promise<void>) => Promise<Restored>;
};

type Command = { config: Config; log: Logger };

// mails are due at the new place as they were at the old one
const rest = { mail: 'send', isHeld: true } as const;

/** An external database, which must be empty or contain the remains of an interrupted move. */
export function externalTarget(addresses: Addresses, { config }: Command): Target {
  const name = placeOf(addresses.ownerUrl);
  return {
    name,
    check: async () => {
      await checkAddresses(addresses);
      await checkRole(addresses.appUrl, config);
      const { inUse, isUnfinished } = await stateOfUnused(addresses);
      if (inUse && !isUnfinished) throw new Refusal(`${name} contains tables: give the address of an empty database.`);
    },
    receive: async (task, leave) => {
      const restored = await fillExternal(addresses, { ...task, ...rest });
      await leave();
      await finishRestore(addresses.ownerUrl);
      return restored;
    },
  };
}

type Facts = { database: string; version: number; mayCreate: boolean };

const factsOf = (url: string): Promise<Facts> =>
  withConnection('move', url, async (client) => {
    const { rows } = await client.query<Facts>(
      `select current_database() || ' ' || pg_postmaster_start_time() as database,
              current_setting('server_version_num')::int as version,
              has_database_privilege(current_database(), 'create')
                and coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate"`,
    );
    return rows[0] as Facts;
  });

const leastVersion = 150_000;

async function checkAddresses({ ownerUrl, appUrl }: Addresses): Promise<void> {
  const [owner, app] = [await factsOf(ownerUrl), await factsOf(appUrl)];
  if (owner.version < leastVersion)
    throw new Refusal(`${placeOf(ownerUrl)} runs an older PostgreSQL: use PostgreSQL 15 or newer.`);
  if (owner.database !== app.database)
    throw new Refusal('--to and --owner-url lead to different databases: give two addresses of the same one.');
  if (!owner.mayCreate)
    throw new Refusal(
      `${roleOf(ownerUrl)} cannot create tables and schemas in ${placeOf(ownerUrl)}: make it the owner of the database.`,
    );
}

/** The checks of a start. */
async function checkRole(url: string, { production }: Config): Promise<void> {
  const { db } = connect({ url, max: 1 });
  try {
    await checkConnections(db, false);
    if (production) await refuseSuperuser(db);
  } finally {
    await db.destroy();
  }
}

/** The embedded database in DATA_DIR, which must not exist, or be one that was moved away. */
export function embeddedTarget({ config, log }: Command): Target {
  const { DATA_DIR: dataDir } = config;
  return {
    name: embeddedName(dataDir),
    check: async (bytes) => {
      if (!(await stat(dataDir).catch(() => undefined))) return;
      await requireFreeBytes(dataDir, 2 * bytes, 'move');
      if (!(await hasCluster(dataDir))) return;
      const lock = await lockDataDir(dataDir);
      try {
        await finishMoves(dataDir);
        await movesFor(dataDir, log);
      } finally {
        lock.release();
      }
    },
    receive: (task, leave) =>
      withScratch(dataDir, scratchName, async (scratch) => {
        const restored = await fillCluster({ scratch, log }, { ...task, ...rest });
        await moveIntoPlace(dataDir, await movesFor(dataDir, log));
        // of a previous cluster
        await deleteSpool(dataDir);
        task.step?.('Put in place');
        await leave();
        await inPlace({ dataDir, log }, finishRestore);
        return restored;
      }),
  };
}

const scratchName = 'move';

/** What happens to an existing cluster: one that was moved away is kept, the remains of a kill are removed. */
async function movesFor(dataDir: string, log: Logger): Promise<Moves> {
  const moves: Moves = [
    [`${scratchName}/postgres`, 'postgres'],
    [`${scratchName}/database.json`, 'database.json'],
  ];
  if (!(await hasCluster(dataDir))) return moves;
  if (await isMountPoint(dataDir, 'postgres'))
    throw new Refusal(`${dataDir}/postgres is a mount point of its own: choose another DATA_DIR.`);
  const former = await stateOfCluster(dataDir, log);
  if (former === 'in use')
    throw new Refusal(`DATA_DIR ${dataDir} contains a database: choose another DATA_DIR, or move that database first.`);
  const name =
    former === 'moved' ? `postgres.before-${nameOfTime(Temporal.Now.instant().toString())}` : `${scratchName}/former`;
  return [['postgres', name], ...moves];
}

/** Works with the cluster in a DATA_DIR whose lock is held. */
async function inPlace<T>(place: { dataDir: string; log: Logger }, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const database = await startLocked(place);
  try {
    return await work(database.ownerUrl);
  } finally {
    await database.stop();
  }
}

const stateOfCluster = (dataDir: string, log: Logger) =>
  inPlace({ dataDir, log }, (ownerUrl) => withConnection('move', ownerUrl, stateOf));

async function stateOf(client: pg.Client): Promise<'moved' | 'unfinished' | 'in use'> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    unfinishedRestore,
  ]);
  if (rows[0]?.found) return 'unfinished';
  return (await movedTo((text, values) => client.query(text, values))) ? 'moved' : 'in use';
}
