import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serverAccount } from '../db/embedded/account.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

/** False if PgBouncer is not installed; its tests are then skipped and say so. */
export const hasPgBouncer = program !== undefined;

export type TestPooler = {
  /** The folder of its socket. */
  folder: string;
  /** The address of the same database through the pooler. */
  through: (url: string) => string;
  stop: (signal?: NodeJS.Signals) => Promise<void>;
};

const port = 6_432;

/** The address of a database through the pooler with a socket in this folder. */
export function throughPooler(folder: string, target: string): string {
  const { protocol, username, password, pathname } = new URL(target);
  return `${protocol}//${username}:${password}@${encodeURIComponent(folder)}:${port}${pathname}`;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

type Settings = Readonly<Record<string, string>>;

function configOf(folder: string, target: URL, settings: Settings, onConnect: string): string {
  const all = {
    listen_port: String(port),
    listen_addr: '',
    unix_socket_dir: folder,
    auth_type: 'plain',
    auth_file: join(folder, 'users.txt'),
    pool_mode: 'transaction',
    max_client_conn: '1000',
    default_pool_size: '20',
    // hundreds of small databases would each keep their connections
    server_idle_timeout: '5',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const server = `host=${decodeURIComponent(target.hostname)}${onConnect && ` connect_query='${onConnect}'`}`;
  return `[databases]\n* = ${server}\n[pgbouncer]\n${lines.join('\n')}\n`;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts a real PgBouncer in transaction mode in front of all databases of a server. It accepts the users in `urls`, and
 * runs `onConnect` on each new connection to the server.
 */
export async function startPooler(
  urls: readonly string[],
  settings: Settings = {},
  onConnect = '',
): Promise<TestPooler> {
  if (!program) throw new Error('PgBouncer is not installed');
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'tenure-pooler-'));
  const [first = ''] = urls;
  const users = urls.map((url) => new URL(url)).map(({ username, password }) => [username, password]);
  const lines = users.map((pair) => pair.map((part) => quoted(decodeURIComponent(part))).join(' '));
  await writeFile(join(folder, 'users.txt'), `${lines.join('\n')}\n`);
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(config, configOf(folder, new URL(first), settings, onConnect));
  // it refuses to run as root
  const account = await serverAccount(folder);
  if (account) await chown(folder, account.uid, account.gid);
  const child = spawn(program, ['-q', config], { stdio: ['ignore', 'ignore', 'pipe'], ...account });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close');
  const through = (target: string) => throughPooler(folder, target);
  const deadline = performance.now() + 15_000;
  while (!(await answers(through(first)))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`PgBouncer did not start:\n${said}`);
    await sleep(20);
  }
  return {
    folder,
    through,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
