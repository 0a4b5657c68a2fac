import { readFileSync, statfsSync } from 'node:fs';

const inMemory = '/dev/shm';
const needed = 8 * 1024 ** 3;

/**
 * Where the databases, files and profiles of tests go: into memory where there is plenty, because nothing of them
 * outlives the run and hundreds of databases are made; else where the system has its temporary files.
 */
export function scratch(): { TMPDIR?: string } {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === inMemory);
    // programs are put there, too
    if (!mount || mount.split(' ')[3]?.split(',').includes('noexec')) return {};
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= needed ? { TMPDIR: inMemory } : {};
  } catch {
    // a system that has neither
    return {};
  }
}
