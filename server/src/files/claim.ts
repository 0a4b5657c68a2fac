import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { BadSetting } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { S3Error } from '../s3/errors.ts';
import { StoreUnavailable } from './disk.ts';
import { markName } from './backend.ts';
import type { FileBackend, Places } from './backend.ts';

/** Serialises starts that claim a store for the first time. */
const claimLock = 7_365_052;

type Installation = { store_id: string; store_marked: boolean };

/**
 * Makes sure that the store belongs to the database by comparing its mark. A machine with a folder of its own would
 * lack the files of the others, and the sweep would delete the files of another installation. An unavailable object
 * store is checked once it is back.
 * @throws {BadSetting} that says what to do
 */
export async function claimStore(db: Kysely<DB>, places: Places): Promise<void> {
  const claim = () => compare(db, places);
  try {
    await claim();
  } catch (error) {
    const { cause } = error as Error;
    if (!(error instanceof StoreUnavailable) || !(cause instanceof S3Error)) throw error;
    if (cause.isSettled || !places.kept.closeUntil) throw new BadSetting(`STORAGE_URL: ${error.message}`);
    places.kept.closeUntil(cause, claim);
  }
}

async function compare(db: Kysely<DB>, places: Places): Promise<void> {
  const { store_id, store_marked } = await readInstallation(db);
  if (!store_marked) return db.transaction().execute((trx) => claimFirst(trx, places));
  const mark = await places.kept.readMark();
  if (mark === store_id) return;
  const fault = await faultOf(mark, places, store_id);
  if (fault) throw fault;
  await places.kept.writeMark(store_id);
}

/** What is wrong with a store without the mark that the database expects. */
async function faultOf(mark: string | null, { kept, fallback }: Places, id: string): Promise<BadSetting | undefined> {
  if (mark !== null) return foreign(kept);
  // files are being moved out of this database's store
  return (await fallback?.readMark()) === id ? undefined : another(kept, id);
}

/** Why a start would refuse the configured store; changes nothing. */
export async function findStoreFault(db: Db, places: Places): Promise<BadSetting | undefined> {
  const { store_id, store_marked } = await readInstallation(db);
  const mark = await places.kept.readMark();
  if (mark === store_id || (mark === null && !store_marked)) return undefined;
  return faultOf(mark, places, store_id);
}

const readInstallation = async (db: Db): Promise<Installation> =>
  db
    .selectFrom('installation')
    .select(['store_id', 'store_marked'])
    // filled by its migration
    .$narrowType<{ store_id: string }>()
    .executeTakeFirstOrThrow();

/** The first start on this database marks its store; the next start continues one that was killed in between. */
async function claimFirst(db: Db, places: Places): Promise<void> {
  // the other start may be waiting for its store
  await sql`set local lock_timeout = '9s'; set local statement_timeout = '9s'`.execute(db);
  await sql`select pg_advisory_xact_lock(${claimLock})`.execute(db);
  const { store_id, store_marked } = await readInstallation(db);
  const mark = await places.kept.readMark();
  if (mark !== null && mark !== store_id) throw foreign(places.kept);
  if (mark === null && store_marked) throw another(places.kept, store_id);
  if (mark === null) await places.kept.writeMark(store_id);
  await db.updateTable('installation').set({ store_marked: true }).execute();
}

const foreign = ({ name }: FileBackend) =>
  new BadSetting(
    `STORAGE_URL: ${name} contains the files of another installation, which this one would delete: give another place, ` +
      `or remove ${markName} there if that installation is gone.`,
  );

const another = ({ name }: FileBackend, id: string) =>
  new BadSetting(
    `STORAGE_URL: the files of this database are in another store than ${name}: machines that share a database need ` +
      `S3 or a shared folder. If the files were moved or lost, write ${id} into ${name}/${markName}.`,
  );
