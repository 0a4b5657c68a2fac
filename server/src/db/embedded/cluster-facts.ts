import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The major version of PostgreSQL that made a cluster. */
export async function majorOf(cluster: string): Promise<number> {
  return Number((await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim());
}

/** Bytes of all files in a folder, which may change meanwhile; 0 if it does not exist. */
export async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  let bytes = 0;
  for (const name of names) bytes += (await lstat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

/** What is copied and rebuilt per second on two processors (ADR 85). */
const bytesInSecond = 15_000_000;

/** How much a rebuild of a cluster copies, not counting its WAL, and how long that takes, rounded up. */
export async function effortOf(cluster: string): Promise<{ megabytes: number; minutes: number }> {
  const bytes = (await sizeOf(cluster)) - (await sizeOf(join(cluster, 'pg_wal')));
  return { megabytes: Math.ceil(bytes / 1e6), minutes: Math.ceil(bytes / bytesInSecond / 60) };
}
