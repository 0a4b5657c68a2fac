import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const needed = 4 * 1024 ** 3;

/** Is there plenty of memory that programs may be started from? */
function hasMemory(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === inMemory);
    if (!mount || mount.split(' ')[3]?.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= needed;
  } catch {
    // a system that has neither
    return false;
  }
}

/**
 * Runs tests with a folder for their databases, files and profiles, and removes it: tests that kill processes leave
 * some behind. It is in memory where there is plenty, because hundreds of databases are made; else where the system
 * has its temporary files.
 */
export async function withScratch<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(process.env['TMPDIR'] ?? (hasMemory() ? inMemory : tmpdir()), 'tenure-tests-'));
  // the database server has an account of its own
  chmodSync(folder, 0o711);
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
