import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The tools for a check. Missing ones are printed, so that a skipped check never looks like a passed one. */

// where `go install` puts programs
process.env['PATH'] = [process.env['PATH'], join(homedir(), 'go/bin'), '/usr/sbin'].join(delimiter);

const isThere = (name: string) => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name]).status === 0;

/** Whether the check can run here, as root and with these programs. With TOOLS=required it must. */
export function has(check: string, ...programs: string[]): boolean {
  const missing = programs.filter((name) => !isThere(name));
  if (process.geteuid?.() !== 0) missing.push('the rights of root');
  if (missing.length === 0) return true;
  const message = `NOT CHECKED: ${check}, because this machine lacks ${missing.join(', ')}.`;
  if (process.env['TOOLS'] === 'required') throw new Error(message);
  console.log(message);
  return false;
}

export type Ran = { status: number | null; output: string };

export function run(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
    ...options,
  });
  return { status, output: error ? error.message : `${stdout}${stderr}` };
}

/** The JSON that a program printed on a line; programs that it started may have written errors after it. */
export const printedBy = <T>({ output }: Ran): T =>
  JSON.parse(output.split('\n').findLast((line) => line.startsWith('{')) ?? '') as T;

/** A command in its own network with only loopback; what it starts ends with it. */
export const alone = (...command: string[]): [string, string[]] => [
  'unshare',
  [
    '--net',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    'sh',
    '-c',
    'ip link set lo up && exec "$@"',
    'sh',
    ...command,
  ],
];

/** A user with a name but no rights, on every system, because `initdb` needs a name. */
export const namedUser = Number(run('id', ['-u', 'nobody']).output);

/** A command as a user without any of root's rights. */
export const unprivileged = (user: number, ...command: string[]): string[] => [
  'setpriv',
  `--reuid=${user}`,
  `--regid=${user}`,
  '--clear-groups',
  '--bounding-set=-all',
  '--no-new-privs',
  ...command,
];
