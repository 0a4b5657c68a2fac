import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { sentence } from '../backup/refusal.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { findStoreFault } from '../files/claim.ts';
import { StoreUnavailable } from '../files/disk.ts';
import { openFiles, openPlaces } from '../files/open.ts';
import { ownFolderOf, placesOf } from '../files/places.ts';
import type { FileStore } from '../files/store.ts';
import { fail, ok } from './finding.ts';
import type { Finding } from './finding.ts';

const probe = Buffer.from('tenure doctor');

/** Stores a file, reads it and removes it. */
async function roundTrip(files: FileStore): Promise<boolean> {
  const received = await files.receive([probe], { maxBytes: probe.length });
  const key = await files.keep(received);
  try {
    const found = await files.open(key);
    return found !== null && (await buffer(found.stream)).equals(probe);
  } finally {
    await files.remove(key);
  }
}

const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;

/** The file store, a folder or a bucket. A folder that does not exist yet is left to the first start. */
export async function checkStore(config: Config, log: Logger): Promise<Finding> {
  const { kept } = placesOf(config);
  const folders = [ownFolderOf(config), ...(kept.kind === 'folder' ? [kept.name] : [])];
  for (const folder of folders)
    if (!(await isThere(folder))) return ok('files', `${folder} does not exist yet: the first start creates it`);
  try {
    // the check of the disk reports whether its reserve is reached
    const files = await openFiles({ ...config, DISK_RESERVE_MB: 0 }, log);
    if (await roundTrip(files)) return ok('files', 'A file can be stored, read and removed');
    return fail(
      'files',
      'A stored file was read back with other content',
      `Check the disk or object store of ${kept.name}.`,
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    const remedy =
      kept.kind === 'folder'
        ? 'Check the owner, the permissions and the disk of the folder.'
        : 'Correct STORAGE_URL and its keys, and check the object store.';
    return fail('files', `No file can be stored in ${kept.name} (${code})`, remedy);
  }
}

/** Whether the store belongs to the database: a machine with a folder of its own lacks the files of the others. */
export async function checkMark(db: Db, config: Config, log: Logger): Promise<Finding[]> {
  try {
    const fault = await findStoreFault(db, openPlaces(config, log));
    if (!fault) return [ok('store', 'The file store belongs to this database')];
    const [, what = '', remedy = ''] = /^\w+: (.*): (.*)\.$/s.exec(fault.message) ?? [];
    return [fail('store', sentence(what), `${sentence(remedy)}.`)];
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    // the check "files" reports what is wrong with it
    return [];
  }
}
