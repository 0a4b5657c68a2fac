import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clusterFolder } from '../../db/data-dir.ts';
import { openArchive } from '../archive.ts';
import { nameOfTime } from '../manifest.ts';
import { isBasePaused } from './base-due.ts';

const root = await mkdtemp(join(tmpdir(), 'tenure-due-'));
afterAll(() => rm(root, { recursive: true }));

/** The control file of a cluster with the system number 7 on timeline 1. */
async function writeControl(dataDir: string) {
  const control = Buffer.alloc(52);
  control.writeBigUInt64LE(7n, 0);
  control.writeUInt32LE(1, 48);
  await mkdir(join(clusterFolder(dataDir), 'global'), { recursive: true });
  await writeFile(join(clusterFolder(dataDir), 'global', 'pg_control'), control);
}

const now = Date.parse('2026-11-27T12:00:00Z');
const minute = 60_000;
const segment = '000000010000000000000001';

test.each([
  ['the first of a day', [], false],
  ['the second', [3], false],
  ['one after two', [60, 3], true],
  ['one a while after two', [60, 11], false],
  ['one after four', [300, 100, 60, 35], true],
  ['one a while after four', [300, 100, 60, 45], false],
  ['one after many', [1_400, 1_200, 1_000, 900, 800, 700, 600, 355], true],
  ['one six hours after many', [1_400, 1_200, 1_000, 900, 800, 700, 600, 365], false],
  ['one after those of the day before', [1_500, 1_480, 1_460, 3], false],
])('a base has a pause after others of the same day: %s', async (name, minutesAgo, isPaused) => {
  const dataDir = join(root, name);
  await writeControl(dataDir);
  const archive = openArchive(join(dataDir, 'archive'));
  for (const ago of minutesAgo) {
    const from = Temporal.Instant.fromEpochMilliseconds(now - ago * minute).toString();
    const folder = `base/${nameOfTime(from)}`;
    await archive.write(
      `${folder}/wal.json`,
      JSON.stringify({ line: '7-00000001', first: segment, last: segment, from }),
    );
    await archive.write(`${folder}/base.json.zst`, 'its content');
  }
  expect(await isBasePaused(archive, dataDir, now)).toBe(isPaused);
});
