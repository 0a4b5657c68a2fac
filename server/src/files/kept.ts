import type { Readable } from 'node:stream';
import type { Received } from './incoming.ts';

/** Where files are kept: a folder, or a bucket of an object store. A key is 32 hex digits. */
export type Kept = {
  /** As messages call it. */
  name: string;
  /** Takes a received file, which is gone afterwards. When this resolves, the file survives a power cut. */
  put: (received: Received, key: string) => Promise<void>;
  /** The content of a file, or null when there is none under the key. */
  open: (key: string) => Promise<{ stream: Readable; size: number } | null>;
  /** The bytes of a file, or null when there is none. */
  sizeOf: (key: string) => Promise<number | null>;
  /** Removing twice is no error. */
  remove: (key: string) => Promise<void>;
  list: () => AsyncIterable<{ key: string; size: number }>;
  /** The keys that were there before a moment (milliseconds since 1970), of the part that a sweep at `now` looks at. */
  listOld: (before: number, now: number) => AsyncIterable<string>;
  /** What tells the stores of two installations apart, or null where nothing was written yet. */
  readMark: () => Promise<string | null>;
  writeMark: (mark: string) => Promise<void>;
  /** True while nothing can be stored or read, as far as is known. */
  isAway: () => boolean;
  /** Of stores that may be away for a while: counts as away until it answers and `check` resolves. */
  closeUntil?: (error: Error & { code: string }, check: () => Promise<void>) => void;
};

/** The name of the file or object with the mark. */
export const markName = 'store-id';

const mostOfMark = 100;

/** The mark as it was written; text of other programs is cut, so that a message can show it. */
export const markOf = (content: string): string => content.trim().slice(0, mostOfMark);

export type Places = {
  kept: Kept;
  /** Where files were, while they are being moved. */
  fallback?: Kept | undefined;
};

/** Both places as one: new files go to `kept`, and those that are not there are read where they were. */
export function withFallback({ kept, fallback }: Places): Kept {
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
