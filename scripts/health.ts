import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { readConfig } from '../server/src/config.ts';
import type { Config } from '../server/src/config.ts';
import { takeNoOptions } from './command-line.ts';

/** `tenure health`: requests `/readyz` on this machine, for containers and service managers. */

const waitMilliseconds = 4_000;

/** The address of a listener from this machine: one that listens everywhere also listens on loopback. */
function addressOf(host: string, port: number): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** A worker has only the listener of METRICS_PORT. */
function listenerOf({ ROLE, PORT, HOST, METRICS_PORT, METRICS_HOST }: Config): string {
  if (ROLE !== 'worker') return addressOf(HOST, PORT);
  if (METRICS_PORT === 0) throw new Error('a worker answers only on METRICS_PORT: set it');
  return addressOf(METRICS_HOST, METRICS_PORT);
}

/** `fetch` would refuse ports that are blocked in browsers. */
async function ask(address: string): Promise<IncomingMessage> {
  const request = get(address, { timeout: waitMilliseconds });
  request.once('timeout', () => request.destroy(new Error(`no answer within ${waitMilliseconds / 1_000} s`)));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** The problem; undefined when the service is ready. */
async function problem(): Promise<string | undefined> {
  // it connects to this machine, so it needs no public address
  const config = readConfig(process.env, { APP_URL: 'http://localhost' });
  const response = await ask(`${listenerOf(config)}/readyz`);
  const { failed } = (await json(response).catch(() => ({}))) as { failed?: string[] };
  return response.statusCode === 200
    ? undefined
    : (failed?.join(', ') ?? `the service answered ${response.statusCode}`);
}

takeNoOptions('health');
// an error of a host name with several addresses has no message
const found = await problem().catch((error: NodeJS.ErrnoException) => error.message || error.code);
if (found === undefined) console.log('ready');
else console.error(`not ready: ${found}`);
process.exitCode = found === undefined ? 0 : 1;
