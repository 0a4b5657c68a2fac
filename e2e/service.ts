import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { freePort } from '../server/src/testing/free-port.ts';

export type Tenure = { address: string; email: string; oneTimePassword: string; stop: () => Promise<void> };
export type Demo = {
  address: string;
  email: string;
  password: string;
  /** The DATA_DIR of a service that a journey started with the demo. */
  folder?: string;
  stop: () => Promise<void>;
};

const root = join(import.meta.dirname, '..');
const email = 'admin@acme.example';

/** Waits for the line that the service prints once it is ready. */
function printed(service: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      if (ready.test(text)) resolve(text);
    };
    service.stdout?.on('data', hear);
    service.stderr?.on('data', hear);
    service.once('exit', () => reject(new Error(`The service stopped:\n${text}`)));
  });
}

const makeFolder = () => mkdtemp(join(tmpdir(), 'tenure-e2e-'));
const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });

/** Starts a service in a folder, which is deleted when the service stops. */
async function run(script: string, folder: string, settings: Record<string, string>, ready: RegExp) {
  const own = { PORT: String(await freePort()), LOG_LEVEL: 'warn', BCRYPT_COST: '10' };
  const service = spawn(process.execPath, ['--import', './scripts/compile-cache.mjs', script], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...own, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = await printed(service, ready);
  const end = async () => {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
  };
  const stop = async () => {
    await end();
    await removeFolder(folder);
  };
  return { text, end, stop };
}

/** Starts the service on a fresh installation. */
export async function startTenure(): Promise<Tenure> {
  const started = /Tenure is ready at (\S+)[^]*^ +with +the one-time password in (\S+)$/m;
  const folder = await makeFolder();
  const { text, stop } = await run('server/src/main.ts', folder, { DATA_DIR: folder, ADMIN_EMAIL: email }, started);
  const [, address = '', file = ''] = started.exec(text) ?? [];
  const [, oneTimePassword = ''] = (await readFile(file, 'utf8')).split('\n');
  return { address, email, oneTimePassword, stop };
}

const demoStarted = /The demo is ready at (\S+)[^]*Password of all: (\S+)/;

/** Starts the demo. Tries once more, as a supervisor would, if the database was too slow for the service. */
async function runDemo(folder: string, settings: Record<string, string> = {}): ReturnType<typeof run> {
  const start = () => run('scripts/demo.ts', folder, { ...settings, DEMO_DATA_DIR: folder }, demoStarted);
  return start().catch((error: unknown) => {
    if (!String(error).includes('database_down')) throw error;
    return start();
  });
}

/** Fills a data directory with the demo, once; every journey file starts from a copy. */
export async function makeDemo(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await makeFolder();
  const { end } = await runDemo(folder);
  await end();
  return { folder, remove: () => removeFolder(folder) };
}

/** Starts the service with the demo group of companies; the returned `email` is of a user who may see everything. */
export async function startDemo(settings: Record<string, string> = {}): Promise<Demo> {
  const folder = await makeFolder();
  // keeps the owners, since the database runs as a user of its own
  await promisify(execFile)('cp', ['-a', `${inject('demoFolder')}/.`, folder]);
  const { text, stop } = await runDemo(folder, settings);
  const [, address = '', password = ''] = demoStarted.exec(text) ?? [];
  return { address, email: 'admin@northwind.example', password, folder, stop };
}
