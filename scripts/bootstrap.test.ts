import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const runtime = `node-${process.platform}-${process.arch}`;
const script = fileURLToPath(new URL('bootstrap.mjs', import.meta.url));

let installed: string;
let project: string;

// The runtime's package is a folder with a program that prints a version, so that nothing is downloaded.
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), 'tenure-bootstrap-'));
  write('package.json', { name: 'project', version: '1.0.0', optionalDependencies: { [runtime]: 'file:runtime' } });
  write('runtime/package.json', { name: runtime, version: '26.0.0', bin: { node: 'bin/node' } });
  program('runtime/bin/node', 'echo 26.0.0');
  mkdirSync(join(installed, 'scripts'));
  copyFileSync(script, join(installed, 'scripts', 'bootstrap.mjs'));
  npm('install', '--install-links', '--package-lock-only');
  npm('ci', '--install-links');
});

beforeEach(() => {
  if (project) rmSync(project, { recursive: true });
  project = realpathSync(mkdtempSync(join(tmpdir(), 'tenure-bootstrap-')));
  cpSync(installed, project, { recursive: true, verbatimSymlinks: true });
});

afterAll(() => {
  rmSync(installed, { recursive: true });
  rmSync(project, { recursive: true });
});

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(installed, path)), { recursive: true });
  writeFileSync(join(installed, path), JSON.stringify(content));
}

function program(path: string, line: string, root = installed): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  rmSync(join(root, path), { force: true });
  writeFileSync(join(root, path), `#!/bin/sh\n${line}\n`);
  chmodSync(join(root, path), 0o755);
}

function npm(...args: string[]): void {
  const { status, stderr } = spawnSync('npm', [...args, '--offline', '--no-audit'], {
    cwd: installed,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

interface Outcome {
  status: number | null;
  output: string;
}

/** Runs the bootstrap with an `npm` that records that it was called and does `work`. */
function bootstrap(work = 'exit 0', node = process.execPath): Outcome {
  program('tools/npm', `echo "npm $*"\n${work}`, project);
  const env = { PATH: `${join(project, 'tools')}:/usr/bin:/bin`, CI: 'true' };
  const { status, stdout, stderr } = spawnSync(node, ['scripts/bootstrap.mjs'], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

const stamp = (): string => join(project, 'node_modules', '.tenure-lock');
const binary = (): string => join(project, 'node_modules', '.bin', 'node');

test('an installation that fits the lockfile is left alone without a word', () => {
  expect(bootstrap()).toEqual({ status: 0, output: '' });
  expect(existsSync(stamp())).toBe(true);
  expect(bootstrap()).toEqual({ status: 0, output: '' });
});

test('a fresh clone is installed by npm ci with its optional packages', () => {
  rmSync(join(project, 'node_modules'), { recursive: true });
  const { status, output } = bootstrap(`cp -a "${installed}/node_modules" node_modules`);
  expect(output).toContain('npm ci --include=dev --include=optional');
  expect(status).toBe(0);
  expect(bootstrap()).toEqual({ status: 0, output: '' });
});

test('a lockfile that asks for another version is installed', () => {
  bootstrap();
  const lock = join(project, 'package-lock.json');
  writeFileSync(lock, readFileSync(lock, 'utf8').replaceAll('"26.0.0"', '"26.0.1"'));
  expect(bootstrap().output).toContain('npm ci');
});

test('an installation cut off half-way is repeated', () => {
  bootstrap();
  rmSync(join(project, 'node_modules', '.package-lock.json'));
  rmSync(stamp());
  expect(bootstrap().output).toContain('npm ci');
});

test('a failed installation stops the command and leaves no stamp', () => {
  rmSync(join(project, 'node_modules'), { recursive: true });
  const { status, output } = bootstrap('exit 7');
  expect(status).toBe(1);
  expect(output).toContain('npm ci failed (exit code 7)');
  expect(existsSync(stamp())).toBe(false);
});

test('a runtime that was installed without its link gets one', () => {
  rmSync(binary());
  const { status } = bootstrap();
  expect(status).toBe(0);
  expect(spawnSync(binary(), { encoding: 'utf8' }).stdout).toBe('26.0.0\n');
});

test('a runtime that does not run here steps aside for a Node of the machine that is new enough', () => {
  program(`node_modules/${runtime}/bin/node`, 'exit 127', project);
  expect(bootstrap().status).toBe(0);
  expect(existsSync(binary())).toBe(false);
});
