import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { ensureWebBuild } from './web-build.ts';

/** Everything that must hold before a change lands, in the order that fails fastest. */

type Step = { name: string; run: () => Counted };
type Counted = { passed: number; failed: number };

function command(name: string, args: string[]): Counted {
  const { status } = spawnSync('npx', [name, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function attempt(work: () => void): Counted {
  try {
    work();
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  }
}

/** Runs a Vitest configuration and counts its tests; a file that could not run counts as one failure. */
function vitest(name: string, args: string[]): Counted {
  const report = `test-results/${name}.json`;
  mkdirSync('test-results', { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${process.cwd()}/${report}`];
  const { status } = spawnSync('npx', ['vitest', 'run', ...reporters, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const result = JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number; numFailedTests: number };
  return { passed: result.numPassedTests, failed: Math.max(result.numFailedTests, status === 0 ? 0 : 1) };
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

const total: Counted = { passed: 0, failed: 0 };
for (const { name, run } of steps) {
  const started = performance.now();
  console.log(`\n── ${name}`);
  const { passed, failed } = run();
  total.passed += passed;
  total.failed += failed;
  console.log(
    `── ${name}: ${failed === 0 ? 'ok' : 'FAILED'} (${((performance.now() - started) / 1_000).toFixed(1)} s)`,
  );
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
