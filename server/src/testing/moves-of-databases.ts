import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { auditBreaks } from '../audit-chain.ts';
import { readSequences, readTables, copySettings, sumOf } from '../backup/tables.ts';
import { connect } from '../db/connect.ts';
import { startEmbedded } from '../db/embedded.ts';
import { logTo } from '../logging.ts';
import type { TestDatabase } from './databases.ts';
import { programOf } from './program.ts';

export type Ran = { code: number | null; out: string; err: string };
type Settings = Record<string, string>;

type Run = {
  settings: Settings;
  /** Kills it once it has printed a line with this text. */
  killAt?: string;
  /** Runs between the line and the kill. */
  before?: () => Promise<unknown>;
};

/** Runs a command as operators do. */
export async function runCommand(script: string, args: string[], { settings, killAt, before }: Run): Promise<Ran> {
  const child = spawn(process.execPath, programOf(script, args), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const lines: string[] = [];
  let killing: Promise<unknown> | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (killAt === undefined || !line.includes(killAt)) return;
    if (before) killing = before().finally(() => child.kill('SIGKILL'));
    else child.kill('SIGKILL');
  });
  const err = await text(child.stderr);
  const code = await closed;
  await killing;
  return { code, out: lines.map((line) => `${line}\n`).join(''), err };
}

/** Works with a connection as the owner. */
export async function asOwner<T>(
  { ownerUrl }: Pick<TestDatabase, 'ownerUrl'>,
  work: (client: pg.Client) => Promise<T>,
) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(copySettings);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same for the embedded database in a folder whose service is stopped. */
export async function asOwnerIn<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const database = await startEmbedded({ dataDir, log: logTo('silent') });
  try {
    return await asOwner(database, work);
  } finally {
    await database.stop();
  }
}

/** Tables that a move changes on purpose; its checks add links to the chain. */
const changing = ['installation', 'audit_chain', 'audit_chain_reached', 'login_attempts', 'job_workers'];

/** Row counts and sums of all tables, the sequences, and the pending jobs. */
export async function contentOf(client: pg.Client): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const table of await readTables(client))
    if (!changing.includes(table.name)) found[table.name] = await sumOf(client, table);
  const { rows } = await client.query(
    `select task_identifier, key, queue_name, run_at, max_attempts, priority from graphile_worker.jobs
     where key is not null order by key`,
  );
  return { ...found, sequences: await readSequences(client), jobs: rows };
}

/** What is wrong with the chain of the audit log. */
export async function chainFaultsOf(ownerUrl: string) {
  const { db } = connect({ url: ownerUrl, max: 1 });
  try {
    return await auditBreaks(db);
  } finally {
    await db.destroy();
  }
}

export type State = 'empty' | 'unfinished' | 'moved away' | 'in use';

/** Whether a service starts on a database: only on one that is in use, or empty. */
export async function stateOf(client: pg.Client): Promise<State> {
  const { rows } = await client.query<Record<'installed' | 'unfinished' | 'moved', boolean>>(
    `select to_regclass('installation') is not null as installed, to_regclass('unfinished_restore') is not null as unfinished,
            obj_description(to_regclass('installation'), 'pg_class') is not null as moved`,
  );
  const [state] = rows;
  if (!state?.installed) return 'empty';
  if (state.unfinished) return 'unfinished';
  return state.moved ? 'moved away' : 'in use';
}
