import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { ensureChromium } from './chromium.ts';
import { failuresIn, lastLines } from './failures.ts';
import { ensurePgBouncer } from './pgbouncer.ts';
import { recorded } from './rows/recorded.ts';
import type { VitestReport } from './failures.ts';
import { withScratch } from './scratch.ts';
import { ensureWebBuild } from './web-build.ts';

/** Everything that must pass before a change lands; with a name, the tests of that command instead. */

type Step = { name: string; run: () => Outcome | Promise<Outcome> };
type Outcome = {
  passed: number;
  failed: number;
  /** Its output, unless it was printed already or is part of the details. */
  output?: string;
  /** What failed, for the end of the log; a step without details is only named. */
  details?: string[];
};

/** For checkers written in Go: one processor each and rare garbage collection cost a third less than their defaults. */
const frugal = { GOMAXPROCS: '1', GOGC: '400' };

/** Runs a command beside others, so its output is kept until it ends. It uses processors that the tests leave. */
function command(name: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn('npx', [name, ...args], {
      env: { ...frugal, ...process.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
    child.once('error', reject);
    child.once('close', (status) =>
      resolve(status === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, details: [output] }),
    );
  });
}

async function attempt(work: () => void | Promise<void>): Promise<Outcome> {
  try {
    await work();
    return { passed: 1, failed: 0 };
  } catch (error) {
    return { passed: 0, failed: 1, details: [(error as Error).message] };
  }
}

/** Runs Vitest with a folder for the tests' files. Prints and keeps its complaints. */
async function runVitest(args: string[], folder: string): Promise<{ status: number | null; complaints: string }> {
  const child = spawn('npx', ['vitest', 'run', ...args], {
    env: { ROWS_FOLDER: recorded, ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
    process.stderr.write(text);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, complaints };
}

/** Runs a Vitest configuration and counts its tests; a file that could not run counts as one failure. */
async function vitest(name: string, args: string[]): Promise<Outcome> {
  const report = `test-results/${name}.json`;
  mkdirSync('test-results', { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${process.cwd()}/${report}`];
  const { status, complaints } = await withScratch((folder) => runVitest([...reporters, ...args], folder));
  if (!existsSync(report))
    return { passed: 0, failed: 1, details: ['Vitest wrote no report.', ...lastLines(complaints)] };
  const result = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
  const details = failuresIn(result);
  // an error outside any test is in no report
  if (status !== 0 && details.length === 0) details.push(...lastLines(complaints));
  return {
    passed: result.numPassedTests,
    failed: Math.max(result.numFailedTests, details.length, status === 0 ? 0 : 1),
    details,
  };
}

/** Several checkers would each recompute the types of the others. */
const types = ['--noEmit', '--checkers', '1', '-p'];

/** Steps that need no browser and no test, one after the other. */
const checks: Step[] = [
  { name: 'lint', run: () => command('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'types', run: () => command('tsc', [...types, 'tsconfig.json']) },
  { name: 'types of the browser application', run: () => command('tsc', [...types, 'web/tsconfig.json']) },
  { name: 'nothing unused', run: () => command('knip', []) },
  { name: 'generated files', run: () => command('node', ['scripts/generate.ts', '--check']) },
  { name: 'format', run: () => command('oxfmt', ['--check', '.']) },
  { name: 'migrations', run: () => command('node', ['scripts/check-migrations.ts']) },
  { name: 'architecture', run: () => command('node', ['scripts/check-architecture.ts']) },
];

const total = { passed: 0, failed: 0 };
const broken: string[] = [];

async function runStep({ name, run }: Step): Promise<void> {
  const started = performance.now();
  const { passed, failed, output = '', details = [] } = await run();
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) broken.push([`✗ ${name}`, ...details].join('\n'));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`${output}── ${name}: ${failed === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
}

async function takeAll(steps: Step[]): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) await runStep(step);
}

// the package tool does one thing at a time; what only journeys need is fetched while the tests run
const pooler = runStep({ name: 'a pooler', run: () => attempt(ensurePgBouncer) });
const browser = pooler.then(() => runStep({ name: 'a browser', run: () => attempt(ensureChromium) }));
await runStep({ name: 'browser application builds', run: () => attempt(ensureWebBuild) });
await pooler;
rmSync(recorded, { recursive: true, force: true });
const journeys = ['--config', 'e2e/vitest.config.ts'];
if (process.argv[2] === 'journeys') {
  process.env['JOURNEYS'] = 'all';
  await browser;
  await runStep({ name: 'all journeys', run: () => vitest('journeys', journeys) });
} else if (process.argv[2] === 'extended') {
  await runStep({ name: 'extended tests', run: () => vitest('extended', ['--project', 'extended']) });
} else if (process.argv[2] === 'long') {
  process.env['JOURNEYS'] = 'long';
  await runStep({ name: 'long tests', run: () => vitest('long', ['--project', 'long']) });
  await browser;
  await runStep({ name: 'long journeys', run: () => vitest('long-journeys', journeys) });
} else {
  // tests often wait, for a database or for time to pass, and the checks run meanwhile
  const checked = takeAll(checks);
  await runStep({ name: 'tests', run: () => vitest('tests', ['--project', 'server', '--project', 'web']) });
  // what the tests recorded about every statement
  const rows = checked.then(() =>
    runStep({ name: 'declared rows', run: () => command('node', ['scripts/check-rows.ts']) }),
  );
  await browser;
  await Promise.all([rows, runStep({ name: 'journeys', run: () => vitest('journeys', journeys) })]);
}
// last, because the end is what remains of a long log
if (broken.length > 0) console.log(`\n── What failed\n${broken.join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
