import type { Readable } from 'node:stream';
import type { Received } from './incoming.ts';

/** Stores files in a folder, or in a bucket of an object store. A key is 32 hex digits. */
export type FileBackend = {
  /** The store's name in messages. */
  name: string;
  /** Takes a received file, which is then gone. Once this resolves, the file survives a power failure. */
  put: (received: Received, key: string) => Promise<void>;
  /** The content of a file, or null if there is none under the key. */
  open: (key: string) => Promise<{ stream: Readable; size: number } | null>;
  /** The size of a file in bytes, or null if there is none. */
  sizeOf: (key: string) => Promise<number | null>;
  /** Removing a file twice is no error. */
  remove: (key: string) => Promise<void>;
  list: () => AsyncIterable<{ key: string; size: number }>;
  /** The keys that existed before a moment (milliseconds since 1970), in the range that a sweep at `now` checks. */
  listOld: (before: number, now: number) => AsyncIterable<string>;
  /** What tells the stores of two installations apart, or null if nothing was written yet. */
  readMark: () => Promise<string | null>;
  writeMark: (mark: string) => Promise<void>;
  /** True while the store is known to be unavailable. */
  isAway: () => boolean;
  /** For stores that may be unavailable: treats the store as unavailable until it answers and `check` resolves. */
  closeUntil?: (error: Error & { code: string }, check: () => Promise<void>) => void;
};

/** The name of the file or object with the mark. */
export const markName = 'store-id';

const maxMarkLength = 100;

/** The mark as it was written; text from other programs is shortened so that a message can show it. */
export const markOf = (content: string): string => content.trim().slice(0, maxMarkLength);

export type Places = {
  kept: FileBackend;
  /** The previous place of files while they are being moved. */
  fallback?: FileBackend | undefined;
};

/** Combines both places: new files go to `kept`, and files not there yet are read from the previous place. */
export function withFallback({ kept, fallback }: Places): FileBackend {
  if (!fallback) return kept;
  return {
    ...kept,
    open: async (key) => (await kept.open(key)) ?? fallback.open(key),
    sizeOf: async (key) => (await kept.sizeOf(key)) ?? fallback.sizeOf(key),
    remove: async (key) => {
      await kept.remove(key);
      await fallback.remove(key);
    },
  };
}
