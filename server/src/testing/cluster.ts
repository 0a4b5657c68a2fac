import { chmod, chown, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { randomToken } from '../crypto/crypto.ts';
import { serverAccount } from '../db/embedded/account.ts';
import { binariesIn, findBinaries } from '../db/embedded/binaries.ts';
import { createCluster } from '../db/embedded/create-cluster.ts';
import { startServer } from '../db/embedded/server.ts';
import { socketUrls } from '../db/embedded/urls.ts';
import { startPooler } from './pooler.ts';
import type { TestPooler } from './pooler.ts';

/** Addresses of the database `tenure` of a throw-away server, for its owner and for the application role. */
export interface TestCluster {
  ownerUrl: string;
  appUrl: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster;
    /** The folder of the pooler's socket, if tests use a pooler. */
    pooler: string | null;
  }
}

// Nothing here outlives the run, so nothing needs to be synced to disk.
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  checkpoint_timeout: '1h',
  // it would scan hundreds of small databases again and again
  autovacuum: 'off',
  // like the service's own database, and as external ones should be
  jit: 'off',
  shared_buffers: '256MB',
  max_connections: 300,
  max_wal_size: '4GB',
  listen_addresses: '',
  unix_socket_directories: '.',
  timezone: 'UTC',
  // in small databases, planning a statement takes longer than running it
  plan_cache_mode: 'force_generic_plan',
};

/** The kernel copies a database's files, or shares their blocks if the file system supports it. */
const copyOfDatabases = { file_copy_method: 'clone' };

export interface StartClusterOptions {
  settings?: Record<string, string | number>;
  onLog?: (line: string) => void;
}

/** Starts a throw-away PostgreSQL in the temporary folder; `stop`, or the end of this process, removes all of it. */
export async function startCluster(
  options: StartClusterOptions = {},
): Promise<TestCluster & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'tenure-pg-'));
  const cluster = join(folder, 'postgres');
  const account = await serverAccount(cluster);
  if (account) await chown(folder, account.uid, account.gid);
  // the programs of another release, in a folder: `npm run test:postgres` tests the oldest supported one
  const other = process.env.POSTGRES_TEST;
  // before PostgreSQL 16, initdb needs access to every parent folder
  if (other) await chmod(folder, 0o711);
  const binaries = other ? await binariesIn(other) : await findBinaries(account);
  const passwords = { owner: randomToken(24), app: randomToken(24) };
  await createCluster({ cluster, binaries, account, passwords, durable: false });
  const server = await startServer({
    cluster,
    binaries,
    account,
    settings: { ...THROW_AWAY, ...(binaries.major >= 18 && copyOfDatabases), ...options.settings },
    onLog: options.onLog ?? (() => {}),
    whenOrphaned: { remove: folder },
  });
  const stop = async (): Promise<void> => {
    await server.stop('immediate');
    await rm(folder, { recursive: true, force: true });
  };
  return { ...socketUrls(cluster, passwords), stop };
}

let running: Awaited<ReturnType<typeof startCluster>> | undefined;
let pooler: TestPooler | undefined;

/** Vitest's global set-up: one server for the whole run. */
export async function setup(project: TestProject): Promise<void> {
  running = await startCluster();
  project.provide('cluster', { ownerUrl: running.ownerUrl, appUrl: running.appUrl });
  if (process.env.DATABASE_POOLER_TEST === 'on') {
    // the limit of the production role, without limiting what tests do as the owner
    const onConnect = 'set statement_timeout = 5000';
    pooler = await startPooler([running.appUrl, running.ownerUrl], {}, onConnect);
  }
  project.provide('pooler', pooler?.folder ?? null);
}

export async function teardown(): Promise<void> {
  await pooler?.stop();
  await running?.stop();
}
