import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { certificateFor } from '../server/src/testing/certificates.ts';
import { startEmbedded } from '../server/src/db/embedded.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { ensureWebBuild } from '../scripts/web-build.ts';
import { actionableRows } from './actionable-rows.ts';
import { signIn } from './browser.ts';
import { dashboardRows } from './dashboard-rows.ts';
import { asOfRows } from './as-of-rows.ts';
import { bulkRows } from './bulk-rows.ts';
import { calendarRows } from './calendar-rows.ts';
import { coresRows } from './cores-rows.ts';
import { cycleRows, publishRows } from './cycle-rows.ts';
import { findIds, givePasswords, seedNotificationsOnce, seedOnce } from './data-set.ts';
import { dayRows } from './day-rows.ts';
import { evaluationRows } from './evaluation-rows.ts';
import { formerRows } from './former-rows.ts';
import { formerRecordRows, importRows } from './import-rows.ts';
import { parentOf } from './cpu.ts';
import { indexReport } from './indexes.ts';
import { serviceArguments, startProcess, stopProcess } from './load.ts';
import { loginRows } from './login-rows.ts';
import { mixedRows } from './mixed-rows.ts';
import { notificationRows } from './notification-rows.ts';
import { openIdRows } from './openid-rows.ts';
import { keepResult } from './results.ts';
import { probationRows } from './probation-rows.ts';
import { ruleRows } from './rule-rows.ts';
import { exportRows, listRows, meRows, readRows } from './rows.ts';
import type { Bench } from './bench.ts';
import { requireSameWork } from './same-work.ts';
import { scimRows } from './scim-rows.ts';
import { screenRows } from './screen-rows.ts';
import { tokenRows } from './token-rows.ts';
import { asked, client, minimal, speedOf, warmUp } from './rates.ts';
import { webhookRows } from './webhook-rows.ts';
import { atSpeed, boundRow, machine, markdown } from './table.ts';
import type { Row } from './table.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    employees: { type: 'string' },
    only: { type: 'string' },
    indexes: { type: 'boolean', default: false },
    million: { type: 'boolean', default: false },
    // a folder whose data set is kept for the next run, and reused if it exists
    data: { type: 'string' },
  },
});
const million = 1_000_000;
const employees = Number(values.employees ?? (values.million ? million : values.quick ? 2_000 : 100_000));
/** The rows that must stay as fast with a million people. */
const flat = 'lists,me,reads,exports,evaluations,probation,actionable,notifications,dashboard,as-of';
const only = (values.only ?? (values.million ? flat : undefined))?.split(',');
const [servicePort, minimalPort] = [8_461, 8_462];
const password = 'B3nch!Marked-Sand';
const started = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${line}`);

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

const groups: [string, (bench: Bench) => Promise<Row[]>][] = [
  ['lists', listRows],
  ['me', meRows],
  ['tokens', tokenRows],
  ['former', formerRows],
  ['reads', readRows],
  ['cores', coresRows],
  ['as-of', asOfRows],
  ['mixed', mixedRows],
  ['logins', loginRows],
  ['exports', exportRows],
  ['screens', screenRows],
  ['evaluations', evaluationRows],
  ['bulk', bulkRows],
  ['probation', probationRows],
  ['actionable', actionableRows],
  ['notifications', notificationRows],
  ['cycles', cycleRows],
  ['dashboard', dashboardRows],
  ['day', dayRows],
  ['calendar', calendarRows],
  ['openid', openIdRows],
  ['scim', scimRows],
  ['rules', ruleRows],
  ['publish', publishRows],
  ['records', formerRecordRows],
  // doubles the number of people, so nothing after it would measure the same company
  ['imports', importRows],
  // its webhooks receive what happens after it
  ['webhooks', webhookRows],
];

type Measured = { rows: Row[]; speeds: number[] };

async function measureAll(bench: Bench, atStart: readonly Row[]): Promise<Measured> {
  say('warming up');
  for (const path of ['/employees', '/me'])
    for (const side of [asked(bench, path), minimal(bench, path), minimal(bench, '/probe')]) await warmUp(side);
  await requireSameWork(bench);
  const speeds = [await speedOf(bench)];
  const rows = atSpeed(atStart, speeds[0] as number);
  for (const [name, group] of groups) {
    if (only && !only.includes(name)) continue;
    say(name);
    const found = await group(bench);
    const after = await speedOf(bench);
    const measured = atSpeed(found, ((speeds.at(-1) as number) + after) / 2);
    speeds.push(after);
    // immediately, because a later group may fail
    if (!only) console.log(markdown(measured));
    rows.push(...measured);
  }
  return { rows, speeds };
}

function report({ rows, speeds }: Measured) {
  console.log(`\n${markdown(rows)}\n`);
  const failed = rows.filter((row) => !row.pass).length;
  console.log(`${rows.length - failed} of ${rows.length} at target`);
  console.log(`speed of the machine: ${speeds.map((speed) => speed.toFixed(2)).join(' ')}`);
  if (values.quick || values.only || values.employees) return;
  const result = { date: new Date().toISOString().slice(0, 10), machine: machine(), speeds, employees, how, rows };
  keepResult(result, values.million ? 'million' : 'latest');
}

/** The baseline for rates, in the words of the page. */
const how = `Rates of a list and of \`/api/me\` are compared with minimal handlers over \`node:http\` and \`pg\` that do the same work, rates of filters and orders with the plain list, always in turn; the log is written as by default. Processor times are those of a request. \`${client}\` asks for the rates.${client === 'h2load' ? '' : ' It takes much of the processors, so this machine looks slower than it is, and times at full speed look shorter.'}`;

