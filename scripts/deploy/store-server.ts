import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inside } from './network.ts';
import type { ComposeService } from './compose-file.ts';
import type { Machine } from './network.ts';
import { readsPicture } from './visit.ts';
import type { Visit } from './visit.ts';

/** The object store of compose.s3.yaml, as a program here with the file's command line and environment. */

export type Stored = {
  /** The status of the picture upload. */
  status: number;
  /** Whether files are in the bucket, and how many are in the processes' volume. */
  inBucket: boolean;
  inVolume: number;
  /** The processes that returned the picture. */
  readBy: string[];
};

const target = '/store';

/** The command line that starts it; its folder is the file's volume. */
export function storeCommand(machine: Machine, { entrypoint }: ComposeService, folder: string): string[] {
  mkdirSync(folder);
  const [shell = '', options = '', script = ''] = entrypoint as string[];
  // a dollar sign that compose leaves to the shell; paths in the image differ from those on this machine
  const line = script.replaceAll('$$', '$').replaceAll(new RegExp(`${target}(?=[\\s/]|$)`, 'gm'), folder);
  return inside(machine, shell, options, line);
}

export const isHealthyStore = ({ address }: Machine, path: string): Promise<boolean> =>
  fetch(`http://${address}:7070${path}`).then(
    ({ ok }) => ok,
    () => false,
  );

const filesBelow = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
    : 0;

/** Where the picture of a visit is stored, and which of the processes can read it. */
export async function whereStored(
  visit: Visit,
  { bucket, volume, readers }: { bucket: string; volume: string; readers: readonly Machine[] },
): Promise<Stored> {
  const readBy: string[] = [];
  for (const { name, address } of readers) if (await readsPicture(`http://${address}:8000`, visit)) readBy.push(name);
  return {
    status: visit.statuses['picture'] ?? 0,
    // in addition to the store's id
    inBucket: filesBelow(bucket) > 1,
    inVolume: filesBelow(join(volume, 'tenure/files/kept')),
    readBy,
  };
}
