// Runs before every npm script on whatever Node the machine has (18 or newer), so: no dependencies, no new syntax.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 26;
const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.tenure-lock');
const binary = join(modules, '.bin', 'node');

const lockText = read(join(root, 'package-lock.json'));
// node_modules may come from another machine by way of an image or a shared folder.
const stamp = createHash('sha256').update(`${process.platform}-${process.arch}\n${lockText}`).digest('hex');
if (read(stampFile) !== stamp) {
  if (!matchesLock()) install();
  checkRuntime();
  writeStamp();
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function writeStamp() {
  try {
    writeFileSync(stampFile, stamp);
  } catch {
    // A read-only installation is checked again next time.
  }
}

/** True when what npm noted about node_modules is what the lockfile asks for. */
function matchesLock() {
  const noted = read(join(modules, '.package-lock.json'));
  if (noted === '') return false;
  const wanted = JSON.parse(lockText).packages;
  const installed = JSON.parse(noted).packages;
  const inProduction = process.env.NODE_ENV === 'production';
  const mayBeAbsent = (entry) => entry.optional || entry.devOptional || (entry.dev && inProduction);
  return (
    Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      const found = installed[path];
      return found ? found.version === entry.version && found.integrity === entry.integrity : mayBeAbsent(entry);
    }) &&
    (existsSync(binary) || isNew(process.versions.node))
  );
}

function install() {
  console.log('Installing dependencies (npm ci) ...');
  // Warnings here are about the Node that installs, not the one that runs.
  npm('ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error');
  // Whether npm obeys allowScripts by itself depends on its version, so that no script runs but those asked for here.
  const { allowScripts = {} } = JSON.parse(read(join(root, 'package.json')));
  const named = Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(join(modules, name)));
  if (named.length > 0) npm('rebuild', ...named, '--ignore-scripts=false', '--loglevel=error');
}

function npm(...args) {
  const program = process.env.npm_execpath || '';
  const result = /npm-cli\.[cm]?js$/.test(program)
    ? spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error) stop(`npm could not be started: ${result.error.message}`);
  if (result.signal) process.exit(130);
  if (result.status !== 0) stop(`npm ${args[0]} failed (exit code ${result.status}); its messages are above.`);
}

/** npm scripts find node_modules/.bin/node first: it must be there and run here, or be out of the way. */
function checkRuntime() {
  if (!existsSync(binary)) linkRuntime();
  if (isNew(versionOf(binary))) return;
  if (isNew(process.versions.node)) {
    rmSync(binary, { force: true });
    return;
  }
  stop(
    `Tenure runs on Node ${NEEDED_MAJOR}, and npm has no working build of it for this system ` +
      `(${process.platform}-${process.arch}). Install Node ${NEEDED_MAJOR} or newer from https://nodejs.org ` +
      `and repeat the command; now it is ${process.version}.`,
  );
}

/** The package may be there without its link, after an install with --no-bin-links for example. */
function linkRuntime() {
  const packages = ['node', 'node-bin'].map((name) =>
    join(modules, `${name}-${process.platform}-${process.arch}`, 'bin', 'node'),
  );
  const program = packages.find((path) => existsSync(path));
  if (!program) return;
  try {
    accessSync(program, constants.X_OK);
  } catch {
    chmodSync(program, 0o755);
  }
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(relative(join(modules, '.bin'), program), binary);
}

function versionOf(program) {
  const { status, stdout } = spawnSync(program, ['-p', 'process.versions.node'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return status === 0 ? stdout.trim() : '0';
}

function isNew(version) {
  return Number.parseInt(version, 10) >= NEEDED_MAJOR;
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
