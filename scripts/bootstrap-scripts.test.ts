import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Installs with the npm of this machine, as people have it: its version may not know `allowScripts`. */

const script = fileURLToPath(new URL('bootstrap.mjs', import.meta.url));
let project: string;

const write = (path: string, content: unknown) => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), typeof content === 'string' ? content : JSON.stringify(content));
};

/** A package that leaves a mark beside the project when its install script runs. */
function marking(name: string): void {
  const folder = `packages/${name.replaceAll('/', '-')}`;
  const mark = join(project, `${name.replaceAll('/', '-')}.mark`);
  write(`${folder}/package.json`, { name, version: '1.0.0', scripts: { postinstall: 'node leave-mark.cjs' } });
  write(`${folder}/leave-mark.cjs`, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
}

const isMarked = (name: string) => existsSync(join(project, `${name}.mark`));
const run = (command: string, args: string[]) => spawnSync(command, args, { cwd: project, encoding: 'utf8' });

beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'tenure-scripts-')));
  write('.npmrc', 'install-links=true\noffline=true\naudit=false\n');
  write('package.json', {
    name: 'project',
    version: '1.0.0',
    dependencies: { stranger: 'file:packages/stranger', '@named/here': 'file:packages/@named-here' },
    allowScripts: { '@named/here': true, '@named/elsewhere': true, stranger: false },
  });
  marking('stranger');
  marking('@named/here');
  mkdirSync(join(project, 'scripts'));
  copyFileSync(script, join(project, 'scripts', 'bootstrap.mjs'));
  const { status, stderr } = run('npm', ['install', '--package-lock-only', '--ignore-scripts']);
  if (status !== 0) throw new Error(stderr);
});

afterAll(() => rmSync(project, { recursive: true }));

test('of the packages only those that are named run their install scripts', () => {
  const { status, stderr } = run(process.execPath, ['scripts/bootstrap.mjs']);
  expect([status, stderr]).toEqual([0, '']);
  expect(existsSync(join(project, 'node_modules/stranger/leave-mark.cjs'))).toBe(true);
  expect(isMarked('stranger')).toBe(false);
  expect(isMarked('@named-here')).toBe(true);
});
