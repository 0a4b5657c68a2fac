import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withScratch } from './scratch.ts';

const parent = mkdtempSync(join(tmpdir(), 'tenure-scratch-'));
beforeAll(() => void vi.stubEnv('TMPDIR', parent));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true });
});

test('a folder for tests goes with what they left in it', async () => {
  const folder = await withScratch(async (made) => {
    expect(dirname(made)).toBe(parent);
    writeFileSync(join(made, 'left'), '');
    return made;
  });
  expect(existsSync(folder)).toBe(false);
});

test('a folder for tests goes when they fail', async () => {
  let folder = '';
  const failing = withScratch(async (made) => {
    folder = made;
    throw new Error('no report');
  });
  await expect(failing).rejects.toThrow('no report');
  expect(folder).not.toBe('');
  expect(existsSync(folder)).toBe(false);
});
