import { statfs } from 'node:fs/promises';
import { Refusal } from './refusal.ts';

const everyMs = 500;

export type Room = {
  /** Aborts once the disk has less than the reserve, with a refusal as its reason. */
  signal: AbortSignal;
  /** Looks now, beside the looks at every half second. */
  look: () => Promise<void>;
  stop: () => void;
};

/** Watches that a disk keeps `reserve` bytes free, no matter what fills it. */
export function watchRoom(folder: string, reserve: number): Room {
  const low = new AbortController();
  const look = async () => {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= reserve || low.signal.aborted) return;
    low.abort(
      new Refusal(
        `${folder} has less than DISK_RESERVE_MB (${Math.round(reserve / 1_048_576)} MB) left, so the restore was ended: ` +
          'free some space, or choose another folder.',
      ),
    );
  };
  // a folder that cannot be looked at is one for the work itself to refuse
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  return { signal: low.signal, look, stop: () => clearInterval(timer) };
}
