import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addRole, call } from './api.ts';
import type { Made } from './api.ts';
import type { Bench } from './bench.ts';
import { signIn } from './browser.ts';
import { countWork, microsecondsOf } from './cpu.ts';
import { load, stopProcess } from './load.ts';
import { median, percentile } from './percentile.ts';
import { startReceivers } from './receivers.ts';
import type { Receivers } from './receivers.ts';
import { boundRow, multipleRow } from './table.ts';
import type { Row } from './table.ts';

/** The budget is for 5,000 events, or 100,000 deliveries; with fewer people there are fewer. */
const [webhooks, maxEvents] = [20, 5_000];
const longest = 900_000;

/** Webhooks of a program that may read all people. They only receive events that nothing here causes. */
async function addWebhooks(bench: Bench, receivers: Receivers): Promise<number[]> {
  const name = `Program ${Date.now()}`;
  const { data: me } = await call<{ data: { user: { id: number } } }>(bench, 'GET', '/me');
  const owners = { owner_ids: [me.user.id] };
  const { data: account } = await call<Made>(bench, 'POST', '/service-accounts', { name, ...owners });
  const path = `/service-accounts/${account.id}`;
  const role_id = await addRole(bench, name, ['employees.view']);
  await call(bench, 'PUT', `${path}/roles`, { assignments: [{ role_id }], revision: account.revision });
  await call(bench, 'POST', `${path}/tokens`, { name, permissions: ['employees.view'], days: 1 });
  const ids: number[] = [];
  for (let n = 0; n < webhooks; n += 1) {
    const wanted = { types: ['employee.deleted'], service_account_id: account.id, url: receivers.url(n) };
    ids.push((await call<Made>(bench, 'POST', '/webhooks', { name: `Bench ${Date.now()} ${n}`, ...wanted })).data.id);
  }
  return ids;
}

let writes = 0;
/** Changes a person. */
async function write(bench: Bench, person: number): Promise<void> {
  writes += 1;
  await call(bench, 'PUT', `/employees/${person}`, { phone: `+44 20 7946 ${1_000 + (writes % 9_000)}` });
}

const [port, connectionName] = [8_464, 'tenure-bench-writes'];
const [turnsToWarm, ofTurn] = [20, 8];

/** Microseconds of processor time of a service for requests and its database connections. */
async function workOf(client: pg.Client, service: number): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [
    connectionName,
  ]);
  return [service, ...rows.map(({ pid }) => pid)].reduce((sum, pid) => sum + microsecondsOf(pid), 0);
}

/**
 * The processor time of writes, with webhooks on and off in turn. A separate process takes the requests: another one
 * collects and sends, every two seconds while a webhook is on. That happens after the write and shares the processors
 * with the next ones, so a turn is a few writes long, and both kinds are affected.
 */
async function writeRow(bench: Bench, client: pg.Client, people: readonly number[]): Promise<Row> {
  const base = `http://localhost:${port}`;
  const url = `${bench.database}${bench.database.includes('?') ? '&' : '?'}application_name=${connectionName}`;
  const service = await bench.startService({ ROLE: 'api', PORT: String(port), APP_URL: base, DATABASE_URL: url });
  const work = { active: [] as number[], disabled: [] as number[] };
  try {
    const beside = { ...bench, base, admin: await signIn(base, 'bench@example.com', bench.password) };
    // the first ones include compilation
    for (let turn = -turnsToWarm; turn < bench.times * 50; turn += 1) {
      const status = turn % 2 === 0 ? 'active' : 'disabled';
      await client.query('update webhooks set status = $1', [status]);
      const before = await workOf(client, service.pid ?? 0);
      for (let n = 0; n < ofTurn; n += 1) await write(beside, people[writes % people.length] ?? 0);
      if (turn >= 0) work[status].push(((await workOf(client, service.pid ?? 0)) - before) / ofTurn);
    }
  } finally {
    await client.query("update webhooks set status = 'active'");
    await stopProcess(service);
  }
  const what = `processor time of a write of a person with ${webhooks} active webhooks : with none`;
  return multipleRow(what, { measured: median(work.active), baseline: median(work.disabled) }, 'µs', 1.03);
}

