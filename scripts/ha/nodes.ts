import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../deploy/tools.ts';
import { etcdVariables, patroniFile } from './files.ts';
import { namespaceOf, processesOf } from './network.ts';
import type { NodeName } from './network.ts';

/** A database node: etcd, Patroni and PostgreSQL, with its own folders at the paths of deploy/ha. */
export type DatabaseNode = {
  name: NodeName;
  startEtcd: () => void;
  startPatroni: () => void;
  /** Signals every process of the node. */
  signal: (name: NodeJS.Signals) => void;
  /** Signals Patroni and PostgreSQL. */
  signalDatabase: (name: NodeJS.Signals) => void;
  signalEtcd: (name: NodeJS.Signals) => void;
  /** The process id of its PostgreSQL's postmaster. */
  postmaster: () => number;
};

const account = (user: string) => ({
  uid: Number(run('id', ['-u', user]).output),
  gid: Number(run('id', ['-g', user]).output),
});

function ownFolder(path: string, user: string): string {
  mkdirSync(path, { recursive: true });
  const { uid, gid } = account(user);
  chownSync(path, uid, gid);
  chmodSync(path, 0o700);
  return path;
}

type Place = { scratch: string; user: string; mounts: Record<string, string>; env?: Record<string, string> };

/** Starts a program as a user, with folders mounted where its settings expect them; logs its output to a file. */
export function startAs(
  { scratch, user, mounts, env = {} }: Place,
  namespace: string | undefined,
  ...command: string[]
): ChildProcess {
  const mounted = Object.entries(mounts).map(([at, from]) => `mkdir -p ${at} && mount --bind ${from} ${at}`);
  const script = [...mounted, 'exec "$@"'].join(' && ');
  const identity = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
  const whole = ['unshare', '--mount', 'sh', '-c', script, 'sh', ...identity, ...command];
  const [program = '', ...args] = namespace ? ['ip', 'netns', 'exec', namespace, ...whole] : whole;
  const { PATH } = process.env;
  const child = spawn(program, args, {
    env: { PATH, LC_ALL: 'C.UTF-8', HOME: '/tmp', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = createWriteStream(join(scratch, `${command[0]?.split('/').at(-1)}.log`), { flags: 'a' });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  return child;
}

function signal(pid: number | undefined, name: NodeJS.Signals) {
  try {
    if (pid) process.kill(pid, name);
  } catch {
    // it has just ended
  }
}

/** Prepares a node's folders; starts nothing. */
export function makeNode(name: NodeName, parent: string, isSynchronous: boolean): DatabaseNode {
  const scratch = join(parent, name);
  const [data, sockets] = ['data', 'sockets'].map((part) => ownFolder(join(scratch, part), 'postgres')) as [
    string,
    string,
  ];
  const settings = ownFolder(join(scratch, 'settings'), 'postgres');
  writeFileSync(join(settings, 'config.yml'), patroniFile(name, isSynchronous));
  const store = ownFolder(join(scratch, 'etcd'), 'etcd');
  const namespace = namespaceOf(name);
  let etcd: ChildProcess | undefined;
  return {
    name,
    startEtcd: () => {
      const place = { scratch, user: 'etcd', mounts: { '/var/lib/etcd': store }, env: etcdVariables(name) };
      etcd = startAs(place, namespace, 'etcd');
    },
    startPatroni: () => {
      const mounts = { '/var/lib/postgresql': data, '/run/postgresql': sockets, '/etc/patroni': settings };
      startAs({ scratch, user: 'postgres', mounts }, namespace, 'patroni', '/etc/patroni/config.yml');
    },
    signal: (kind) => {
      for (const pid of processesOf(name)) signal(pid, kind);
    },
    signalDatabase: (kind) => {
      for (const pid of processesOf(name)) if (pid !== etcd?.pid) signal(pid, kind);
    },
    signalEtcd: (kind) => signal(etcd?.pid, kind),
    postmaster: () => Number(readFileSync(join(data, '15/tenure/postmaster.pid'), 'utf8').split('\n', 1)[0]),
  };
}
