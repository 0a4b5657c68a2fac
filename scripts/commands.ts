import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The commands of an installation: `tenure <name>` in a release and npm scripts in a checkout call the same files. */

export type Command = {
  /** The script in this folder. */
  file: string;
  /** The npm script that runs it in a checkout, if there is one. */
  npm?: string;
  /** What it does, for the list of commands. */
  summary: string;
};

export const commands: Readonly<Record<string, Command>> = {
  start: { file: 'start.ts', npm: 'start', summary: 'starts the service' },
  reload: {
    file: 'reload.ts',
    npm: 'reload',
    summary: 'replaces the processes of a running service with those of the present release',
  },
  migrate: { file: 'migrate.ts', npm: 'migrate', summary: 'migrates the database to this release, and exits' },
  health: {
    file: 'health.ts',
    summary: 'checks whether the service on this machine is ready; the exit code is 0 or 1',
  },
  doctor: {
    file: 'doctor.ts',
    npm: 'doctor',
    summary: 'checks this installation, and says what is wrong and what to do',
  },
  backup: { file: 'backup.ts', npm: 'backup', summary: 'makes, lists, verifies and removes backups' },
  restore: { file: 'restore.ts', npm: 'restore', summary: 'restores a backup, or tests that with --check' },
  'after-restore': {
    file: 'after-restore.ts',
    npm: 'after-restore',
    summary: 'prepares a database that another tool restored',
  },
  'export-keys': {
    file: 'export-keys.ts',
    npm: 'export-keys',
    summary: 'writes the application keys into a new file, encrypted',
  },
  'move-database': {
    file: 'move-database.ts',
    npm: 'move-database',
    summary: 'copies the database to another place, and blocks services on the former one',
  },
  'move-files': { file: 'move-files.ts', npm: 'move-files', summary: 'moves files between a folder and object stores' },
  'upgrade-database': {
    file: 'upgrade-database.ts',
    npm: 'upgrade-database',
    summary: 'copies the embedded database of an earlier major version of PostgreSQL into a new one',
  },
  'audit-verify': { file: 'audit-verify.ts', npm: 'audit:verify', summary: 'checks the links of the audit log' },
  'audit-archive': {
    file: 'audit-archive.ts',
    npm: 'audit:archive',
    summary: 'moves old months of the audit log to an archive',
  },
  'open-door': {
    file: 'open-door.ts',
    npm: 'open-door',
    summary: 'lets in an administrator who is locked out by a sign-in rule or a lost second factor',
  },
  version: { file: 'version.ts', summary: 'prints the release and what it contains' },
};

const width = Math.max(...Object.keys(commands).map((name) => name.length));

/** The list of commands that `tenure help` prints. */
export const usage = [
  'Usage: tenure <command> [options]',
  '',
  ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
  '',
  'Each command describes its options with --help. Settings come from the environment.',
].join('\n');

/** A file that a release has and a checkout does not. */
export const releaseFile = join(import.meta.dirname, '../release.json');

/** The command line for the command here, for printed texts. */
export function calledAs(name: string): string {
  const script = commands[name]?.npm;
  return script === undefined || existsSync(releaseFile) ? `tenure ${name}` : `npm run ${script} --`;
}
