import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ensureChromium } from './chromium.ts';
import { ensureWebBuild } from './web-build.ts';

/** Walks through the main jobs with a finger on a phone. */

await ensureChromium();
ensureWebBuild();
const tests = spawn('npx', ['vitest', 'run', '--config', 'e2e/touch/vitest.config.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
const [status] = (await once(tests, 'close')) as [number | null];
process.exitCode = status ?? 1;
