import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenure-library-')));
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder of settings that cannot be read ends no process that is started below it', async () => {
  // root can read everything, so the folder is unreadable for another reason than its mode
  symlinkSync('.config', join(folder, '.config'));
  const below = join(folder, 'below');
  mkdirSync(below);
  const program = `await import(${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))}); console.log(process.cwd());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: below,
  });
  expect(stdout.trim()).toBe(below);
});
