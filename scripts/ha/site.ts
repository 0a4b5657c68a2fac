import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { generateKey } from '../../server/src/crypto/keys.ts';
import { admin, startProcess } from '../../server/src/testing/service-process.ts';
import type { ServiceProcess } from '../../server/src/testing/service-process.ts';
import { run } from '../deploy/tools.ts';
import { folder, passwords, poolerUsers, superuserUrl, urls } from './files.ts';
import { addressOf, makeNetwork, nodeNames, removeNetwork } from './network.ts';
import type { NodeName } from './network.ts';
import { makeNode, startAs } from './nodes.ts';
import type { DatabaseNode } from './nodes.ts';

/** The whole setup of docs/ha.md: three database nodes, and a machine with HAProxy, PgBouncer and Tenure. */
export type Site = {
  scratch: string;
  nodes: Record<NodeName, DatabaseNode>;
  /** Two processes for requests: one through HAProxy, one through PgBouncer in front of it. */
  services: ServiceProcess[];
  worker: ServiceProcess;
  haproxy: Restartable;
  pgbouncer: Restartable;
  /** The role of each node, once all three are up and the standbys follow. */
  settled: () => Promise<Roles>;
  stop: () => Promise<void>;
};

export type Roles = { primary: NodeName; synchronous: NodeName | undefined; others: NodeName[] };
type Restartable = { kill: () => Promise<void>; start: () => void };

/** Removed when the command ends; HA_SCRATCH names a folder to inspect afterwards. */
const parent = process.env['HA_SCRATCH'] ?? '/dev/shm';

