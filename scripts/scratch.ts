import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const needed = 4 * 1024 ** 3;

/** Whether there is plenty of memory that allows executing programs. */
function hasMemory(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === inMemory);
    if (!mount || mount.split(' ')[3]?.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= needed;
  } catch {
    // a system without either
    return false;
  }
}

/**
 * Runs tests with a folder for their databases, files and profiles, and removes it, because tests that kill processes
 * leave some behind. The folder is in memory if there is plenty, because hundreds of databases are created; otherwise
 * in the system's temporary folder.
 */
export async function withScratch<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(process.env['TMPDIR'] ?? (hasMemory() ? inMemory : tmpdir()), 'tenure-tests-'));
  // the database server has its own account
  chmodSync(folder, 0o711);
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
