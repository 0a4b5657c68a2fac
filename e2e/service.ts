import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../server/src/testing/free-port.ts';

export type Tenure = { address: string; email: string; oneTimePassword: string; stop: () => Promise<void> };
export type Demo = { address: string; email: string; password: string; stop: () => Promise<void> };

const root = join(import.meta.dirname, '..');
const email = 'admin@acme.example';

/** Waits for what the service prints once it can be used. */
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

/** Starts a service in a folder of its own, which goes with it. */
async function run(script: string, folderSetting: string, settings: Record<string, string>, ready: RegExp) {
  const folder = await mkdtemp(join(tmpdir(), 'tenure-e2e-'));
  const own = { PORT: String(await freePort()), [folderSetting]: folder, LOG_LEVEL: 'warn' };
  const service = spawn(process.execPath, [script], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...own, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = await printed(service, ready);
  const stop = async () => {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { text, stop };
}

/** Starts the service on a fresh installation of its own. */
export async function startTenure(): Promise<Tenure> {
  const started = /Tenure is ready at (\S+)[^]*^ +with +(\S+)$/m;
  const { text, stop } = await run('server/src/main.ts', 'DATA_DIR', { ADMIN_EMAIL: email }, started);
  const [, address = '', oneTimePassword = ''] = started.exec(text) ?? [];
  return { address, email, oneTimePassword, stop };
}

/** Starts the service with the demo group of companies; this person may see everything. */
export async function startDemo(): Promise<Demo> {
  const started = /The demo is ready at (\S+)[^]*Password of all: (\S+)/;
  const { text, stop } = await run('scripts/demo.ts', 'DEMO_DATA_DIR', {}, started);
  const [, address = '', password = ''] = started.exec(text) ?? [];
  return { address, email: 'admin@northwind.example', password, stop };
}
