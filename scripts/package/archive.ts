import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';

/** The archive of a release tree. Identical trees give identical archives, byte by byte. */

/** Higher levels take minutes for a few megabytes. */
const level = 15;

const ordered = [
  '--sort=name',
  '--format=gnu',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--no-xattrs',
  '--no-acls',
];

/** Packs a folder to `<folder>.tar.zst`, with its SHA-256 beside it. Returns the sum. */
export async function packTree(tree: string): Promise<string> {
  const archive = `${tree}.tar.zst`;
  const tar = spawn('tar', [...ordered, '-C', dirname(tree), '-cf', '-', basename(tree)], {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(tar, 'close') as Promise<[number | null]>;
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } });
  // an incomplete file never has an archive's name
  const part = `${archive}.part`;
  try {
    await pipeline(tar.stdout, zstd, createWriteStream(part));
    const [status] = await ended;
    if (status !== 0) throw new Error(`tar ended with exit code ${status}`);
    renameSync(part, archive);
  } finally {
    rmSync(part, { force: true });
  }
  const sum = await sha256Of(archive);
  writeFileSync(`${archive}.sha256`, `${sum}  ${basename(archive)}\n`);
  return sum;
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Bytes of all files below a folder, or of a file. */
export function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
