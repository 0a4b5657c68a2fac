import { mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../archive.ts';
import { prunePoints } from './prune-points.ts';
import { pathOfWal, segmentName } from './wal.ts';

const line = '7000000000000000001-00000001';

test('what a kill left of a segment goes after two days, and what is being written stays', async () => {
  const archive = openArchive(await mkdtemp(join(tmpdir(), 'tenure-prune-points-')));
  const [first, second] = [segmentName(1, 1), segmentName(1, 2)];
  const place = { line, first, last: first, from: '2026-11-22T03:45:00Z' };
  await archive.write('base/20261122T034500Z/wal.json', JSON.stringify(place));
  await archive.write('base/20261122T034500Z/base.json.zst', 'a base');
  await archive.write(pathOfWal(line, first), 'a segment');
  const draft = (name: string) => join(archive.root, pathOfWal(line, `${second}.draft-${name}`));
  const old = new Date(Date.now() - 3 * 24 * 3_600_000);
  for (const name of ['old', 'new']) await writeFile(draft(name), 'a part');
  await utimes(draft('old'), old, old);
  expect(await prunePoints(archive, { days: 7, weeks: 0, months: 0 })).toEqual({ bases: [], segments: 0 });
  expect((await archive.list(`wal/${line}`)).toSorted()).toEqual([first, `${second}.draft-new`]);
});
