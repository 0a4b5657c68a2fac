import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * `npm run test:ha`: the setup of deploy/ha with three database nodes, each in its own network on this machine, under
 * faults. Everything runs in namespaces that end with the command, so no process, network or mount outlives it.
 */

const binaries = '/usr/lib/postgresql/15/bin';
/** Where docs/ha.md installs Patroni. */
const path = `/opt/patroni/bin${delimiter}${process.env['PATH'] ?? ''}`;
const programs = ['unshare', 'setpriv', 'ip', 'mount', 'etcd', 'patroni', 'patronictl', 'haproxy', 'pgbouncer', 'psql'];
const packages = 'iproute2 util-linux etcd-server haproxy pgbouncer postgresql-15';

function isThere(program: string): boolean {
  const folders = program.startsWith('/') ? [''] : path.split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The version of a program, queried as the database's user, who must be able to run it: 3.5.13 is 3005013. */
function versionOf(program: string): number {
  const asked = ['--reuid=postgres', '--regid=postgres', '--init-groups', program, '--version'];
  const { stdout } = spawnSync('setpriv', asked, { env: { ...process.env, PATH: path }, encoding: 'utf8' });
  const [, major, minor, patch] = /([0-9]+)\.([0-9]+)\.([0-9]+)/.exec(stdout ?? '') ?? [];
  return Number(major ?? 0) * 1_000_000 + Number(minor ?? 0) * 1_000 + Number(patch ?? 0);
}

const missing = [...programs, join(binaries, 'postgres')].filter((program) => !isThere(program));
// older versions may result in two primaries; docs/ha.md has the reasons
if (versionOf('patroni') < 4_001_000) missing.push('Patroni 4.1 or newer that the user postgres can run');
if (versionOf('etcd') < 3_005_013) missing.push('etcd 3.5.13 or newer');
for (const user of ['postgres', 'etcd']) if (spawnSync('id', [user]).status !== 0) missing.push(`the user ${user}`);
if (process.geteuid?.() !== 0) missing.push('the rights of root');

/**
 * Networks and databases are in memory: the faults here end processes, not machines, so nothing needs to reach a disk.
 * Process 1 of a namespace must reap orphaned processes; a waiting shell does that.
 */
const inside = 'mount -t tmpfs none /run/netns && mount -t tmpfs none /dev/shm && ip link set lo up && "$@"; exit $?';

if (missing.length > 0) {
  console.error(
    `NOT TESTED: this machine lacks ${missing.join(', ')}. On Debian 12: apt-get install ${packages}, and Patroni and a newer etcd as docs/ha.md says`,
  );
  process.exitCode = 1;
} else {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'ha/vitest.config.ts');
  const command = [process.execPath, vitest, 'run', '--config', config, ...process.argv.slice(2)];
  spawnSync('mkdir', ['-p', '/run/netns']);
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const { status } = spawnSync('unshare', [...namespaces, 'sh', '-c', inside, 'sh', ...command], {
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
