import { sizeOf } from './archive.ts';

/** The most megabytes of a release, unpacked and packed; more is a mistake, or a decision for this file. */
export const limits = {
  withDatabase: { tree: 300, archive: 110 },
  withoutDatabase: { tree: 240, archive: 110 },
};

const megabyte = 1_024 * 1_024;
export const megabytesOf = (path: string) => sizeOf(path) / megabyte;

/** @throws {Error} if the path is larger than its limit */
export function checkSize(path: string, limit: number): void {
  const size = megabytesOf(path);
  if (size > limit) throw new Error(`${path} takes ${size.toFixed(0)} MB; the limit is ${limit} MB`);
}
