import { existsSync } from 'node:fs';
import { apt } from './apt.ts';

/** Chromium without a window, which no test needs. */
const shell = '/usr/bin/chromium-headless-shell';
const known = [
  shell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const installed = () => known.find((path) => existsSync(path));
const isRoot = process.getuid?.() === 0;

async function install(): Promise<void> {
  const packages = (browser: string) =>
    apt('install', '-y', '-q', '--no-install-recommends', browser, 'fonts-liberation');
  process.stdout.write('Installing Chromium for the browser tests …\n');
  await apt('update', '-q');
  if (!(await packages('chromium-headless-shell')) && !installed()) await packages('chromium');
}

/**
 * Installs the browser for the browser tests from Debian's packages if there is none. A process that may install
 * anything, in a container or on a test machine, uses the faster one in any case.
 */
export async function ensureChromium(): Promise<void> {
  const isEnough = isRoot ? existsSync(shell) : installed() !== undefined;
  if (!isEnough && existsSync('/usr/bin/apt-get')) await install();
  findChromium();
}

/** @throws with what to do if there is no browser */
export function findChromium(): string {
  const found = installed();
  if (!found) throw new Error('The browser tests need Chromium or Chrome: install one and run the tests again');
  return found;
}
