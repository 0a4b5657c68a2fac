import { open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { randomToken } from '../crypto/crypto.ts';
import { syncFolder } from '../db/data-dir.ts';
import { pathIn } from '../files/places.ts';
import { makeFolder } from '../make-folder.ts';
import { withoutPassword } from '../without-password.ts';
import { Refusal, refusalOf } from './refusal.ts';

export const archiveFormat = 1;

const description = z.object({
  format: z.number(),
  /** Derived from the key that names the chunks, so that archives of two installations are never mixed. */
  installation: z.string(),
});
type Description = z.output<typeof description>;

/** A folder with backups, on a disk or in an object store. A file is complete or absent, and never changes. */
export type Archive = {
  root: string;
  /** Whether it is a folder on a disk. */
  isOnDisk: boolean;
  describe: () => Promise<Description | undefined>;
  /** A file of at most `most` bytes; a larger one is refused. */
  read: (path: string, most?: number) => Promise<Buffer | undefined>;
  write: (path: string, content: Uint8Array | string) => Promise<void>;
  size: (path: string) => Promise<number>;
  /** Marks the file for `prune` as used by a running backup; false if it must be written again for that. */
  touch: (path: string) => Promise<boolean>;
  list: (folder: string) => Promise<string[]>;
  /** In milliseconds since 1970. */
  changedAt: (path: string) => Promise<number>;
  remove: (path: string) => Promise<void>;
};

/** The manifest of millions of files is smaller than this, and no text in this program can be larger. */
export const maxReadBytes = 512 * 1_024 * 1_024;

export const tooLargeIn = (root: string, path: string) =>
  new Refusal(
    `${root} contains ${path}, which is damaged (too large): use another backup or another copy of the archive.`,
  );

/** @throws {Refusal} for an address that is not a folder */
export function folderOf(address: string): string {
  const path = pathIn(address);
  if (path !== undefined) return path;
  // here `file:/mnt/backups` and `s3:/bucket` would be folder names
  if (/^([a-z][a-z0-9+.-]+:\/\/|(file|s3):)/i.test(address))
    // without the password that it may contain
    throw new Refusal(
      `${withoutPassword(address)} is neither a folder, for example /mnt/backups, nor s3://bucket/prefix.`,
    );
  return address;
}

/** An archive on a disk. Files are written under another name, synced and renamed. */
export function openArchive(root: string): Archive {
  const at = (path: string) => join(root, path);
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw refusalOf(error, root);
    }
  };
  const size = async (path: string) => (await guarded(orAbsent(stat(at(path)))))?.size ?? 0;
  const read: Archive['read'] = async (path, most = maxReadBytes) => {
    if ((await size(path)) > most) throw tooLargeIn(root, path);
    return guarded(orAbsent(readFile(at(path))));
  };
  return {
    root,
    isOnDisk: true,
    describe: async () => descriptionIn(root, await read('archive.json')),
    read,
    write: (path, content) => guarded(writeWhole(at(path), content)),
    size,
    touch: async (path) => {
      await guarded(utimes(at(path), new Date(), new Date()));
      return true;
    },
    list: async (folder) => (await guarded(orAbsent(readdir(at(folder))))) ?? [],
    changedAt: async (path) => (await guarded(orAbsent(stat(at(path)))))?.mtimeMs ?? 0,
    remove: (path) => guarded(rm(at(path), { recursive: true, force: true })),
  };
}

/** The content of `archive.json`, if it exists. */
export function descriptionIn(root: string, content: Buffer | undefined): Description | undefined {
  if (!content) return undefined;
  const found = description.safeParse(parsed(content));
  if (!found.success)
    throw new Refusal(`${root} contains an archive.json that is not from Tenure: choose another folder.`);
  if (found.data.format > archiveFormat)
    throw new Refusal(`The archive in ${root} was made by a newer release of Tenure: use that release.`);
  return found.data;
}

/** Makes an empty folder the archive of this installation, or checks that it already is. */
export async function claimArchive(archive: Archive, installation: string): Promise<void> {
  const found = await archive.describe();
  if (found?.installation === installation) return;
  if (found)
    throw new Refusal(
      `${archive.root} contains the backups of another installation: choose another folder for this one.`,
    );
  const entries = (await archive.list('.')).filter((name) => name !== 'lost+found' && !isDraft(name));
  if (entries.length > 0)
    throw new Refusal(`${archive.root} is neither empty nor an archive of Tenure: choose another folder.`);
  await archive.write('archive.json', `${JSON.stringify({ format: archiveFormat, installation })}\n`);
}

/** @throws {Refusal} if there is no archive to read */
export async function requireArchive(archive: Archive): Promise<void> {
  if (await archive.describe()) return;
  throw new Refusal(`${archive.root} contains no backups of Tenure: check the path and whether its disk is mounted.`);
}

export const isDraft = (name: string) => name.includes('.draft-');

async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.draft-${randomToken(6)}`;
  await makeFolder(dirname(path));
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

export function parsed(content: Buffer | string): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}

async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
