import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** A path with its links resolved, even if its last parts do not exist yet. */
const realOf = (path: string): Promise<string> =>
  realpath(path).catch(async () => (dirname(path) === path ? path : join(await realOf(dirname(path)), basename(path))));

/** How one folder relates to another, whatever links lead to them. */
export async function placeWithin(path: string, folder: string): Promise<'same' | 'inside' | 'outside'> {
  const [real, outer] = await Promise.all([realOf(resolve(path)), realOf(resolve(folder))]);
  if (real === outer) return 'same';
  return real.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`) ? 'inside' : 'outside';
}

export const isWithin = async (path: string, folder: string): Promise<boolean> =>
  (await placeWithin(path, folder)) !== 'outside';