async function ask<T extends pg.QueryResultRow>(text: string, url = superuserUrl): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 3_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Polls until there is an answer, at most two minutes. */
async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  let last: unknown = 'no answer';
  for (const since = performance.now(); performance.now() - since < 120_000; await sleep(250)) {
    const found = await look().catch((error: unknown) => {
      last = error;
      return undefined;
    });
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not come: ${String(last)}`);
}

/** Tries for some seconds to write to a node, bypassing HAProxy; returns how many writes it acknowledged. */
export async function writesTakenBy(node: NodeName, seconds: number): Promise<number> {
  const url = superuserUrl.replace('127.0.0.1:5000', `${addressOf(node)}:5432`);
  let taken = 0;
  for (const since = performance.now(); performance.now() - since < seconds * 1_000; await sleep(100))
    await ask('create table if not exists probe (); drop table probe', url).then(
      () => (taken += 1),
      () => undefined,
    );
  return taken;
}

type Row = { address: string; standbys: { name: NodeName; sync_state: string }[] | null };

/** What the primary reports about itself and its standbys, queried through HAProxy. */
async function rolesNow(isSynchronous: boolean): Promise<Roles | undefined> {
  const [row] = await ask<Row>(`select host(inet_server_addr()) as address,
    (select json_agg(json_build_object('name', application_name, 'sync_state', sync_state))
     from pg_stat_replication where state = 'streaming') as standbys`);
  const primary = nodeNames.find((name) => addressOf(name) === row?.address);
  // excludes base backups, which also stream
  const standbys = (row?.standbys ?? []).filter(({ name }) => nodeNames.includes(name));
  const synchronous = standbys.find(({ sync_state }) => sync_state === 'sync')?.name;
  if (!primary || standbys.length < 2 || (isSynchronous && !synchronous)) return undefined;
  return { primary, synchronous, others: standbys.map(({ name }) => name).filter((name) => name !== synchronous) };
}

/** Gives a new database the statistics of one in use; a failover loses autovacuum's counts. */
export const analyze = () => ask('analyze', superuserUrl.replace(/postgres$/, 'tenure')).catch(() => undefined);

/** A program that can be killed and restarted. */
function restartable(start: () => ChildProcess): Restartable {
  let child = start();
  return {
    kill: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    start: () => {
      child = start();
    },
  };
}

function startProxies(scratch: string) {
  const settings = join(scratch, 'pgbouncer');
  mkdirSync(settings);
  copyFileSync(join(folder, 'pgbouncer.ini'), join(settings, 'pgbouncer.ini'));
  writeFileSync(join(settings, 'userlist.txt'), poolerUsers);
  for (const path of [settings, join(settings, 'pgbouncer.ini'), join(settings, 'userlist.txt')]) {
    chownSync(path, Number(run('id', ['-u', 'postgres']).output), 0);
    chmodSync(path, 0o700);
  }
  const place = { scratch, mounts: {} };
  const pooler = { ...place, user: 'postgres', mounts: { '/etc/pgbouncer': settings } };
  return {
    haproxy: restartable(() =>
      startAs({ ...place, user: 'root' }, undefined, 'haproxy', '-db', '-f', join(folder, 'haproxy.cfg')),
    ),
    pgbouncer: restartable(() => startAs(pooler, undefined, 'pgbouncer', '/etc/pgbouncer/pgbouncer.ini')),
  };
}

function makeRoles() {
  const { owner, app, superuser } = passwords;
  const options = ['-h', '127.0.0.1', '-p', '5000', '-U', 'postgres'];
  const env = { ...process.env, PGPASSWORD: superuser, TENURE_OWNER_PASSWORD: owner, TENURE_APP_PASSWORD: app };
  const { status, output } = run('psql', [...options, '-f', join(folder, 'roles.sql')], { env });
  if (status !== 0) throw new Error(`roles.sql failed:\n${output}`);
}

/** The first port is in the public address of all processes. */
export const ports = [8_001, 8_002] as const;

async function startTenure(scratch: string) {
  const common = {
    APP_KEY: generateKey(),
    APP_URL: `http://localhost:${ports[0]}`,
    STORAGE_URL: `file://${join(scratch, 'files')}`,
    DATABASE_MIGRATION_URL: urls.owner,
    // request ids are accepted from a proxy, and the writers act as one
    TRUST_PROXY: '127.0.0.0/8,::1/128',
    LOG_LEVEL: 'warn',
  };
  const plain = { ...common, DATABASE_URL: urls.app };
  const pooled = { ...common, DATABASE_URL: urls.pooled, DATABASE_POOLER: 'on', DATABASE_DIRECT_URL: urls.app };
  const start = (name: string, port: number, settings: Record<string, string>) =>
    startProcess({ dataDir: join(scratch, name), port, settings });
  const services = [
    await start('api-1', ports[0], { ...plain, ROLE: 'api', METRICS_PORT: '9101' }),
    await start('api-2', ports[1], { ...pooled, ROLE: 'api', METRICS_PORT: '9102' }),
  ];
  const worker = await start('worker', 0, { ...plain, ROLE: 'worker', METRICS_PORT: '9103' });
  return { services, worker };
}

/** Builds everything from scratch, in about a minute; an asynchronous setup is the control. */
export async function startSite({ isSynchronous }: { isSynchronous: boolean }): Promise<Site> {
  const scratch = mkdtempSync(join(parent, 'tenure-ha-'));
  chmodSync(scratch, 0o755);
  makeNetwork();
  const make = (name: NodeName) => [name, makeNode(name, scratch, isSynchronous)] as const;
  const nodes = Object.fromEntries(nodeNames.map(make)) as Site['nodes'];
  for (const node of Object.values(nodes)) node.startEtcd();
  for (const node of Object.values(nodes)) node.startPatroni();
  const proxies = startProxies(scratch);
  const settled = () => eventually('A primary with two standbys', () => rolesNow(isSynchronous));
  await settled();
  makeRoles();
  const tenure = await startTenure(scratch);
  return {
    scratch,
    nodes,
    ...proxies,
    ...tenure,
    settled,
    stop: async () => {
      for (const { stop } of [...tenure.services, tenure.worker]) await stop('SIGKILL');
      await Promise.all([proxies.haproxy.kill(), proxies.pgbouncer.kill()]);
      for (const node of Object.values(nodes)) node.signal('SIGKILL');
      await sleep(500);
      removeNetwork();
      if (!process.env['HA_SCRATCH']) rmSync(scratch, { recursive: true, force: true });
    },
  };
}

export const account = admin;
