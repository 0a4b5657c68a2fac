import { readdir } from 'node:fs/promises';
import { folderOf } from '../backup/archive.ts';
import { refusalOf } from '../backup/refusal.ts';
import { isWithin, placeWithin } from '../inside.ts';
import { isS3 } from '../s3/address.ts';
import { markName } from './backend.ts';
import { MoveRefused } from './move.ts';
import { ownFolderOf } from './places.ts';
import type { Place } from './places.ts';

type Settings = { DATA_DIR: string; BACKUP_URL?: string | undefined };

/** The names in a folder; none if it does not exist yet. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw refusalOf(error, folder);
  }
}

/** What a disk or an interrupted move leaves in an otherwise empty folder. */
const isNothing = (name: string) => name === 'incoming' || name === 'lost+found' || name.startsWith('.');

type Target = {
  folder: string;
  from: Place;
  /** Whether it is the place of STORAGE_URL, which the service itself may already be using. */
  isSet: boolean;
};

/**
 * Refuses a folder that is in other use, and would lose its permissions or be mistaken for files. Creates nothing.
 * @throws {MoveRefused}
 */
export async function refuseFolder({ folder, from, isSet }: Target, settings: Settings): Promise<void> {
  const names = await namesIn(folder);
  const hasFiles = names.includes('kept') || names.includes(markName);
  const toSource = from.kind === 'folder' ? await placeWithin(folder, from.name) : 'outside';
  if (toSource === 'same') throw new MoveRefused(`The files are in ${folder} already.`);
  if (toSource === 'inside')
    throw new MoveRefused(`${folder} is inside ${from.name}, where the files are: give a folder outside of it.`);
  if (!hasFiles || !isSet) await refuseOwned(folder, settings);
  const other = hasFiles ? undefined : names.find((name) => !isNothing(name));
  if (other !== undefined)
    throw new MoveRefused(`${folder} contains other files, for example ${other}: give a new or an empty folder.`);
}

/** The service has other folders in DATA_DIR, such as the database, and files do not belong among backups. */
async function refuseOwned(folder: string, { DATA_DIR, BACKUP_URL }: Settings): Promise<void> {
  const isOwn = (await placeWithin(folder, ownFolderOf({ DATA_DIR }))) === 'same';
  if (!isOwn && (await isWithin(folder, DATA_DIR)))
    throw new MoveRefused(
      `${folder} is inside DATA_DIR, which has folders of its own: give file: or a folder outside of it.`,
    );
  if (BACKUP_URL !== undefined && !isS3(BACKUP_URL) && (await isWithin(folder, folderOf(BACKUP_URL))))
    throw new MoveRefused(`${folder} is inside BACKUP_URL, where the backups are: give a folder outside of it.`);
}
