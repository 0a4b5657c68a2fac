import { memoryGroup } from '../../server/src/testing/memory-group.ts';

/** The command with at most so many bytes; where the machine gives no limits, without, which is printed. */
export function limited(bytes: number, program: string, args: string[]): [string, string[]] {
  const group = memoryGroup(`tenure-deploy-${process.pid}`, bytes);
  if (!group) return [program, args];
  // empty again once the command ended
  process.once('exit', group.remove);
  return group.within(program, args);
}
