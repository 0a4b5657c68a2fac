import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { finishMoves, moveIntoPlace } from './restore-moves.ts';
import type { Moves } from './restore-moves.ts';

const moves: Moves = [
  ['postgres', 'postgres.before'],
  ['files', 'files.before'],
  ['restore/postgres', 'postgres'],
  ['restore/files', 'files'],
];

async function folderBefore(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenure-moves-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['postgres', 'files', 'restore/postgres', 'restore/files']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'is'), name.startsWith('restore') ? 'new' : 'old');
  }
  return folder;
}

const state = async (folder: string) =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder, { recursive: true }))
        .filter((path) => path.endsWith('/is'))
        .map(async (path) => [path.slice(0, -3), await readFile(join(folder, path), 'utf8')] as const),
    ),
  );

const done = { postgres: 'new', files: 'new', 'postgres.before': 'old', 'files.before': 'old' };

test('the restored takes the place of the former, which is kept', async () => {
  const folder = await folderBefore();
  await moveIntoPlace(folder, moves);
  expect(await state(folder)).toEqual(done);
  expect(await readdir(folder)).not.toContain('restore.json');
});

test.each([0, 1, 2, 3, 4])('a kill after %i moves is made good, twice too', async (count) => {
  const folder = await folderBefore();
  await moveIntoPlace(folder, moves.slice(0, count));
  await writeFile(join(folder, 'restore.json'), JSON.stringify(moves));
  const again = `${folder}.again`;
  afterAll(() => rm(again, { recursive: true, force: true }));
  await finishMoves(folder);
  expect(await state(folder)).toEqual(done);
  await cp(folder, again, { recursive: true });
  await writeFile(join(again, 'restore.json'), JSON.stringify(moves));
  await finishMoves(again);
  expect(await state(again)).toEqual(done);
});

test('without a plan nothing moves', async () => {
  const folder = await folderBefore();
  const before = await state(folder);
  await finishMoves(folder);
  expect(await state(folder)).toEqual(before);
});
