import { spawn, spawnSync } from 'node:child_process';
import { microsecondsOf, withChildren } from './cpu.ts';
import { median } from './percentile.ts';
import type { Session } from './browser.ts';
import type { Bench, Rate, Turn } from './bench.ts';

/** The requests to a process. */
export type Side = {
  url: string;
  headers: Record<string, string>;
  pid: number;
  /** Its children work for it. */
  hasChildren?: boolean;
  /** The first process of its PostgreSQL, if it is not the bench's. */
  postgres?: number;
};

const connections = 16;
const hasH2load = spawnSync('h2load', ['--version']).error === undefined;
/** The program that sends the requests. */
export const client = hasH2load ? 'h2load' : 'autocannon';

/** A number of requests, or requests for a number of seconds. */
type Amount = { requests: number } | { seconds: number };
type Asked = { requests: number; perSecond: number; failed: number };

function h2loadAnswer(text: string): Asked {
  const requests = Number(/(\d+) done/.exec(text)?.[1]);
  const succeeded = Number(/status codes: (\d+) 2xx/.exec(text)?.[1]);
  return { requests, perSecond: Number(/, ([\d.]+) req\/s/.exec(text)?.[1]), failed: requests - succeeded };
}

function cannonAnswer(text: string): Asked {
  const { requests, non2xx, errors } = JSON.parse(text.slice(text.indexOf('{'))) as {
    requests: { total: number; average: number };
    non2xx: number;
    errors: number;
  };
  return { requests: requests.total, perSecond: requests.average, failed: non2xx + errors };
}

/** Sends requests as fast as answers arrive, with `h2load` if installed, which needs the least processor time. */
function ask({ url, headers }: Side, amount: Amount): Promise<Asked> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}${hasH2load ? ': ' : '='}${value}`]);
  const [program, ...args] = hasH2load
    ? ['h2load', '--h1', '-t', '1', ...('requests' in amount ? ['-n', amount.requests] : ['-D', amount.seconds])]
    : // it measures at least a second, however few requests that is
      ['npx', 'autocannon', '--json', '-d', 'seconds' in amount ? amount.seconds : 1];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args.map(String), '-c', `${connections}`, ...given, url], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => {
      const asked = hasH2load ? h2loadAnswer(text) : cannonAnswer(text);
      // also for an unreadable answer
      if (asked.failed !== 0) return reject(new Error(`${url}: ${asked.failed} answers were no success`));
      resolve(asked);
    });
  });
}

async function turnOf(bench: Bench, side: Side, amount: Amount): Promise<Turn> {
  const worked = () => (side.hasChildren ? withChildren(side.pid, microsecondsOf) : microsecondsOf(side.pid));
  const answered = () => withChildren(side.postgres ?? bench.processes.postgres, microsecondsOf);
  const before = [worked(), answered()] as const;
  const { perSecond, requests } = await ask(side, amount);
  return {
    perSecond,
    node: (worked() - before[0]) / requests,
    postgres: (answered() - before[1]) / requests,
  };
}

/** Sends requests until code and plans are compiled, as in a service that has run for a while. */
export async function warmUp(side: Side): Promise<void> {
  await ask(side, { seconds: 10 });
}

/** Requests per second of `select 1` through `node:http` and `pg` on the machine where the targets were measured. */
const referenceRate = 23_660;

/** The current speed of this machine: 1 for the machine where the targets were measured. */
export const speedOf = async (bench: Bench): Promise<number> =>
  (await ask(minimal(bench, '/probe'), { seconds: 2 })).perSecond / referenceRate;

const medians = (turns: readonly Turn[]): Rate => ({
  perSecond: median(turns.map((turn) => turn.perSecond)),
  node: median(turns.map((turn) => turn.node)),
  postgres: median(turns.map((turn) => turn.postgres)),
  turns,
});

/** The fewest turns of each side. */
const fewestTurns = 5;
const secondsOfTurn = 0.1;

/**
 * The rates of several sides, measured in turn, so that a slow moment of the machine affects all of them. Uses many
 * short turns rather than few long ones, because the speed changes within a second.
 */
export async function inTurn(bench: Bench, sides: readonly Side[]): Promise<Rate[]> {
  const all: { side: Side; amount: Amount; turns: Turn[] }[] = [];
  for (const side of sides) {
    const { perSecond } = await ask(side, { seconds: 1 });
    all.push({ side, amount: { requests: Math.max(connections, Math.round(perSecond * secondsOfTurn)) }, turns: [] });
  }
  const until = performance.now() + bench.secondsInTurn * 1_000;
  for (let time = 0; time < fewestTurns || performance.now() < until; time += 1)
    for (const { side, amount, turns } of all) turns.push(await turnOf(bench, side, amount));
  return all.map(({ turns }) => medians(turns));
}

/** Requests a path of the service with a session. */
export const asked = (bench: Bench, path: string, { headers }: Session = bench.admin): Side => ({
  url: `${bench.base}/api${path}`,
  headers,
  pid: bench.processes.service,
});

/** Requests the same path of the baseline. */
export const minimal = (bench: Bench, path: string): Side => ({
  url: `${bench.minimal.base}/api${path}`,
  headers: bench.minimal.headers,
  pid: bench.processes.minimal,
});
