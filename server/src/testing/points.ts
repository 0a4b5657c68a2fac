import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { archiveOf, secretsOf } from '../backup/command.ts';
import type { Command } from '../backup/command.ts';
import { baseCommand } from '../backup/points/commands.ts';
import { restoreToTime } from '../backup/points/restore-to-time.ts';
import { enforceLimit, sendSpool } from '../backup/points/spool.ts';
import type { Gap } from '../backup/points/spool.ts';
import { cipherToWrite } from '../backup/encryption.ts';
import { readConfig } from '../config.ts';
import { startEmbedded } from '../db/embedded.ts';
import type { EmbeddedDatabase } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { backupTasks } from '../jobs/backups.ts';
import type { JobContext } from '../jobs/task.ts';
import { logTo } from '../logging.ts';

/** The number of a line, and when its commit was acknowledged. */
export type Line = { n: number; at: number };

/** An embedded database whose WAL is archived, with a table of lines. */
export type PointsTest = {
  root: string;
  dataDir: string;
  database: EmbeddedDatabase;
  gaps: Gap[];
  query: (statement: string) => Promise<Record<string, unknown>[]>;
  /** Writes lines one by one, each acknowledged before the next. */
  write: (count: number) => Promise<Line[]>;
  /** Fills a WAL segment, so that the previous one goes to the spool. */
  fill: () => Promise<void>;
  /** Waits until everything is in the spool. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
};

/** A moment between two writes, a second away from both, because names and messages have whole seconds. */
export async function moment(): Promise<number> {
  await sleep(1_100);
  const now = Date.now();
  await sleep(1_100);
  return now;
}

type Start = {
  /** Prepares the test's folder, for example as a separate disk. */
  prepare?: (root: string) => void;
  settings?: Record<string, string>;
  /** Undoes that once the database is stopped. */
  release?: (root: string) => void;
};

export async function startPoints({ prepare, settings = {}, release }: Start = {}): Promise<PointsTest> {
  const root = await mkdtemp(join(tmpdir(), 'tenure-points-'));
  await chmod(root, 0o755);
  prepare?.(root);
  const dataDir = join(root, 'data');
  const database = await startEmbedded({ dataDir, log: logTo('silent'), archiveWal: true, settings });
  await migrate(database.ownerUrl, 'tenure_app');
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query("update audit_chain_reached set transaction = '7'");
  await client.query('create schema ledger; create table ledger.lines (n bigint generated always as identity)');
  const query = async (statement: string) => (await client.query<Record<string, unknown>>(statement)).rows;
  const write = async (count: number) => {
    const lines: Line[] = [];
    for (let i = 0; i < count; i += 1) {
      const [row] = await query('insert into ledger.lines default values returning n::int as n');
      lines.push({ n: row?.['n'] as number, at: Date.now() });
    }
    return lines;
  };
  const settled = async () => {
    const status = join(dataDir, 'postgres', 'pg_wal', 'archive_status');
    while ((await readdir(status)).some((name) => name.endsWith('.ready'))) await sleep(50);
  };
  return {
    root,
    dataDir,
    database,
    gaps: [],
    query,
    write,
    fill: async () => void (await query("select pg_logical_emit_message(true, 'fill', repeat('x', 17 * 1024 * 1024))")),
    settled,
    close: async () => {
      await client.end();
      await database.stop();
      release?.(root);
      await rm(root, { recursive: true, force: true });
    },
  };
}

type More = { identity?: string; replace?: boolean };

/** The commands on a test's archive; `dataDir` is the source's unless a restore goes elsewhere. */
export function commandsOf(test: PointsTest, folder: string, settings: Record<string, string> = {}) {
  const printed: string[] = [];
  const command = (dataDir: string, more: More = {}): Command => ({
    config: readConfig({ DATA_DIR: dataDir, BACKUP_URL: folder, ...settings }),
    log: logTo('silent'),
    print: (line) => void printed.push(line),
    ...more,
  });
  const own = command(test.dataDir);
  const archive = archiveOf(own, '--to');
  const send = async () => {
    await test.settled();
    const target = { archive, cipher: await cipherToWrite(archive, await secretsOf(own)) };
    return sendSpool({ dataDir: test.dataDir, onGap: (gap) => test.gaps.push(gap), histories: new Set() }, target);
  };
  return {
    printed,
    archive,
    base: () => baseCommand(own),
    /** What the timed task logs. */
    baseIfDue: async () => {
      const logged: object[] = [];
      const note = (entry: object) => void logged.push(entry);
      const config = { ...own.config, BACKUP_WAL: true };
      const task = backupTasks(config).find(({ name }) => name === 'make_base');
      const deps = { config, log: { info: note, error: note } };
      await task?.run({ deps, now: Temporal.Now.instant() } as unknown as JobContext);
      return logged;
    },
    send,
    limit: (most: number, reserve = 0) =>
      enforceLimit({ dataDir: test.dataDir, onGap: (gap) => test.gaps.push(gap) }, { most, reserve }),
    restore: (dataDir: string, time: number | string, more: More = {}) =>
      restoreToTime(
        {
          ...command(dataDir, more),
          replace: more.replace ?? false,
          mail: 'hold',
          confirm: async () => true,
          checks: async () => [],
        },
        typeof time === 'string' ? time : new Date(time).toISOString(),
      ),
  };
}

/** Lines, a moment, more lines, and all of their WAL in the archive. */
export async function twoGroups(source: PointsTest, { send }: Pick<ReturnType<typeof commandsOf>, 'send'>) {
  const before = await source.write(20);
  const time = await moment();
  const after = await source.write(20);
  await source.fill();
  await send();
  return { before, time, after };
}

export const numbers = (lines: readonly Line[]): number[] => lines.map(({ n }) => n);

/** The lines in a cluster that is started for this, and how often its sessions were ended. */
export async function readRestored(dataDir: string): Promise<{ lines: number[]; epoch: number; reached: string }> {
  const database = await startEmbedded({ dataDir, log: logTo('silent') });
  const client = new pg.Client({ connectionString: database.ownerUrl });
  try {
    await client.connect();
    const { rows: lines } = await client.query<{ n: number }>('select n::int as n from ledger.lines order by n');
    const { rows } = await client.query<{ epoch: number; reached: string }>(
      `select global_epoch::int as epoch, (select transaction::text from audit_chain_reached) as reached from installation`,
    );
    return { lines: lines.map(({ n }) => n), epoch: rows[0]?.epoch ?? 0, reached: rows[0]?.reached ?? '' };
  } finally {
    await client.end();
    await database.stop();
  }
}
