import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { writeBundle } from './bundle.ts';
import { composeFolder } from './compose-file.ts';
import type { ComposeService } from './compose-file.ts';
import { crun, environmentOf, succeed } from './container.ts';
import type { Image } from './container.ts';
import { startDatabase } from './database-server.ts';
import { startMailServer } from './mail-catcher.ts';
import { addMachine, inside, nameMachines, openNetwork, ownAddress } from './network.ts';
import type { Machine } from './network.ts';
import { isHealthyStore, storeCommand, whereStored } from './store-server.ts';
import type { Stored } from './store-server.ts';
import { namedUser, unprivileged } from './tools.ts';
import { firstSignIn, firstVisit, hearNotification } from './visit.ts';
import type { Heard } from './visit.ts';

/**
 * Starts the services of a compose file and uses them: Tenure's as containers of the image, with the environment,
 * command, secrets and volumes from the file; PostgreSQL, Caddy and the object store as programs on this machine. Runs
 * with its own network and mounts: `node compose-walk.ts '<plan as JSON>'` prints a JSON result.
 */

export type ComposePlan = {
  /** A new folder. */
  scratch: string;
  image: Image;
  services: Record<string, ComposeService>;
  tenure: string[];
  /** The folder of the file's secrets; empty if it has none. */
  secrets: string;
  host: string;
  /** The folder of PostgreSQL's programs. */
  programs: string;
};

export type ComposeWalked = {
  /** Exit codes of services that end by themselves, and of the others after a stop. */
  exitCodes: Record<string, number | null>;
  heard: Heard;
  /** Subjects of mails that arrived. */
  mails: string[];
  /** The number of requests that each process answered. */
  answered: Record<string, number>;
  /** Answers while one of two processes was being stopped. */
  duringStop: Record<string, number>;
  /** With an object store: where a picture was stored. */
  stored?: Stored | undefined;
};

type Running = { name: string; machine: Machine; child: ChildProcess };

const plan = JSON.parse(process.argv[2] ?? '{}') as ComposePlan;
const { scratch, image, services, tenure, secrets, host, programs } = plan;
const address = `https://${host}`;
const hosts = join(scratch, 'hosts');
/** refuses immediately, so that names are resolved by `hosts` */
const resolver = join(scratch, 'resolv.conf');
const volumes = join(scratch, 'volumes');
const maxMilliseconds = 120_000;
const output: string[] = [];

const serviceOf = (name: string) => services[name] as ComposeService;

function collect(name: string, child: ChildProcess) {
  for (const stream of [child.stdout, child.stderr])
    stream
      ?.setEncoding('utf8')
      .on('data', (text: string) => output.push(...text.split('\n').map((line) => `${name}: ${line}`)));
}

function start(name: string, [program = '', ...args]: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  collect(name, child);
  return child;
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + maxMilliseconds;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Waited too long until ${what}.`);
    await sleep(200);
  }
}

/** A named volume, which the first container fills with the image's folder and its owner. */
function volume(name: string): string {
  const path = join(volumes, name);
  if (!existsSync(path)) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chownSync(path, 10_001, 10_001);
  }
  return path;
}

/** Starts a container of the image as the service defines it. */
function startTenure(service: string, name: string, machine: Machine): Running {
  const { environment = {}, command, volumes: mounts = [], secrets: names = [] } = serviceOf(service);
  const { config, rootfs } = image;
  const given = Object.entries(environment).map(([setting, value]) => [setting, String(value)]);
  const bundle = writeBundle(join(scratch, 'bundles', name), {
    rootfs,
    user: config.User,
    args: [...config.Entrypoint, ...(command?.split(' ') ?? config.Cmd)],
    env: { ...environmentOf(config), ...(Object.fromEntries(given) as Record<string, string>) },
    network: machine.path,
    mounts: [
      { source: hosts, target: '/etc/hosts', readOnly: true },
      { source: resolver, target: '/etc/resolv.conf', readOnly: true },
      ...names.map((one) => ({ source: join(secrets, one), target: `/run/secrets/${one}`, readOnly: true })),
      ...mounts.map((line) => {
        const [source = '', target = ''] = line.split(':');
        return { source: volume(source), target };
      }),
    ],
  });
  return { name, machine, child: start(name, crun(scratch, 'run', '--bundle', bundle, name)) };
}

function isHealthy(name: string): boolean {
  const [program = '', ...args] = crun(scratch, 'exec', name, '/opt/tenure/bin/tenure', 'health');
  return spawnSync(program, args).status === 0;
}

async function untilHealthy({ name, child }: Running): Promise<void> {
  await until(`${name} is healthy`, () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}.`);
    return isHealthy(name);
  });
}

