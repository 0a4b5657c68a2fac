import type { Logger } from 'pino';
import { Refusal, refusedAt } from '../backup/refusal.ts';
import { clusterFolder } from '../db/data-dir.ts';
import { isWithin } from '../inside.ts';
import { openS3 } from '../s3/client.ts';
import { usualLimits } from '../s3/requests.ts';
import type { TimeLimits } from '../s3/requests.ts';
import { openIncoming } from './incoming.ts';
import type { FileBackend, Places } from './backend.ts';
import { bucketBackend, readMark } from './bucket-backend.ts';
import { diskBackend, prepareFolder } from './disk-backend.ts';
import { ownFolderOf, placesOf } from './places.ts';
import type { Place, StorageSettings } from './places.ts';
import { storeOf } from './store.ts';
import type { FileStore } from './store.ts';
import { watchBucket } from './watch-bucket.ts';

type Log = Pick<Logger, 'info' | 'error'>;

/** A store that stays silent this long about a few bytes is unavailable; requests wait for its answer. */
const askingLimits: TimeLimits = { ...usualLimits, silenceMs: 2_000, totalMs: 4_000 };

/** A place for files; reading from it creates nothing. */
export function openPlace(place: Place, log: Log): FileBackend {
  if (place.kind === 'folder') return diskBackend(place.name);
  const client = openS3(place.address);
  const asking = openS3(place.address, askingLimits);
  return bucketBackend(client, watchBucket({ name: place.name, log, ask: () => readMark(asking) }));
}

/** Both configured places. */
export function openPlaces(settings: StorageSettings, log: Log): Places {
  const { kept, fallback } = placesOf(settings);
  return { kept: openPlace(kept, log), fallback: fallback && openPlace(fallback, log) };
}

const megabyte = 1_024 * 1_024;

/** Opens or creates the configured store. */
export async function openFiles(settings: StorageSettings & { DISK_RESERVE_MB: number }, log: Log): Promise<FileStore> {
  const { kept } = placesOf(settings);
  const own = ownFolderOf(settings);
  if (kept.kind === 'folder') {
    // a restore or a move renames the database's folder
    if (await isWithin(kept.name, clusterFolder(settings.DATA_DIR)))
      throw new Refusal(`STORAGE_URL: ${kept.name} is inside the database: give a folder outside of it.`);
    await prepareFolder(kept.name).catch(refusedAt(kept.name));
  }
  const reserve = settings.DISK_RESERVE_MB * megabyte;
  return storeOf(await openIncoming(own, { reserve }).catch(refusedAt(own)), openPlaces(settings, log));
}
