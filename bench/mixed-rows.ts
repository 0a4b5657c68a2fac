import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from './browser.ts';
import type { Session } from './browser.ts';
import type { Bench } from './bench.ts';
import { percentile } from './percentile.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** Two hundred people working at once: each sends a request, thinks and sends the next, as in a browser. */

export const people = 200;
const agent = new Agent({ keepAlive: true, maxSockets: people });
const browser = { 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'en-GB,en;q=0.9' };

/** A service, and its number of people. */
type Asked = Pick<Bench, 'base' | 'employees'>;
type Step = { share: number; ask: (bench: Asked, n: number) => { path: string; body?: object } };

const names = ['chen', 'nakamura', 'mei', 'amu', 'iv', 'garcia'];
const personOf = ({ employees }: Asked, n: number) => 1 + ((n * 7_919) % employees);

/** The number of requests of each kind among a hundred. */
const steps: readonly Step[] = [
  { share: 30, ask: (_, n) => ({ path: `/employees?page=${1 + (n % 40)}` }) },
  { share: 15, ask: (_, n) => ({ path: `/employees?search=${names[n % names.length]}` }) },
  { share: 25, ask: (bench, n) => ({ path: `/employees/${personOf(bench, n)}` }) },
  {
    share: 5,
    ask: (bench, n) => ({
      path: `/employees/${personOf(bench, n)}`,
      body: { phone: `+44 20 7946 ${1_000 + (n % 9_000)}` },
    }),
  },
  { share: 15, ask: () => ({ path: '/me' }) },
  { share: 2, ask: () => ({ path: '/dashboard' }) },
  { share: 8, ask: () => ({ path: '/actionable-items' }) },
];
const order = steps.flatMap((step) => Array.from({ length: step.share }, () => step));

/** Milliseconds to the last byte of an answer; undefined unless it is a success. */
function timed(bench: Asked, { headers }: Session, { path, body }: { path: string; body?: object }) {
  const started = performance.now();
  const text = body && JSON.stringify(body);
  const type = text === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = request(
      `${bench.base}/api${path}`,
      { agent, method: body ? 'PUT' : 'GET', headers: { ...headers, ...browser, ...type } },
      (response) => {
        response
          .resume()
          .on('end', () => resolve(response.statusCode === 200 ? performance.now() - started : undefined));
      },
    );
    sent.on('error', reject).end(text);
  });
}

/** One person at work until the end; their requests differ from their neighbours'. */
async function work(
  bench: Asked,
  session: Session,
  { person, thinking, until }: { person: number; thinking: number; until: number },
) {
  const times: (number | undefined)[] = [];
  await sleep((person / people) * thinking);
  for (let n = person * 37; performance.now() < until; n += 1) {
    const step = order[(n * 61) % order.length] as Step;
    times.push(await timed(bench, session, step.ask(bench, n)));
    await sleep(thinking);
  }
  return times;
}

/** Sessions of people at work, created once, because too many would end the administrator's first ones. */
export async function sessionsOf({ base, password }: Pick<Bench, 'base' | 'password'>): Promise<Session[]> {
  const sessions: Session[] = [];
  for (let n = 0; n < 5; n += 1) sessions.push(await signIn(base, 'bench@example.com', password));
  return sessions;
}

/**
 * The response times for people who work at the same time.
 * @param thinking milliseconds between an answer and the next request
 * @returns the milliseconds of each answer; undefined unless it is a success
 */
export async function workTogether(
  bench: Asked,
  sessions: readonly Session[],
  { thinking, seconds }: { thinking: number; seconds: number },
): Promise<(number | undefined)[]> {
  const until = performance.now() + seconds * 1_000;
  const all = await Promise.all(
    Array.from({ length: people }, (_, person) =>
      work(bench, sessions[person % sessions.length] as Session, { person, thinking, until }),
    ),
  );
  return all.flat();
}

export async function mixedRows(bench: Bench): Promise<Row[]> {
  const seconds = bench.seconds * 10;
  const answers = await workTogether(bench, await sessionsOf(bench), { thinking: 500, seconds });
  const times = answers.filter((time) => time !== undefined);
  const what = `${people} people at work, ${Math.round(times.length / seconds)} requests a second`;
  return [
    boundRow(`${what}, p95`, percentile(times, 0.95), 'ms', 250),
    boundRow(`${what}, p99`, percentile(times, 0.99), 'ms', 500),
    boundRow(`${what}, answers that are no success`, answers.length - times.length, '', 0),
  ];
}
