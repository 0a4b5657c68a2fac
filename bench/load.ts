import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

export type Load = { requestsPerSecond: number; p50: number; p95: number; p99: number; errors: number };
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

/** Runs the load generator as a process of its own, so that it shares no event loop with what it measures. */
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
      resolve({
        requestsPerSecond: result.requests.average,
        p50: result.latency.p50,
        // the generator has no 95th percentile; the next higher one is on the safe side
        p95: result.latency.p97_5,
        p99: result.latency.p99,
        errors: result.non2xx + result.errors,
      });
    });
  });
}

/** The median run by requests per second, of `times` runs. */
export async function medianLoad(target: Target, times = 3): Promise<Load> {
  const runs: Load[] = [];
  for (let run = 0; run < times; run += 1) runs.push(await load(target));
  const median = runs.sort((a, b) => a.requestsPerSecond - b.requestsPerSecond)[Math.floor(times / 2)] as Load;
  if (median.errors > 0) throw new Error(`${target.url}: ${median.errors} answers were no success`);
  return median;
}

/** Starts a process of ours and waits until a line of its output says it is ready. */
export function startProcess(args: string[], env: Record<string, string>, ready: RegExp): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (ready.test(chunk.toString())) resolve(child);
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
}

export const stopProcess = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.removeAllListeners('exit').on('exit', () => resolve());
    child.kill('SIGTERM');
  });
