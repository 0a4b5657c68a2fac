import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A limit of memory for a command and all that it starts, whichever version of control groups the machine has. */

const groups = '/sys/fs/cgroup';

/** The folder whose groups have limits of memory, and the name of the file with the limit. */
function controller(): [string, string] | undefined {
  if (existsSync(join(groups, 'memory/memory.limit_in_bytes')))
    return [join(groups, 'memory'), 'memory.limit_in_bytes'];
  if (existsSync(join(groups, 'cgroup.controllers'))) return [groups, 'memory.max'];
  return undefined;
}

/** The command with at most so many bytes; where the machine gives no limits, without, which is printed. */
export function limited(bytes: number, program: string, args: string[]): [string, string[]] {
  const found = controller();
  try {
    if (!found) throw new Error('it has no control groups for memory');
    const [folder, limit] = found;
    const group = join(folder, `tenure-deploy-${process.pid}`);
    mkdirSync(group, { recursive: true });
    // empty again once the command ended
    process.once('exit', () => rmdirSync(group));
    writeFileSync(join(group, limit), String(bytes));
    return ['sh', ['-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs'), program, ...args]];
  } catch (error) {
    console.log(`NOT CHECKED: the limit of memory, because ${(error as Error).message}.`);
    return [program, args];
  }
}
