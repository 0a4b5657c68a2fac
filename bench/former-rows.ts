import { execFileSync, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unpackFormer } from '../server/src/testing/former-tree.ts';
import { signIn } from './browser.ts';
import type { Bench, Turn } from './bench.ts';
import { serviceArguments, startProcess, stopProcess } from './load.ts';
import { people, sessionsOf, workTogether } from './mixed-rows.ts';
import { median } from './percentile.ts';
import { inTurn, warmUp } from './rates.ts';
import type { Side } from './rates.ts';
import { multipleRow, timesRow } from './table.ts';
import type { Row } from './table.ts';

/** The cost of requests now and at earlier commits, which run with the packages of this one. */

/** The end of the first stage, when no figures were stored. */
const firstStage = '2f17cd2b';
/** The last commit before providers, second factors, tokens and webhooks. */
const passwordsOnly = '0e12e604';

const email = 'bench@example.com';

type Place = { tree: string; dataDir: string; port: number };

/** An installation with its own database. */
async function start({ tree, dataDir, port }: Place, password: string) {
  mkdirSync(dataDir, { recursive: true });
  const base = `http://localhost:${port}`;
  const env = { PORT: String(port), DATA_DIR: dataDir, APP_URL: base, ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  const limits = { RATE_LIMIT_PER_MINUTE: '1000000', CONNECTIONS_PER_ADDRESS: '0' };
  const service = await startProcess(
    serviceArguments(tree),
    { ...env, ...limits },
    { ready: /is ready at/, log: join(dataDir, 'service.log'), cwd: tree },
  );
  const postgres = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return { base, service, postgres };
}

async function treeOf(bench: Bench, commit: string): Promise<string> {
  const tree = join(bench.folder, commit);
  if (!existsSync(tree)) await unpackFormer(commit, tree);
  return tree;
}

/** The last one started costs some percent less, which is also the noise of starts: each side is last in half. */
const starts = 4;

/** `/api/me` with a session, on an empty installation of each tree, started in the given order. */
async function sessionTurns(bench: Bench, trees: readonly string[]): Promise<(readonly Turn[])[]> {
  const running: ChildProcess[] = [];
  try {
    const sides: Side[] = [];
    for (const tree of trees) {
      const dataDir = join(bench.folder, `empty-${basename(tree)}`);
      const { base, service, postgres } = await start({ tree, dataDir, port: 8_465 + sides.length }, bench.password);
      running.push(service);
      const { headers } = await signIn(base, email, bench.password);
      sides.push({ url: `${base}/api/me`, headers, pid: service.pid ?? 0, postgres });
    }
    for (const side of sides) await warmUp(side);
    const rates = await inTurn({ ...bench, secondsInTurn: bench.secondsInTurn * 1.5 }, sides);
    return rates.map(({ turns }) => turns);
  } finally {
    for (const service of running) await stopProcess(service);
  }
}

async function sessionRow(bench: Bench): Promise<Row> {
  const trees = [process.cwd(), await treeOf(bench, passwordsOnly)];
  const costs: { now: number; before: number }[] = [];
  for (let time = 0; time < starts; time += 1) {
    const isReversed = time % 2 === 1;
    const turns = await sessionTurns(bench, isReversed ? trees.toReversed() : trees);
    const [now = [], before = []] = isReversed ? turns.toReversed() : turns;
    const cost = ({ node, postgres }: Turn) => node + postgres;
    costs.push(...now.map((turn, index) => ({ now: cost(turn), before: cost(before[index] as Turn) })));
  }
  return multipleRow(
    '/api/me with a session : before providers and second factors',
    {
      measured: median(costs.map(({ now }) => now)),
      baseline: median(costs.map(({ before }) => before)),
      ratio: median(costs.map(({ now, before }) => now / before)),
    },
    'µs',
    1.01,
  );
}

/** The most requests that the machine can answer, with the mix of people at work, on data sets of the same size. */
async function capacityRow(bench: Bench): Promise<Row> {
  const tree = await treeOf(bench, firstStage);
  const dataDir = join(bench.folder, 'first-stage');
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir);
    execFileSync(process.execPath, ['scripts/seed.ts', '--employees', String(bench.employees)], {
      cwd: tree,
      env: { ...process.env, DATA_DIR: dataDir, ADMIN_EMAIL: email, ADMIN_PASSWORD: bench.password },
    });
  }
  const { base, service } = await start({ tree, dataDir, port: 8_467 }, bench.password);
  try {
    const perSecond = { now: [] as number[], former: [] as number[] };
    const seconds = bench.seconds * 5;
    const before = { ...bench, base };
    const sides = {
      now: { service: bench, sessions: await sessionsOf(bench) },
      former: { service: before, sessions: await sessionsOf(before) },
    };
    for (let turn = -1; turn < bench.times; turn += 1)
      for (const side of ['now', 'former'] as const) {
        const { service: asked, sessions } = sides[side];
        const answers = await workTogether(asked, sessions, { thinking: 0, seconds });
        if (answers.includes(undefined)) throw new Error(`${side}: not all answers were a success`);
        // the first turn includes compilation
        if (turn >= 0) perSecond[side].push(answers.length / seconds);
      }
    const ratio = median(perSecond.now.map((rate, turn) => rate / (perSecond.former[turn] as number)));
    const what = `requests of ${people} people who do not pause : at the end of the first stage`;
    return timesRow(what, { measured: median(perSecond.now), baseline: median(perSecond.former), ratio }, 2);
  } finally {
    await stopProcess(service);
  }
}

export async function formerRows(bench: Bench): Promise<Row[]> {
  const missing = [firstStage, passwordsOnly].filter((commit) => spawnSync('git', ['cat-file', '-e', commit]).status);
  if (missing.length > 0) {
    console.log(`The history of this checkout lacks ${missing.join(' and ')}: nothing is compared with them.`);
    return [];
  }
  return [await sessionRow(bench), await capacityRow(bench)];
}
