import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Tenure = { address: string; email: string; oneTimePassword: string; stop: () => Promise<void> };

const root = join(import.meta.dirname, '..');
const email = 'admin@acme.example';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits for what the service prints once it can be used: its address and the first administrator's password. */
function ready(service: ChildProcess): Promise<{ address: string; oneTimePassword: string }> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const hear = (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /Tenure is ready at (\S+)/.exec(printed)?.[1];
      const oneTimePassword = /^ +with +(\S+)$/m.exec(printed)?.[1];
      if (address && oneTimePassword) resolve({ address, oneTimePassword });
    };
    service.stdout?.on('data', hear);
    service.stderr?.on('data', hear);
    service.once('exit', () => reject(new Error(`The service stopped:\n${printed}`)));
  });
}

/** Starts the service on a fresh installation of its own. */
export async function startTenure(): Promise<Tenure> {
  const folder = await mkdtemp(join(tmpdir(), 'tenure-e2e-'));
  const settings = { PORT: String(await freePort()), DATA_DIR: folder, ADMIN_EMAIL: email, LOG_LEVEL: 'warn' };
  const service = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { address, oneTimePassword } = await ready(service);
  const stop = async () => {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { address, email, oneTimePassword, stop };
}
