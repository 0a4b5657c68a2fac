import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Load = { requestsPerSecond: number; p50: number; p95: number; p99: number };
export type Target = {
  url: string;
  headers?: Record<string, string>;
  connections?: number;
  seconds?: number;
  method?: string;
  body?: string;
};

type Autocannon = {
  requests: { average: number };
  latency: { p50: number; p97_5: number; p99: number };
  non2xx: number;
  errors: number;
};

/**
 * Runs the load generator as a separate process, so that it does not share the event loop of what it measures. Throws
 * if an answer is not a success, because refusals are faster than the answers to be measured.
 */
export function load({
  url,
  headers = {},
  connections = 16,
  seconds = 5,
  method = 'GET',
  body,
}: Target): Promise<Load> {
  const args = ['autocannon', '--json', '-c', String(connections), '-d', String(seconds), '-m', method];
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}=${value}`);
  if (body !== undefined) args.push('-b', body);
  return new Promise((resolve, reject) => {
    const child = spawn('npx', [...args, url], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => {
      const result = JSON.parse(text.slice(text.indexOf('{'))) as Autocannon;
      const failed = result.non2xx + result.errors;
      if (failed > 0) return reject(new Error(`${url}: ${failed} answers were no success`));
      resolve({
        requestsPerSecond: result.requests.average,
        p50: result.latency.p50,
        // the generator does not report the 95th percentile; the next higher one is on the safe side
        p95: result.latency.p97_5,
        p99: result.latency.p99,
      });
    });
  });
}

/** The arguments with which `npm start` runs the service of a tree. */
export function serviceArguments(tree = '.'): string[] {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return [...scripts.start.split(' ').slice(1, -1), 'server/src/main.ts'];
}

/**
 * Starts one of our processes and waits until a line of its output says that it is ready. The output goes to a file,
 * like a service's log, because reading a pipe would cost processor time.
 */
export async function startProcess(
  args: string[],
  env: Record<string, string>,
  { ready, log, cwd = '.' }: { ready: RegExp; log: string; cwd?: string },
): Promise<ChildProcess> {
  const out = openSync(log, 'w');
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', out, 'inherit'],
  });
  closeSync(out);
  while (!ready.test(readFileSync(log, 'utf8'))) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    await sleep(10);
  }
  return child;
}

export const stopProcess = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
