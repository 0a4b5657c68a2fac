import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync, writeFileSync, appendFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { startLoad } from '../../server/src/resilience/rolling-load.ts';
import { publicName } from './system.ts';
import { firstVisit, isKept } from './visit.ts';
import type { Visit } from './visit.ts';

/**
 * The life of an installation, through the commands in the documents: `node life-walk.ts '<plan as JSON>'` prints a
 * JSON result. It runs with its own network, mounts and processes.
 */

export type LifePlan = {
  /** The root folder of the system, with the previous release's archive. */
  root: string;
  /** The commands on the pages: up to the first administrator, the proxy, and so on. */
  commands: Record<'install' | 'proxy' | 'schedule' | 'backup' | 'copy' | 'removeCopy' | 'upgrade', string[]>;
  /** The archive of this release and its checksum, which arrive for the upgrade: from, to. */
  next: [string, string][];
};

/** What users experienced meanwhile. */
export type Meanwhile = { seconds: number; requests: number; failures: string[] };

export type LifeWalked = {
  statuses: Visit['statuses'];
  /** From the restart with a schedule of every minute until the backup existed. */
  scheduledSeconds: number;
  keptInCopy: boolean;
  /** Commits of the running releases, without those of processes that stay. */
  commits: { before: string[]; after: string[] };
  reload: Meanwhile;
  kill: Meanwhile;
  /** Answered writes that are missing. */
  lost: string[];
  keptAfterRestart: boolean;
  /** The commit of each process after the restart. */
  restarted: string[];
};

const { root, commands, next } = JSON.parse(process.argv[2] ?? '{}') as LifePlan;
const address = `https://${publicName}`;
const dataDir = join(root, 'var/lib/tenure');
const environment = ['PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root'];

/** Runs commands as root of the system. */
async function perform(blocks: string[]): Promise<string> {
  let output = '';
  for (const block of blocks) {
    const shell = ['/usr/bin/env', '-i', ...environment, 'sh', '-euc', `cd /root\n${block}`];
    // the commands on the pages wait for the service indefinitely
    const child = spawn('chroot', [root, 'timeout', '300', ...shell], { stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const code = await closed;
    if (code !== 0) throw new Error(`These commands ended with ${code}:\n${block}\n${out}${err}`);
    output += out;
  }
  return output;
}

async function until(what: string, isTrue: () => boolean, seconds = 120): Promise<number> {
  const begun = performance.now();
  while (!isTrue()) {
    if (performance.now() - begun > seconds * 1_000) throw new Error(`Waited too long until ${what}.`);
    await sleep(100);
  }
  return (performance.now() - begun) / 1_000;
}

type Process = { pid: number; title: string; commit: string };

/** The service's processes, with the commit of the release whose Node they run. */
function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const title = /^tenure (supervisor|web-\d+|jobs)/.exec(readFileSync(`/proc/${name}/cmdline`, 'utf8'))?.[1];
        if (!title) return [];
        const release = join(readlinkSync(`/proc/${name}/exe`), '../../release.json');
        const { commit } = JSON.parse(readFileSync(release, 'utf8')) as { commit: string };
        return [{ pid: Number(name), title, commit }];
      } catch {
        // it ended in the meantime
        return [];
      }
    });
}

const commitsOf = (isOne: (title: string) => boolean) => [
  ...new Set(
    processes()
      .filter(({ title }) => isOne(title))
      .map(({ commit }) => commit),
  ),
];
const isReplaced = (title: string) => title !== 'supervisor';

const eventsOf = (name: string) =>
  readFileSync(join(root, 'tmp/tenure.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"event":"${name}"`)).length;

const backups = () => globSync('mnt/backups/backups/*/manifest.json*', { cwd: root }).length;

async function install(): Promise<Visit> {
  await perform(commands.install);
  // nginx closes a connection after a thousand requests; browsers retry a request in transit, but this client does not
  writeFileSync(join(root, 'etc/nginx/conf.d/load.conf'), 'keepalive_requests 1000000;\n');
  await perform(commands.proxy);
  tls.setDefaultCACertificates([readFileSync(join(root, 'etc/ssl/tenure/fullchain.pem'), 'utf8')]);
  return firstVisit(address, dataDir);
}

/** A scheduled backup, and the same data in a copy beside the service. */
async function backUp(visit: Visit): Promise<Pick<LifeWalked, 'scheduledSeconds' | 'keptInCopy'>> {
  // like in docs/settings.md: every minute, and without a practical limit on requests
  const settings = 'BACKUP_SCHEDULE=* * * * *\nRATE_LIMIT_PER_MINUTE=1000000\n';
  appendFileSync(join(root, 'etc/tenure/tenure.env'), settings);
  await perform(commands.schedule);
  const scheduledSeconds = await until('a backup was made by the schedule', () => backups() > 0);
  await perform(commands.copy);
  const keptInCopy = await isKept('http://localhost:8001', visit);
  await perform(commands.removeCopy);
  return { scheduledSeconds, keptInCopy };
}

async function upgradeUnderLoad(visit: Visit): Promise<Pick<LifeWalked, 'commits' | 'reload' | 'kill' | 'lost'>> {
  await perform(commands.backup);
  for (const [from, to] of next) writeFileSync(to, readFileSync(from));
  const { counts, failures, end } = await startLoad(address, visit.account);
  /** What the load experienced during some work, and for two seconds before and after. */
  async function during(work: () => Promise<unknown>): Promise<Meanwhile> {
    const [requests, failed] = [counts.requests, failures.length];
    await sleep(2_000);
    const begun = performance.now();
    await work();
    const seconds = (performance.now() - begun) / 1_000;
    await sleep(2_000);
    return { seconds, requests: counts.requests - requests, failures: failures.slice(failed) };
  }
  const before = commitsOf(isReplaced);
  const reload = await during(() => perform(commands.upgrade));
  const after = commitsOf(isReplaced);
  const replaced = eventsOf('process_replaced');
  const kill = await during(async () => {
    const web = processes().find(({ title }) => title === 'web-1');
    if (!web) throw new Error('There is no process web-1.');
    process.kill(web.pid, 'SIGKILL');
    await until('the killed process was replaced', () => eventsOf('process_replaced') > replaced);
  });
  return { commits: { before, after }, reload, kill, lost: await end() };
}

async function walk(): Promise<LifeWalked> {
  spawnSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  spawnSync('mount', ['--rbind', '/dev', join(root, 'dev')]);
  spawnSync('mount', ['--bind', join(root, 'etc/hosts'), '/etc/hosts']);
  const visit = await install();
  const backup = await backUp(visit);
  const upgrade = await upgradeUnderLoad(visit);
  await perform(['systemctl restart tenure', 'until /opt/tenure/bin/tenure health; do sleep 1; done']);
  const keptAfterRestart = await isKept(address, visit);
  const restarted = commitsOf(() => true);
  await perform(['systemctl stop tenure']);
  return { statuses: visit.statuses, ...backup, ...upgrade, keptAfterRestart, restarted };
}

try {
  console.log(JSON.stringify(await walk()));
  process.exit(0);
} catch (error) {
  const log = join(root, 'tmp/tenure.log');
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-40) : [];
  console.error(`${(error as Error).stack}\n${lines.join('\n')}`);
  process.exit(1);
}
