import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group with a limit of memory, in whichever version of control groups the machine has. */
export type MemoryGroup = {
  /** The command line that runs a command and all that it starts in the group, under the same process number. */
  within: (program: string, args: readonly string[]) => [string, string[]];
  /** Removes it; no process may be left in it. */
  remove: () => void;
};

const groups = '/sys/fs/cgroup';

/** The folder whose groups have limits of memory, the file of the limit, and that of memory with swap. */
function controller(): [folder: string, limit: string, swap: string, most: (bytes: number) => number] {
  if (existsSync(join(groups, 'memory/memory.limit_in_bytes')))
    return [join(groups, 'memory'), 'memory.limit_in_bytes', 'memory.memsw.limit_in_bytes', (bytes) => bytes];
  if (existsSync(join(groups, 'cgroup.controllers'))) return [groups, 'memory.max', 'memory.swap.max', () => 0];
  throw new Error('it has no control groups for memory');
}

/**
 * Makes a group below the first one of the machine.
 * @throws {Error} where this process may make none
 */
export function makeMemoryGroup(name: string, bytes: number): MemoryGroup {
  const [folder, limit, swap, most] = controller();
  const group = join(folder, name);
  mkdirSync(group, { recursive: true });
  const remove = () => rmdirSync(group);
  try {
    // its own file or none: a folder of another kind would take any
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

/** The group, or undefined where this machine makes none, which is printed: a check that was not made is no pass. */
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
