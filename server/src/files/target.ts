import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { folderOf } from '../backup/archive.ts';
import { refusalOf } from '../backup/refusal.ts';
import { isS3 } from '../s3/address.ts';
import { markName } from './kept.ts';
import { MoveRefused } from './move.ts';
import { ownFolderOf } from './places.ts';
import type { Place } from './places.ts';

type Settings = { DATA_DIR: string; BACKUP_URL?: string | undefined };

/** A path without links, also where its end is not there yet. */
const realOf = async (path: string): Promise<string> =>
  realpath(path).catch(async () => (dirname(path) === path ? path : join(await realOf(dirname(path)), basename(path))));

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}${sep}`);

/** What is in a folder; nothing where it is not there yet. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw refusalOf(error, folder);
  }
}

/** What a disk or an interrupted move leaves in a folder that is empty otherwise. */
const isNothing = (name: string) => name === 'incoming' || name === 'lost+found' || name.startsWith('.');

type Target = {
  folder: string;
  from: Place;
  /** Whether it is the place of STORAGE_URL, which the service itself may have begun to use. */
  isSet: boolean;
};

/**
 * Refuses a folder that files must not go to: it belongs to something else, which would lose its rights or be taken for
 * files. Nothing is created.
 * @throws {MoveRefused}
 */
export async function refuseFolder({ folder, from, isSet }: Target, settings: Settings): Promise<void> {
  const real = await realOf(folder);
  const names = await namesIn(folder);
  const hasFiles = names.includes('kept') || names.includes(markName);
  if (from.kind === 'folder') {
    const source = await realOf(from.name);
    if (real === source) throw new MoveRefused(`The files are in ${folder} already.`);
    if (isWithin(real, source))
      throw new MoveRefused(`${folder} is inside ${from.name}, where the files are: give a folder outside of it.`);
  }
  if (!hasFiles || !isSet) await refuseOwned(folder, real, settings);
  const other = hasFiles ? undefined : names.find((name) => !isNothing(name));
  if (other !== undefined)
    throw new MoveRefused(`${folder} holds other things, for example ${other}: give a new or an empty folder.`);
}

/** The service has other folders in DATA_DIR, the database among them, and backups are no place for files. */
async function refuseOwned(folder: string, real: string, { DATA_DIR, BACKUP_URL }: Settings): Promise<void> {
  const within = async (other: string) => isWithin(real, await realOf(resolve(other)));
  if (real !== (await realOf(ownFolderOf({ DATA_DIR }))) && (await within(DATA_DIR)))
    throw new MoveRefused(
      `${folder} is inside DATA_DIR, which has folders of its own: give file: or a folder outside of it.`,
    );
  if (BACKUP_URL !== undefined && !isS3(BACKUP_URL) && (await within(folderOf(BACKUP_URL))))
    throw new MoveRefused(`${folder} is inside BACKUP_URL, where the backups are: give a folder outside of it.`);
}