async function until(isThere: () => boolean, what: string): Promise<void> {
  const started = performance.now();
  while (!isThere()) {
    if (performance.now() - started > longest) throw new Error(`${what} did not arrive`);
    await wait(20);
  }
}

const want = (client: pg.Client, type: string) => client.query('update webhooks set types = array[$1]', [type]);

/** Many events at once, as after an import. */
async function fanOutRows(bench: Bench, client: pg.Client, { arrivals }: Receivers): Promise<Row[]> {
  // not the earlier writes, which may be collected late
  await want(client, 'employee.confirmed');
  const before = bench.memory();
  let highest = before;
  const watching = setInterval(() => (highest = Math.max(highest, bench.memory())), 200);
  const [started, worked] = [performance.now(), countWork(bench)];
  const { rowCount } = await client.query(
    `insert into audit_log (actor_name, action, subject_type, subject_id, entity_id, changes)
     select 'Bench', 'employee.confirmed', 'employee', id, entity_id, '{}'
     from employees where deleted_at is null order by id limit $1`,
    [Math.min(maxEvents, Math.floor(bench.employees / webhooks))],
  );
  const deliveries = (rowCount ?? 0) * webhooks;
  const all = until(() => arrivals.length >= deliveries, `${deliveries} deliveries`);
  const { headers } = bench.admin;
  const others = await load({ url: `${bench.base}/api/me`, headers, connections: 4, seconds: bench.seconds * 3 });
  await all;
  clearInterval(watching);
  const seconds = (performance.now() - started) / 1_000;
  const what = `${deliveries} deliveries to ${webhooks} webhooks`;
  const maxSeconds = (600 * deliveries) / 100_000;
  return [
    { ...boundRow(what, seconds, 's', maxSeconds), cpu: worked() },
    boundRow(`more memory of the service with ${what}`, Math.max(0, highest - before), 'MB', 64),
    boundRow(`/api/me p99 with ${what}`, others.p99, 'ms', 250),
  ];
}

/** Single changes while one receiver does not answer: from the answer to the writer until the others receive them. */
async function hangingRow(
  bench: Bench,
  client: pg.Client,
  { receivers, people }: { receivers: Receivers; people: readonly number[] },
): Promise<Row> {
  await want(client, 'employee.updated');
  const [hanging, changes] = [0, Math.min(50, people.length)];
  receivers.hang(hanging);
  receivers.arrivals.length = 0;
  const committed = new Map<number, number>();
  for (const person of people.slice(0, changes)) {
    await write(bench, person);
    committed.set(person, performance.now());
    await wait(100);
  }
  const arrived = () =>
    receivers.arrivals.filter(({ receiver, subject }) => receiver !== hanging && committed.has(subject));
  await until(() => arrived().length >= changes * (webhooks - 1), 'an event');
  const taken = arrived().map(({ subject, at }) => (at - (committed.get(subject) ?? 0)) / 1_000);
  const what = `an event at ${webhooks - 1} webhooks while another one hangs, p95`;
  return boundRow(what, percentile(taken, 0.95), 's', 5);
}

/** The cost of webhooks for the writer, the receivers and everyone else. */
export async function webhookRows(bench: Bench): Promise<Row[]> {
  const receivers = await startReceivers(bench);
  const client = new pg.Client({ connectionString: bench.database });
  await client.connect();
  try {
    const ids = await addWebhooks(bench, receivers);
    const { rows } = await client.query<{ id: number }>(
      "select id::int from employees where deleted_at is null and activity_status = 'active' order by id desc limit 400",
    );
    const people = rows.map(({ id }) => id);
    const row = await writeRow(bench, client, people);
    const fanOut = await fanOutRows(bench, client, receivers);
    const hanging = await hangingRow(bench, client, { receivers, people });
    for (const id of ids) await call(bench, 'DELETE', `/webhooks/${id}`);
    return [row, ...fanOut, hanging];
  } finally {
    await client.end();
    receivers.stop();
  }
}
