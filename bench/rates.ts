import { spawn, spawnSync } from 'node:child_process';
import { cpuOf, cpuOfServer } from './cpu.ts';
import { median } from './percentile.ts';
import type { Session } from './browser.ts';
import type { Bench, Rate, Turn } from './bench.ts';

/** What is asked of a process. */
export type Side = {
  url: string;
  headers: Record<string, string>;
  pid: number;
  /** Its children work for it. */
  hasChildren?: boolean;
  /** The first process of its PostgreSQL, if it is not that of the bench. */
  postgres?: number;
};

const connections = 16;
const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
/** What sends the requests of a rate. */
export const client = hasWrk ? 'wrk' : 'autocannon';

type Asked = { requests: number; perSecond: number; failed: number };

const wrkAnswer = (text: string): Asked => ({
  requests: Number(/(\d+) requests in/.exec(text)?.[1]),
  perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
  failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0),
});

function cannonAnswer(text: string): Asked {
  const { requests, non2xx, errors } = JSON.parse(text.slice(text.indexOf('{'))) as {
    requests: { total: number; average: number };
    non2xx: number;
    errors: number;
  };
  return { requests: requests.total, perSecond: requests.average, failed: non2xx + errors };
}

/** Asks as fast as answers come, by `wrk` where it is present: it takes the least of the processor. */
function ask({ url, headers }: Side, seconds: number): Promise<Asked> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}${hasWrk ? ': ' : '='}${value}`]);
  const args = hasWrk
    ? ['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, ...given, url]
    : ['autocannon', '--json', '-c', `${connections}`, '-d', `${seconds}`, ...given, url];
  return new Promise((resolve, reject) => {
    const child = spawn(hasWrk ? 'wrk' : 'npx', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(hasWrk ? wrkAnswer(text) : cannonAnswer(text)));
  });
}

async function turnOf(bench: Bench, side: Side): Promise<Turn> {
  const worked = () => (side.hasChildren ? cpuOfServer(side.pid) : cpuOf(side.pid));
  const answered = () => cpuOfServer(side.postgres ?? bench.processes.postgres);
  const before = [worked(), answered()] as const;
  const { requests, perSecond, failed } = await ask(side, bench.secondsOfTurn);
  if (failed > 0) throw new Error(`${side.url}: ${failed} answers were no success`);
  const of = (ms: number) => (ms * 1_000) / requests;
  return {
    perSecond,
    node: of(worked() - before[0]),
    postgres: of(answered() - before[1]),
  };
}

/** Asks until code and plans are compiled, as in a service that has run for a while. */
export async function warmUp(side: Side): Promise<void> {
  await ask(side, 10);
}

/** Requests a second of `select 1` through `node:http` and `pg` on the machine where the targets were measured. */
const referenceRate = 23_660;

/** The speed of this machine at the moment: 1 for the machine where the targets were measured. */
export const speedOf = async (bench: Bench): Promise<number> =>
  (await ask(minimal(bench, '/probe'), 2)).perSecond / referenceRate;

const medians = (turns: readonly Turn[]): Rate => ({
  perSecond: median(turns.map((turn) => turn.perSecond)),
  node: median(turns.map((turn) => turn.node)),
  postgres: median(turns.map((turn) => turn.postgres)),
  turns,
});

/**
 * The rates of several sides, asked in turn so that a slow moment of the machine meets all of them: many short turns
 * rather than few long ones, since its speed changes from one second to the next.
 */
export async function inTurn(bench: Bench, sides: readonly Side[]): Promise<Rate[]> {
  const turns = sides.map((): Turn[] => []);
  for (let time = 0; time < bench.turns; time += 1)
    for (const [index, side] of sides.entries()) turns[index]?.push(await turnOf(bench, side));
  return turns.map(medians);
}

/** A path of the service, as a session asks for it. */
export const asked = (bench: Bench, path: string, { headers }: Session = bench.admin): Side => ({
  url: `${bench.base}/api${path}`,
  headers,
  pid: bench.processes.service,
});

/** The same path of the minimal handler. */
export const minimal = (bench: Bench, path: string): Side => ({
  url: `${bench.minimal.base}/api${path}`,
  headers: bench.minimal.headers,
  pid: bench.processes.minimal,
});
