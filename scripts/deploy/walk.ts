import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cookieHeader } from '../../server/src/testing/client.ts';
import { signIn } from '../../server/src/testing/remote.ts';
import type { Remote } from '../../server/src/testing/remote.ts';

/**
 * What the first user of an installation does, through HTTP, over an orderly stop and a kill. Runs as a program of its
 * own, because the service it starts is in a network of its own: `node walk.ts '<plan as JSON>'` prints a JSON result.
 */

export type Plan = {
  /** Starts the service in the foreground. */
  start: string[];
  env: Record<string, string>;
  /** Exit code 0 when the service is ready. */
  health: string[];
  /** DATA_DIR, as it is seen from here. */
  dataDir: string;
  address: string;
};

export type Walked = {
  /** What `health` said before the first start. */
  healthWithoutService: number | null;
  firstStartMilliseconds: number;
  statuses: Record<string, number>;
  exitCode: number | null;
  /** Whether the company and the picture are there after the stop, and after the kill. */
  keptAfterStop: boolean;
  keptAfterKill: boolean;
  firstPasswordFileGone: boolean;
  /** Files and folders of DATA_DIR that others than their owner may read. */
  open: string[];
};

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;
const output: string[] = [];
const mostMilliseconds = 120_000;

const run = ([program = '', ...args]: string[]) => spawnSync(program, args, { env: plan.env, encoding: 'utf8' });
const isReady = () => run(plan.health).status === 0;

async function start(): Promise<ChildProcess> {
  const [program = '', ...args] = plan.start;
  const child = spawn(program, args, { env: plan.env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text));
  const deadline = performance.now() + mostMilliseconds;
  while (!isReady()) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('The service did not get ready.');
    await sleep(200);
  }
  return child;
}

async function end(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  child.kill(name);
  return (await closed)[0];
}

async function pictureOf({ cookies }: Remote, path: string): Promise<string> {
  const response = await fetch(`${plan.address}${path}`, { headers: { cookie: cookieHeader(cookies) } });
  return createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex');
}

/** A pixel, which the service decodes and encodes anew. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const admin = { password: 'Willow!Harbor42' };
type Made = { data: { id: number; name: string } };

/** Signs in with the file's password, chooses another, makes a company with a person and gives the person a picture. */
async function firstVisit(statuses: Walked['statuses']) {
  const [email = '', first = ''] = readFileSync(join(plan.dataDir, 'first-admin'), 'utf8').split('\n');
  const client = await signIn(plan.address, { email, password: first });
  const step = async (name: string, answer: ReturnType<Remote['send']>) => {
    const { status, body } = await answer;
    statuses[name] = status;
    return (body as Made).data;
  };
  const chosen = { current_password: first, password: admin.password, password_confirmation: admin.password };
  await step('password', client.put('/api/profile/password', chosen));
  const company = await step('company', client.post('/api/entities', { name: 'Acme' }));
  const department = await step('department', client.post('/api/departments', { name: 'Crew', entity_id: company.id }));
  const person = await step(
    'person',
    client.post('/api/employees', {
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann.lee@example.com',
      entity_id: company.id,
      department_id: department.id,
    }),
  );
  const path = `/api/employees/${person.id}/profile-picture`;
  await step('picture', client.upload(path, { name: 'ann.png', content: picture }));
  const page = await fetch(plan.address, { headers: { accept: 'text/html' } });
  statuses['page'] = page.status;
  return { email, path, sum: await pictureOf(client, path) };
}

type Visit = Awaited<ReturnType<typeof firstVisit>>;

async function isKept({ email, path, sum }: Visit): Promise<boolean> {
  const client = await signIn(plan.address, { email, password: admin.password });
  const { body } = await client.get('/api/entities');
  const names = (body as { data: { name: string }[] }).data.map(({ name }) => name);
  return names.includes('Acme') && (await pictureOf(client, path)) === sum;
}

/** Only what the service itself makes: the modes inside the database's folder are those of PostgreSQL. */
const openTo = (folder: string): string[] =>
  [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))].filter(
    (path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077,
  );

async function walk(): Promise<Walked> {
  const healthWithoutService = run(plan.health).status;
  const begun = performance.now();
  let child = await start();
  const firstStartMilliseconds = Math.round(performance.now() - begun);
  const statuses: Walked['statuses'] = {};
  const visit = await firstVisit(statuses);
  const firstPasswordFileGone = !readdirSync(plan.dataDir).includes('first-admin');
  const exitCode = await end(child, 'SIGTERM');
  child = await start();
  const keptAfterStop = await isKept(visit);
  await end(child, 'SIGKILL');
  child = await start();
  const keptAfterKill = await isKept(visit);
  const open = openTo(plan.dataDir);
  await end(child, 'SIGTERM');
  return {
    healthWithoutService,
    firstStartMilliseconds,
    statuses,
    exitCode,
    keptAfterStop,
    keptAfterKill,
    firstPasswordFileGone,
    open,
  };
}

try {
  console.log(JSON.stringify(await walk()));
  process.exit(0);
} catch (error) {
  console.error(`${(error as Error).stack}\n${output.join('').split('\n').slice(-40).join('\n')}`);
  process.exit(1);
}