const startService = (folder: string, env: Record<string, string>, log = 'service.log') =>
  startProcess(serviceArguments(), env, { ready: /is ready at/, log: join(folder, log) });

/** The environment of the measured service. */
const settings = (folder: string, { appUrl, ownerUrl }: { appUrl: string; ownerUrl: string }) => ({
  PORT: String(servicePort),
  DATA_DIR: folder,
  DATABASE_URL: appUrl,
  DATABASE_MIGRATION_URL: ownerUrl,
  APP_URL: `http://localhost:${servicePort}`,
  RATE_LIMIT_PER_MINUTE: '1000000',
  // all clients have the same address
  CONNECTIONS_PER_ADDRESS: '0',
  // the bench's provider and receivers
  EGRESS_ALLOW: '127.0.0.1/32',
  NODE_EXTRA_CA_CERTS: join(folder, 'others.pem'),
  ADMIN_EMAIL: 'bench@example.com',
  ADMIN_PASSWORD: password,
});

type Prepared = Pick<Bench, 'folder' | 'ids' | 'people' | 'tls'> & {
  database: { appUrl: string };
  postgres: number;
  env: Record<string, string>;
  people: string[];
  seconds: number;
};

/** Starts the service and the baseline handlers, measures both and stops them. */
async function measureService({ people: [email = '', ...people], ...prepared }: Prepared) {
  const { folder, database, postgres, ids, tls, env, seconds } = prepared;
  const before = performance.now();
  const service = await startService(folder, env);
  const startSeconds = (performance.now() - before) / 1_000;
  const idle = residentMb(service.pid ?? 0);
  const token = randomBytes(32).toString('hex');
  const least = await startProcess(
    ['bench/minimal.ts', String(minimalPort), database.appUrl, token],
    {},
    { ready: /ready/, log: join(folder, 'minimal.log') },
  );
  const base = `http://localhost:${servicePort}`;
  try {
    const bench = {
      base,
      minimal: { base: `http://127.0.0.1:${minimalPort}`, headers: { cookie: `session=${token}` } },
      processes: { service: service.pid ?? 0, minimal: least.pid ?? 0, postgres },
      folder,
      database: database.appUrl,
      employees,
      ids,
      tls,
      admin: await signIn(base, 'bench@example.com', password),
      manager: await signIn(base, email, password),
      people,
      password,
      seconds: values.quick ? 1 : 2,
      secondsInTurn: values.quick ? 1 : 16,
      times: values.quick ? 1 : 3,
      memory: () => residentMb(service.pid ?? 0),
      bySize: (usual: number, most: number) => (employees < million ? usual : most),
      startService: (more: Record<string, string>) => startService(folder, { ...env, ...more }, 'other.log'),
    };
    return await measureAll(bench, [
      ...(values.million ? [boundRow('seeding a million people and evaluations', seconds, 's', 600)] : []),
      boundRow('start on an existing database', startSeconds, 's', 1),
      boundRow('idle memory of the service', idle, 'MB', 130),
    ]);
  } finally {
    await stopProcess(service);
    await stopProcess(least);
  }
}

async function main() {
  // before the service starts, because it serves the files it finds then
  ensureWebBuild();
  const folder = values.data ?? (await mkdtemp(join(tmpdir(), 'tenure-bench-')));
  const database = await startEmbedded({ dataDir: folder, log: pino({ level: 'warn' }) });
  const pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  try {
    await migrate(database.ownerUrl, new URL(database.appUrl).username);
    const seconds = await seedOnce(pool, { folder, employees, say });
    const ids = await findIds(pool);
    const people = await givePasswords(pool, ids.manager, password);
    const env = settings(folder, database);
    const tls = certificateFor('127.0.0.1');
    writeFileSync(env.NODE_EXTRA_CA_CERTS, tls.cert);
    // the first start creates the administrator; later ones are measured
    await stopProcess(await startService(folder, env));
    await seedNotificationsOnce(pool, { count: Math.min(million, employees * 10), say });
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postgres = parentOf(rows[0]?.pid ?? 0);
    report(await measureService({ folder, database, postgres, ids, tls, env, people, seconds }));
    if (values.indexes) console.log(await indexReport(pool));
  } finally {
    await pool.end();
    await database.stop();
    if (!values.data) await rm(folder, { recursive: true, force: true });
  }
}

await main();
