import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group with a memory limit, in the version of control groups that the machine has. */
export type MemoryGroup = {
  /** The command line that runs a program, and all that it starts, in the group under the same process id. */
  within: (program: string, args: readonly string[]) => [string, string[]];
  /** Removes the group, which must have no processes left. */
  remove: () => void;
};

const groups = '/sys/fs/cgroup';

/** The folder whose groups have memory limits, the file of the limit, and that of memory with swap. */
function controller(): [folder: string, limit: string, swap: string, most: (bytes: number) => number] {
  if (existsSync(join(groups, 'memory/memory.limit_in_bytes')))
    return [join(groups, 'memory'), 'memory.limit_in_bytes', 'memory.memsw.limit_in_bytes', (bytes) => bytes];
  if (existsSync(join(groups, 'cgroup.controllers'))) return [groups, 'memory.max', 'memory.swap.max', () => 0];
  throw new Error('it has no control groups for memory');
}

/**
 * Creates a group below the machine's first one.
 * @throws {Error} if this process cannot create one
 */
export function makeMemoryGroup(name: string, bytes: number): MemoryGroup {
  const [folder, limit, swap, most] = controller();
  const group = join(folder, name);
  mkdirSync(group, { recursive: true });
  const remove = () => rmdirSync(group);
  try {
    // checked first, because an ordinary folder would accept any file
    if (!existsSync(join(group, limit))) throw new Error('its control groups have no limits of memory');
    writeFileSync(join(group, limit), String(bytes));
    if (existsSync(join(group, swap))) writeFileSync(join(group, swap), String(most(bytes)));
  } catch (error) {
    remove();
    throw error;
  }
  return {
    within: (program, args) => [
      'sh',
      ['-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs'), program, ...args],
    ],
    remove,
  };
}

/** The group, or undefined if this machine cannot create one; this is printed, because a skipped check is no pass. */
export function memoryGroup(name: string, bytes: number): MemoryGroup | undefined {
  try {
    return makeMemoryGroup(name, bytes);
  } catch (error) {
    const message = `NOT CHECKED: the limit of memory, because ${(error as Error).message}.`;
    if (process.env.TOOLS === 'required') throw new Error(message, { cause: error });
    process.stdout.write(`${message}\n`);
    return undefined;
  }
}
