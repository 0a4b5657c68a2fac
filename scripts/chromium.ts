import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const installed = () => known.find((path) => existsSync(path));
const run = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

function install(): void {
  const isRoot = process.getuid?.() === 0;
  if (existsSync('/usr/bin/apt-get')) {
    const apt = (...args: string[]) => (isRoot ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args]));
    apt('update', '-q');
    apt('install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-liberation');
  }
}

/**
 * The browser for the browser tests: an installed Chromium or Chrome, else Debian's package.
 * @throws with what to run where neither is possible
 */
export function findChromium(): string {
  const found = installed();
  if (found) return found;
  process.stdout.write('Installing Chromium for the browser tests …\n');
  install();
  const now = installed();
  if (!now) throw new Error('The browser tests need Chromium or Chrome: install one and run the tests again');
  return now;
}
