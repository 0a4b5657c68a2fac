import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { failuresIn } from './failures.ts';
import type { VitestReport } from './failures.ts';
import { ensureWebBuild } from './web-build.ts';

/** Everything that must hold before a change lands, in the order that fails fastest. */

type Step = { name: string; run: () => Outcome };
type Outcome = {
  passed: number;
  failed: number;
  /** What failed, for the end of the log; a step without details is named alone. */
  details?: string[];
};

function command(name: string, args: string[]): Outcome {
  const { status } = spawnSync('npx', [name, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function attempt(work: () => void): Outcome {
  try {
    work();
    return { passed: 1, failed: 0 };
  } catch (error) {
    return { passed: 0, failed: 1, details: [(error as Error).message] };
  }
}

/** Runs a Vitest configuration and counts its tests; a file that could not run counts as one failure. */
function vitest(name: string, args: string[]): Outcome {
  const report = `test-results/${name}.json`;
  mkdirSync('test-results', { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${process.cwd()}/${report}`];
  const { status } = spawnSync('npx', ['vitest', 'run', ...reporters, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (!existsSync(report)) return { passed: 0, failed: 1, details: ['Vitest wrote no report.'] };
  const result = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
  const details = failuresIn(result);
  return {
    passed: result.numPassedTests,
    failed: Math.max(result.numFailedTests, details.length, status === 0 ? 0 : 1),
    details,
  };
}

const steps: Step[] = [
  { name: 'browser application builds', run: () => attempt(ensureWebBuild) },
  { name: 'types', run: () => command('tsc', ['--noEmit', '-p', 'tsconfig.json']) },
  { name: 'types of the browser application', run: () => command('tsc', ['--noEmit', '-p', 'web/tsconfig.json']) },
  { name: 'lint', run: () => command('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'format', run: () => command('oxfmt', ['--check', '.']) },
  { name: 'nothing unused', run: () => command('knip', []) },
  { name: 'architecture', run: () => command('node', ['scripts/check-architecture.ts']) },
  { name: 'generated files', run: () => command('node', ['scripts/generate.ts', '--check']) },
  { name: 'a browser', run: () => attempt(findChromium) },
  { name: 'tests', run: () => vitest('tests', []) },
  { name: 'journeys', run: () => vitest('journeys', ['--config', 'e2e/vitest.config.ts']) },
];

const total = { passed: 0, failed: 0 };
const broken: string[] = [];
for (const { name, run } of steps) {
  const started = performance.now();
  console.log(`\n── ${name}`);
  const { passed, failed, details = [] } = run();
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) broken.push([`✗ ${name}`, ...details].join('\n'));
  console.log(
    `── ${name}: ${failed === 0 ? 'ok' : 'FAILED'} (${((performance.now() - started) / 1_000).toFixed(1)} s)`,
  );
}
// last, because the end is what is kept of a long log
if (broken.length > 0) console.log(`\n── What failed\n${broken.join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
