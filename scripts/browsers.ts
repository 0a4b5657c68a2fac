import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { ensureChromium } from './chromium.ts';
import { ensureWebBuild } from './web-build.ts';

/** The programs that journeys in other engines start, and their Debian packages. */
const programs = [
  { path: '/usr/bin/firefox-esr', name: 'firefox-esr' },
  { path: '/usr/bin/WebKitWebDriver', name: 'webkit2gtk-driver' },
  { path: '/usr/bin/Xvfb', name: 'xvfb' },
];

/** Installs missing programs from Debian's packages. @throws with what to install if that is not possible */
function ensurePrograms(): void {
  const missing = () => programs.filter(({ path }) => !existsSync(path)).map(({ name }) => name);
  const install = (...args: string[]) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (missing().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write(`Installing ${missing().join(', ')} …\n`);
    install('update', '-q');
    install('install', '-y', '-q', '--no-install-recommends', ...missing());
  }
  if (missing().length > 0)
    throw new Error(`Install these Debian packages and run the tests again: ${missing().join(', ')}`);
}

ensurePrograms();
await ensureChromium();
ensureWebBuild();
const tests = spawn('npx', ['vitest', 'run', '--config', 'e2e/browsers/vitest.config.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
const [status] = (await once(tests, 'close')) as [number | null];
process.exitCode = status ?? 1;
