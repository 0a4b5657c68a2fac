import { memoryGroup } from '../../server/src/testing/memory-group.ts';

/** The command with a memory limit in bytes; if the machine has no limits, without one, which is printed. */
export function limited(bytes: number, program: string, args: string[]): [string, string[]] {
  const group = memoryGroup(`tenure-deploy-${process.pid}`, bytes);
  if (!group) return [program, args];
  // the group is empty again once the command has ended
  process.once('exit', group.remove);
  return group.within(program, args);
}