/** Starts Caddy with its file, as an unprivileged user, because root would add its certificate to the system's. */
async function startCaddy(machine: Machine): Promise<void> {
  const home = join(scratch, 'caddy');
  mkdirSync(home);
  chownSync(home, namedUser, namedUser);
  const [program = '', ...args] = inside(machine, 'sh', '-c', 'echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start');
  succeed(program, args);
  const given = serviceOf('caddy').environment as Record<string, string>;
  const file = join(scratch, 'Caddyfile');
  writeFileSync(file, readFileSync(join(composeFolder, 'Caddyfile')));
  const command = ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
  start('caddy', inside(machine, ...unprivileged(namedUser, ...command)), {
    ...given,
    HOME: home,
    XDG_DATA_HOME: home,
  });
  const root = join(home, 'caddy/pki/authorities/local/root.crt');
  await until('Caddy has a certificate', () => existsSync(root));
  tls.setDefaultCACertificates([readFileSync(root, 'utf8')]);
  await until('Caddy answers', () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

async function prepareDatabase(machine: Machine): Promise<void> {
  mkdirSync('/run/secrets');
  succeed('mount', ['--bind', secrets, '/run/secrets']);
  const given = serviceOf('postgres').environment as Record<string, string>;
  await startDatabase({
    machine,
    folder: join(scratch, 'postgres'),
    programs,
    initdbArgs: given['POSTGRES_INITDB_ARGS'] ?? '',
    passwordFile: given['POSTGRES_PASSWORD_FILE'] ?? '',
    initScript: join(composeFolder, 'roles.sh'),
  });
}

const bucketFolder = join(scratch, 'store');

async function startStore(machine: Machine): Promise<void> {
  const service = serviceOf('store');
  const given = service.environment as Record<string, string>;
  start('store', storeCommand(machine, service, bucketFolder), given);
  await until('the object store is healthy', () => isHealthyStore(machine, given['VGW_HEALTH'] ?? ''));
}

/** Names of the containers of a service, as many as the file defines. */
function replicasOf(service: string): string[] {
  const count = serviceOf(service).deploy?.replicas ?? 1;
  return count === 1 ? [service] : Array.from({ length: count }, (_, index) => `${service}-${index + 1}`);
}

const endsByItself = (service: string) => serviceOf(service).restart === 'on-failure';

async function stop({ name, child }: Running): Promise<number | null> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [program = '', ...args] = crun(scratch, 'kill', name, 'SIGTERM');
  spawnSync(program, args);
  return (await closed)[0];
}

/** The number of requests that a process answered, from its metrics. */
function answeredBy({ machine }: Running): number {
  const script = "console.log(await (await fetch('http://127.0.0.1:9100/metrics')).text())";
  const [program = '', ...args] = inside(machine, process.execPath, '--input-type=module', '-e', script);
  const text = succeed(program, args);
  return [...text.matchAll(/^http_requests_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Stops one of several processes while sending requests; counts the answers by status or error. */
async function askDuringStop(one: Running): Promise<[Record<string, number>, number | null]> {
  const counts: Record<string, number> = {};
  const ended = stop(one);
  const ask = async () => {
    const outcome = await fetch(`${address}/livez`).then(
      ({ status }) => String(status),
      (error: Error) => error.message,
    );
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  };
  do await ask();
  while (!(await Promise.race([ended.then(() => true), sleep(50, false)])));
  return [counts, await ended];
}

async function walk(): Promise<ComposeWalked> {
  openNetwork();
  writeFileSync(resolver, 'nameserver 127.0.0.1\n');
  const machines = new Map<string, Machine>();
  const names: [string, string][] = [[ownAddress, 'mailpit']];
  for (const service of Object.keys(services).filter((name) => name !== 'mailpit'))
    for (const name of replicasOf(service)) {
      const machine = addMachine(name);
      machines.set(name, machine);
      names.push([machine.address, service]);
      if (service === 'caddy') names.push([machine.address, host]);
    }
  nameMachines(hosts, names);
  const machineOf = (name: string) => machines.get(name) as Machine;
  const mails = await startMailServer(ownAddress, 1_025);
  if ('postgres' in services) await prepareDatabase(machineOf('postgres'));
  if ('store' in services) await startStore(machineOf('store'));

  const exitCodes: ComposeWalked['exitCodes'] = {};
  const running: Running[] = [];
  for (const service of tenure)
    for (const name of replicasOf(service)) {
      const one = startTenure(service, name, machineOf(name));
      if (endsByItself(service)) exitCodes[name] = ((await once(one.child, 'close')) as [number | null])[0];
      else running.push(one);
    }
  for (const one of running) await untilHealthy(one);
  await startCaddy(machineOf('caddy'));

  const data = running[0] && serviceOf(tenure[0] ?? '').volumes?.[0]?.split(':')[0];
  const dataDir = join(volume(data ?? ''), 'tenure');
  const readers = running.map(({ machine }) => machine).filter(({ name }) => name.startsWith('api'));
  const visit = 'store' in services ? await firstVisit(address, dataDir) : undefined;
  const { client } = visit ?? (await firstSignIn(address, dataDir));
  const stored = visit && (await whereStored(visit, { bucket: bucketFolder, volume: volume(data ?? ''), readers }));
  const heard = await hearNotification(address, client);
  if (heard.email === 'queued')
    await until('the mail arrived', () => mails.some((subject) => subject.includes('Backup')));
  await Promise.all(Array.from({ length: 40 }, () => client.get('/api/me')));
  const counted = running.filter(
    ({ machine }) => 'METRICS_PORT' in (serviceOf(machine.name.replace(/-\d$/, '')).environment ?? {}),
  );
  const answered = Object.fromEntries(counted.map((one) => [one.name, answeredBy(one)]));

  const duringStop: ComposeWalked['duringStop'] = {};
  const [first, ...others] = running;
  if (first && others.length > 0) {
    const [counts, code] = await askDuringStop(first);
    Object.assign(duringStop, counts);
    // including the output of the services
    if (Object.keys(counts).some((status) => status !== '200')) throw new Error(`Answers: ${JSON.stringify(counts)}`);
    exitCodes[first.name] = code;
  }
  for (const one of others.length > 0 ? others : running) exitCodes[one.name] = await stop(one);
  return { exitCodes, heard, mails, answered, duringStop, stored };
}

try {
  console.log(JSON.stringify(await walk()));
  process.exit(0);
} catch (error) {
  console.error(`${(error as Error).stack}\n${output.slice(-60).join('\n')}`);
  process.exit(1);
}
