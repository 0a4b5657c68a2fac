import * as fs from 'node:fs/promises';
import { randomKey, sweepAgeMs } from './disk.ts';
import type { Disk } from './disk.ts';
import { openIncoming } from './incoming.ts';
import type { Incoming, Received } from './incoming.ts';
import { withFallback } from './backend.ts';
import type { FileBackend, Places } from './backend.ts';
import { diskBackend, prepareFolder } from './disk-backend.ts';

/** The files of the service: received into a folder of this machine, then kept there or in an object store. */
export type FileStore = Omit<Incoming, 'sweepIncoming'> &
  Pick<FileBackend, 'open' | 'remove' | 'isAway'> & {
    /** Moves a received file to its final place, where it survives a power failure. Its row is written after that. */
    keep: (received: Received) => Promise<string>;
    /**
     * Removes files of interrupted requests: received files, and kept files without a reference, if older than an hour.
     * A file marked for deletion counts as referenced. In a bucket, each sweep checks the range of its hour.
     */
    sweep: (task: SweepTask) => Promise<{ received: number; kept: number }>;
    places: Places;
  };

export type SweepTask = {
  /** Returns the keys that have a row. */
  isReferenced: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Milliseconds since 1970. */
  now: number;
};

const sweepBatch = 500;

/** Opens or creates the store in the folder `root`. Two stores may share a folder. */
export async function openStore(root: string, disk: Disk = fs, reserve = 0): Promise<FileStore> {
  await prepareFolder(root);
  return storeOf(await openIncoming(root, { disk, reserve }), { kept: diskBackend(root, disk) });
}

/** The store that receives into one place and keeps in another. */
export function storeOf({ sweepIncoming, ...incoming }: Incoming, places: Places): FileStore {
  const kept = withFallback(places);
  return {
    ...incoming,
    keep: async (received) => {
      const key = randomKey();
      await kept.put(received, key);
      return key;
    },
    open: kept.open,
    remove: kept.remove,
    isAway: kept.isAway,
    sweep: async (task) => ({ received: await sweepIncoming(task.now), kept: await sweepKept(kept, task) }),
    places,
  };
}

async function sweepKept(kept: FileBackend, { isReferenced, now }: SweepTask): Promise<number> {
  let removed = 0;
  let keys: string[] = [];
  const sweepSome = async () => {
    const referenced = await isReferenced(keys);
    for (const key of keys.filter((key) => !referenced.has(key))) {
      await kept.remove(key);
      removed += 1;
    }
    keys = [];
  };
  for await (const key of kept.listOld(now - sweepAgeMs, now)) {
    keys.push(key);
    if (keys.length >= sweepBatch) await sweepSome();
  }
  if (keys.length > 0) await sweepSome();
  return removed;
}
