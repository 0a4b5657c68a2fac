import { Agent, get } from 'node:http';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from './browser.ts';
import type { Session } from './browser.ts';
import { load } from './load.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

const perPerson = 10;
const settled = 3_000;

async function p95(bench: Bench, what: string, session: Session, path: string): Promise<Row> {
  const url = `${bench.base}/api/notifications${path}`;
  const found = await load({ url, headers: session.headers, connections: 1, seconds: bench.seconds });
  return boundRow(`${what}, p95`, found.p95, 'ms', 25);
}

/** Opens a stream and resolves when its first event arrives. */
function openStream(bench: Bench, { headers }: Session, agent: Agent): Promise<ClientRequest> {
  const url = `${bench.base}/api/notifications/stream`;
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`stream: ${answer.statusCode}`));
      answer.on('error', () => undefined).on('data', () => resolve(request));
    });
    request.on('error', reject);
  });
}

/** Open pages: the memory that each costs, and how they affect others. */
async function streamRows(bench: Bench): Promise<Row[]> {
  const sessions: Session[] = [];
  for (const email of bench.people) sessions.push(await signIn(bench.base, email, bench.password));
  await sleep(settled);
  const before = bench.memory();
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  const open: ClientRequest[] = [];
  for (const session of sessions)
    open.push(...(await Promise.all(Array.from({ length: perPerson }, () => openStream(bench, session, agent)))));
  await sleep(settled);
  const more = bench.memory() - before;
  const { headers } = bench.admin;
  const others = await load({ url: `${bench.base}/api/me`, headers, connections: 4, seconds: bench.seconds });
  for (const request of open) request.destroy();
  return [
    boundRow(`${open.length} open streams of notifications, more memory`, Math.max(0, more), 'MB', open.length / 10),
    boundRow(`/api/me p99 with ${open.length} open streams`, others.p99, 'ms', 250),
  ];
}

/** The list and count for the account with the most of a million notifications, and for others; then the open pages. */
export async function notificationRows(bench: Bench): Promise<Row[]> {
  const employee = await signIn(bench.base, bench.people[0] ?? '', bench.password);
  return [
    await p95(bench, 'notifications of one person', employee, ''),
    await p95(bench, 'unread notifications of one person, counted', employee, '/unread-count'),
    await p95(bench, 'notifications of the busiest account', bench.admin, ''),
    await p95(bench, 'unread notifications of the busiest account', bench.admin, '?unread=1'),
    await p95(bench, 'unread notifications of the busiest account, counted', bench.admin, '/unread-count'),
    await p95(
      bench,
      'unread notifications of one kind of the busiest account',
      bench.admin,
      '?unread=1&event=kpi_evaluation_assigned',
    ),
    ...(await streamRows(bench)),
  ];
}
