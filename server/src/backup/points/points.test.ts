import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsOf, numbers, readRestored, startPoints, twoGroups } from '../../testing/points.ts';
import type { PointsTest } from '../../testing/points.ts';
import { Refusal } from '../refusal.ts';
import { listBases } from './base.ts';
import { listTimes } from './list-times.ts';

/** The main case; `points.extended.test.ts` tests gaps, limits, keys and locations. */

const long = 600_000;
let source: PointsTest;

beforeAll(async () => {
  source = await startPoints();
}, long);

afterAll(() => source.close(), long);

const folder = (name: string) => join(source.root, name);
const allLines = async () => (await source.query('select n::int as n from ledger.lines order by n')).map(({ n }) => n);

test(
  'a moment between two groups of lines has all before it and none after it',
  async () => {
    const points = commandsOf(source, folder('plain'));
    const { id } = await points.base();
    const { before, time, after } = await twoGroups(source, points);
    const [first] = await listBases(points.archive);
    expect(first?.id).toBe(id);
    expect(await points.restore(folder('restored'), time)).toBe(true);
    const { lines, epoch, reached } = await readRestored(folder('restored'));
    expect(lines).toEqual(expect.arrayContaining(numbers(before)));
    expect(lines).not.toEqual(expect.arrayContaining([after[0]?.n]));
    expect(lines).toEqual((await allLines()).slice(0, lines.length));
    expect([epoch, reached]).toEqual([2, '0']);
    expect(await readdir(folder('restored'))).not.toContain('restore');
    await rm(folder('restored'), { recursive: true });

    const listed: string[] = [];
    await listTimes(points.archive, (line) => listed.push(line));
    expect(listed).toEqual([expect.stringMatching(/^Points in time: \d{4}-\d\d-\d\d .* UTC to .* UTC$/)]);
    const outside = `You cannot restore to this time. Times that you can restore to: ${listed[0]?.slice('Points in time: '.length)}.`;
    await expect(points.restore(folder('none'), '2020-01-01T00:00:00Z')).rejects.toThrow(outside);
    await expect(points.restore(folder('none'), Date.now() + 86_400_000)).rejects.toThrow(outside);
    await expect(points.restore(folder('none'), '2026-11-22 06:30')).rejects.toThrow('is not a time with a time zone');
    await expect(readdir(folder('none'))).rejects.toThrow('ENOENT');

    // what a stopped service had not yet sent
    const spool = join(folder('stopped'), 'wal-spool');
    await mkdir(spool, { recursive: true });
    await writeFile(join(spool, 'F'.repeat(24)), '');
    await expect(points.restore(folder('stopped'), '2020-01-01T00:00:00Z')).rejects.toThrow(new Refusal(outside));
    await expect(points.restore(folder('stopped'), Date.now() + 86_400_000)).rejects.toThrow(
      `${outside} Later WAL waits in ${spool}: start the service, which sends it, until the command backup --list`,
    );
  },
  long,
);
