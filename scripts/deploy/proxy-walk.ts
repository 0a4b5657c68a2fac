import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { firstSignIn, hearNotification } from './visit.ts';
import type { Heard } from './visit.ts';

/**
 * Starts a release behind nginx and receives notifications through it, in its own network: `node proxy-walk.ts '<plan
 * as JSON>'` prints a JSON result.
 */

export type ProxyPlan = {
  start: string[];
  health: string[];
  env: Record<string, string>;
  dataDir: string;
  /** nginx's configuration, its certificate, and a file that maps its host name. */
  nginx: string;
  certificate: string;
  hosts: string;
  address: string;
};

export type ProxyWalked = Heard & {
  /** The answer to plain HTTP. */
  redirected: string | null;
  /** The negotiated protocol. */
  protocol: string | false | null;
};

const { start, health, env, dataDir, nginx, certificate, hosts, address } = JSON.parse(
  process.argv[2] ?? '{}',
) as ProxyPlan;
const output: string[] = [];

function begin([program = '', ...args]: string[], given?: Record<string, string>) {
  const child = spawn(program, args, { env: given ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text));
  return child;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('Nothing got ready.');
    await sleep(200);
  }
}

/** The protocol that a browser would negotiate. */
const protocolOf = (name: string) =>
  new Promise<string | false | null>((resolve, reject) => {
    const socket = tls.connect({ port: 443, host: name, servername: name, ALPNProtocols: ['h2', 'http/1.1'] }, () => {
      resolve(socket.alpnProtocol);
      socket.destroy();
    });
    socket.on('error', reject);
  });

async function walk(): Promise<ProxyWalked> {
  spawnSync('mount', ['--bind', hosts, '/etc/hosts']);
  tls.setDefaultCACertificates([readFileSync(certificate, 'utf8')]);
  const service = begin(start, env);
  const [program = '', ...args] = health;
  await until(() => spawnSync(program, args, { env }).status === 0);
  begin(['nginx', '-c', nginx, '-g', 'daemon off;']);
  await until(() =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const { client } = await firstSignIn(address, dataDir);
  const heard = await hearNotification(address, client);
  const name = new URL(address).hostname;
  const plain = await fetch(`http://${name}/somewhere`, { redirect: 'manual' });
  const protocol = await protocolOf(name);
  service.kill();
  return { ...heard, redirected: plain.headers.get('location'), protocol };
}

try {
  console.log(JSON.stringify(await walk()));
  process.exit(0);
} catch (error) {
  console.error(`${(error as Error).stack}\n${output.join('').split('\n').slice(-40).join('\n')}`);
  process.exit(1);
}
