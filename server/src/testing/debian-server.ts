import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The programs of Debian's package postgresql-15. */
export const debianBin = '/usr/lib/postgresql/15/bin';

/** PostgreSQL refuses to run as root. */
function account(): { uid?: number; gid?: number } {
  if (process.geteuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres']).toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A server from Debian's PostgreSQL, in a folder of a test. */
export type DebianServer = {
  root: string;
  cluster: string;
  /** The folder of its socket, whatever the cluster. */
  socket: string;
  /** Options for programs that run as the server's user. */
  as: { uid?: number; gid?: number; cwd: string };
  /** The address for a role without a password. */
  url: (role: string, database?: string) => string;
  /** Creates a folder that the server may use. */
  folder: (name: string) => Promise<string>;
  start: (settings: readonly string[], env?: Record<string, string>, cluster?: string) => Promise<void>;
  stop: () => Promise<void>;
  remove: () => Promise<void>;
};

export async function debianServer(): Promise<DebianServer> {
  const root = await mkdtemp(join(tmpdir(), 'tenure-debian-'));
  await chmod(root, 0o755);
  const { uid, gid } = account();
  const folder = async (name: string) => {
    const path = join(root, name);
    await mkdir(path, { mode: 0o700 });
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
    return path;
  };
  const [cluster, socket] = [await folder('cluster'), await folder('socket')];
  const as = { cwd: root, ...account() };
  execFileSync(`${debianBin}/initdb`, ['-D', cluster, '-U', 'postgres', '--auth=trust', '-N', '--encoding=UTF8'], as);
  const url = (role: string, database = role) => `postgres://${role}@${encodeURIComponent(socket)}/${database}`;
  let server: ChildProcess | undefined;
  const start: DebianServer['start'] = async (settings, env = {}, at = cluster) => {
    const own = ['listen_addresses=', `unix_socket_directories=${socket}`, 'fsync=off', ...settings];
    const options = own.flatMap((setting) => ['-c', setting]);
    const path = { PATH: process.env.PATH ?? '' };
    server = spawn(`${debianBin}/postgres`, ['-D', at, ...options], {
      ...as,
      env: { ...path, ...env },
      stdio: 'ignore',
    });
    while (!(await isWritable(url('postgres')))) {
      if (server.exitCode !== null) throw new Error('The server did not start');
      await sleep(100);
    }
  };
  const stop = async () => {
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  };
  const remove = async () => {
    await stop();
    await rm(root, { recursive: true, force: true });
  };
  return { root, cluster, socket, as, url, folder, start, stop, remove };
}

/** Whether it answers and has finished recovery. */
async function isWritable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ waits: boolean }>('select pg_is_in_recovery() as waits');
    return rows[0]?.waits === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
