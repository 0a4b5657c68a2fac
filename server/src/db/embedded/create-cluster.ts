import { spawn } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { noSpaceIn } from '../../backup/refusal.ts';
import { syncFolder } from '../data-dir.ts';
import { type Account, chownTree, namedAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { endOrphans } from './processes.ts';
import { folderArgument } from './server.ts';

export interface Passwords {
  owner: string;
  app: string;
}

export interface ClusterPlan {
  cluster: string;
  binaries: Binaries;
  account: Account | undefined;
  passwords: Passwords;
  /** Only a throw-away cluster may do without syncing to disk. */
  durable: boolean;
}

const HBA = ['local all all scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256', ''].join('\n');

/** Sets up a cluster beside its final place and moves it there when complete, so that an interruption leaves none. */
export async function createCluster(plan: ClusterPlan): Promise<void> {
  const draft = `${plan.cluster}.new`;
  await endOrphans(draft, 0);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const setup = { ...plan, cluster: draft };
  await asNamedUser(setup, async (account) => {
    await initdb(setup, account);
    await singleUser(setup, account, [...roleStatements(plan.passwords), ...FIRST_STATEMENTS]);
  });
  await writeFile(join(draft, 'pg_hba.conf'), HBA, { flush: plan.durable });
  await rename(draft, plan.cluster);
  await syncFolder(dirname(plan.cluster));
}

/** Gives the roles new passwords without knowing the old ones; the server must not be running. */
export async function resetPasswords(plan: ClusterPlan): Promise<void> {
  const statements = Object.entries(plan.passwords).map(
    ([name, password]) => `ALTER ROLE tenure_${name} PASSWORD '${password}'`,
  );
  await asNamedUser(plan, (account) => singleUser(plan, account, statements));
}

/** Lets the owner read the whole cluster, for base backups; the server must not be running. */
export async function allowReplication(plan: ClusterPlan): Promise<void> {
  await asNamedUser(plan, (account) => singleUser(plan, account, ['ALTER ROLE tenure_owner REPLICATION']));
}

function roleStatements({ owner, app }: Passwords): string[] {
  return [
    `CREATE ROLE tenure_owner LOGIN CREATEDB PASSWORD '${owner}'`,
    `CREATE ROLE tenure_app LOGIN PASSWORD '${app}'`,
  ];
}

// amcheck goes into template1, so that the index check also works in a scratch database.
const FIRST_STATEMENTS = [
  'CREATE SCHEMA amcheck',
  'CREATE EXTENSION amcheck SCHEMA amcheck',
  'GRANT USAGE ON SCHEMA amcheck TO tenure_owner',
  'GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA amcheck TO tenure_owner',
  'CREATE DATABASE tenure OWNER tenure_owner',
  'REVOKE ALL ON DATABASE tenure FROM PUBLIC',
  'GRANT CONNECT, TEMPORARY ON DATABASE tenure TO tenure_app',
];

async function asNamedUser(plan: ClusterPlan, work: (account: Account | undefined) => Promise<void>): Promise<void> {
  if (!plan.account) return work(undefined);
  const named = await namedAccount();
  await chownTree(plan.cluster, named);
  await work(named);
  await chownTree(plan.cluster, plan.account);
}

async function initdb({ cluster, binaries, durable }: ClusterPlan, account: Account | undefined): Promise<void> {
  // The built-in locale sorts the same on every machine and never changes with a library update. It does not exist
  // before PostgreSQL 17; tests create such clusters.
  const builtIn = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-locale'];
  const locale = [...(binaries.major < 17 ? ['--locale=C.UTF-8'] : builtIn), '--encoding=UTF8'];
  const safety = ['--data-checksums', '--auth=reject', ...(durable ? [] : ['--no-sync'])];
  const args = ['-D', folderArgument(cluster, account), '-U', 'postgres', '--no-instructions', ...locale, ...safety];
  await runProgram(binaries.initdb, args, { cluster, account });
}

async function singleUser(
  { cluster, binaries, durable }: ClusterPlan,
  account: Account | undefined,
  statements: string[],
): Promise<void> {
  const args = [
    '--single',
    '-D',
    folderArgument(cluster, account),
    '-c',
    'exit_on_error=true',
    '-c',
    'log_statement=none',
  ];
  if (!durable) args.push('-F');
  // tests open thousands of connections, and their passwords are random
  if (!durable && binaries.major >= 16) args.push('-c', 'scram_iterations=1');
  await runProgram(binaries.postgres, [...args, 'template1'], { cluster, account, input: statements.join('\n') });
}

interface ProgramContext {
  cluster: string;
  account: Account | undefined;
  input?: string;
}

async function runProgram(
  program: string,
  args: string[],
  { cluster, account, input = '' }: ProgramContext,
): Promise<void> {
  const child = spawn(program, args, { cwd: cluster, env: { LC_ALL: 'C', TZ: 'UTC' }, ...account });
  child.stdin.end(input);
  const ended = new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
  const [code, , errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code === 0) return;
  const [, nameless] = /could not look up effective user ID (\d+)/.exec(errors) ?? [];
  if (nameless !== undefined) throw withoutName(nameless);
  const error = new Error(`The embedded PostgreSQL could not be set up: ${errors.trim()}`);
  throw errors.includes('No space left on device') ? noSpaceIn(dirname(cluster), error) : error;
}

/** A container may run as a user without a name, but PostgreSQL needs one to set up or change a cluster. */
function withoutName(user: string): Error {
  return new Error(
    `The embedded PostgreSQL needs a user with a name, and user ${user} has no line in /etc/passwd. ` +
      'Start as a user that has one (10001 in the image), or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}
