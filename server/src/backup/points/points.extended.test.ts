import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, rm, statfs, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterFolder } from '../../db/data-dir.ts';
import { spoolFolder } from '../../db/embedded/archiving.ts';
import { commandsOf, moment, numbers, readRestored, startPoints, twoGroups } from '../../testing/points.ts';
import type { PointsTest } from '../../testing/points.ts';
import { startS3 } from '../../testing/s3-server.ts';
import { Refusal } from '../refusal.ts';
import { whyBaseIsDue } from './base-due.ts';
import { listBases, makeBase } from './base.ts';
import { prunePoints } from './prune-points.ts';
import { currentLine } from './wal.ts';

const long = 600_000;
let source: PointsTest;

beforeAll(async () => {
  source = await startPoints();
}, long);

afterAll(() => source.close(), long);

const folder = (name: string) => join(source.root, name);

test(
  'a time behind the end of the WAL is refused with the last that can be reached, and the database stays as it is',
  async () => {
    const points = commandsOf(source, folder('short'));
    await points.base();
    await source.write(1);
    await source.fill();
    await points.send();
    const time = await moment();
    const line = (await currentLine(clusterFolder(source.dataDir))) ?? '';
    // the archive was copied without file times
    const later = new Date(Date.now() + 60_000);
    for (const name of await points.archive.list(`wal/${line}`))
      await utimes(join(folder('short'), 'wal', line, name), later, later);
    await expect(points.restore(folder('target'), time)).rejects.toThrow(
      /^The WAL in the archive ends before this time: give \d{4}-\d\d-\d\dT[\d:]+Z or an earlier one\.$/,
    );
    expect(await readdir(folder('target'))).not.toContain('postgres');
  },
  long,
);

test(
  'a segment that is missing in the middle is named, and times before it can be reached',
  async () => {
    const points = commandsOf(source, folder('holed'));
    await points.base();
    await source.write(1);
    await source.fill();
    await points.send();
    const early = await moment();
    await source.write(1);
    for (let i = 0; i < 3; i += 1) await source.fill();
    await points.send();
    const [base] = await listBases(points.archive);
    const wal = join(folder('holed'), 'wal', base?.line ?? '');
    const gone = (await readdir(wal)).toSorted().at(-2) ?? '';
    await rm(join(wal, gone));
    const late = await moment();
    await source.write(1);
    await source.fill();
    await points.send();
    await expect(points.restore(folder('none'), late)).rejects.toThrow(
      `The archive lacks wal/${base?.line}/${gone}, which is needed for this time.`,
    );
    await expect(readdir(folder('none'))).rejects.toThrow('ENOENT');
    expect(await points.restore(folder('early'), early)).toBe(true);
    await rm(folder('early'), { recursive: true });
  },
  long,
);

test(
  'a spool above its limit is emptied, commits go on, and the next base heals',
  async () => {
    const points = commandsOf(source, folder('limited'));
    await points.base();
    await points.send();
    const due = () => whyBaseIsDue(points.archive, source.dataDir, Date.now());
    expect(await due()).toBeUndefined();
    source.gaps.length = 0;
    for (let i = 0; i < 3; i += 1) await source.fill();
    await source.settled();
    await points.limit(64 * 1_024 * 1_024);
    expect(source.gaps).toEqual([]);
    await points.limit(16 * 1_024 * 1_024);
    expect(source.gaps).toEqual([expect.objectContaining({ reason: expect.stringContaining('the archive') })]);
    expect(await readdir(spoolFolder(source.dataDir))).not.toContainEqual(expect.stringMatching(/^[0-9A-F]{24}$/));
    expect(await source.write(3)).toHaveLength(3);
    const late = await moment();
    await source.write(1);
    await source.fill();
    await points.send();
    expect(source.gaps).toHaveLength(1);
    expect(await due()).toBe('WAL after the last base is missing');
    await source.fill();
    await source.settled();
    await points.limit(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    expect(source.gaps[1]).toMatchObject({ reason: 'the disk has too little free space' });
    await expect(points.restore(folder('none'), late)).rejects.toThrow('The archive lacks wal/');

    expect(await points.baseIfDue()).toEqual([
      expect.objectContaining({ event: 'base_done', why: 'WAL after the last base is missing' }),
    ]);
    expect(await points.baseIfDue()).toEqual([]);
    const { before, time } = await twoGroups(source, points);
    expect(await due()).toBeUndefined();
    expect(await points.restore(folder('healed'), time)).toBe(true);
    expect((await readRestored(folder('healed'))).lines).toEqual(expect.arrayContaining(numbers(before)));
    await rm(folder('healed'), { recursive: true });
  },
  long,
);

test(
  'WAL that never came into the spool is a gap too',
  async () => {
    const points = commandsOf(source, folder('skipped'));
    await points.base();
    await points.send();
    source.gaps.length = 0;
    await source.fill();
    await source.settled();
    for (const name of await readdir(spoolFolder(source.dataDir))) await rm(join(spoolFolder(source.dataDir), name));
    await source.fill();
    await points.send();
    expect(source.gaps).toEqual([expect.objectContaining({ reason: expect.stringContaining('BACKUP_WAL was off') })]);
    expect(await whyBaseIsDue(points.archive, source.dataDir, Date.now())).toBe('WAL after the last base is missing');
  },
  long,
);

test(
  'in a bucket, whose answers are cut off for a while',
  async () => {
    const s3 = await startS3();
    const points = commandsOf(source, s3.address('points'));
    await points.base();
    const before = await source.write(5);
    const time = await moment();
    await source.write(5);
    await source.fill();
    s3.fault = (method, key) => (method === 'PUT' && key.includes('wal/') ? 'cut' : undefined);
    await expect(points.send()).rejects.toThrow(Refusal);
    s3.fault = () => undefined;
    expect(await points.send()).toBeGreaterThan(0);
    s3.changedAt = Date.now();
    expect(await points.restore(folder('from-bucket'), time)).toBe(true);
    expect((await readRestored(folder('from-bucket'))).lines).toEqual(expect.arrayContaining(numbers(before)));
    await rm(folder('from-bucket'), { recursive: true });
    await s3.close();
  },
  long,
);

test(
  'encrypted for a recipient: the machine cannot read it, and the identity restores it',
  async () => {
    const identity = await generateX25519Identity();
    await writeFile(folder('identity.txt'), `# made by a test\n${identity}\n`);
    const settings = { BACKUP_RECIPIENT: await identityToRecipient(identity) };
    const points = commandsOf(source, folder('recipient'), settings);
    await points.base();
    const { before, time } = await twoGroups(source, points);
    await expect(points.restore(folder('none'), time)).rejects.toThrow(
      'The archive is encrypted: give --identity FILE',
    );
    await writeFile(folder('other.txt'), `${await generateX25519Identity()}\n`);
    const other = { identity: folder('other.txt') };
    await expect(points.restore(folder('none'), time, other)).rejects.toThrow('This key does not decrypt base/');
    expect(await points.restore(folder('opened'), time, { identity: folder('identity.txt') })).toBe(true);
    expect((await readRestored(folder('opened'))).lines).toEqual(expect.arrayContaining(numbers(before)));
    await rm(folder('opened'), { recursive: true });
  },
  long,
);

test(
  'encrypted with a passphrase, over the present database, which is kept',
  async () => {
    const points = commandsOf(source, folder('passphrase'), { BACKUP_PASSPHRASE: 'correct horse battery' });
    await points.base();
    const { before, time, after } = await twoGroups(source, points);
    expect(await points.restore(folder('there'), time)).toBe(true);
    await expect(points.restore(folder('there'), time)).rejects.toThrow('add --replace to keep it');
    await expect(points.restore(source.dataDir, time)).rejects.toThrow('is in use by another Tenure service');
    expect(await points.restore(folder('there'), time, { replace: true })).toBe(true);
    expect((await readdir(folder('there'))).filter((name) => name.startsWith('postgres.before-'))).toHaveLength(1);
    const { lines } = await readRestored(folder('there'));
    expect(lines).toEqual(expect.arrayContaining(numbers(before)));
    expect(lines).not.toContain(after[0]?.n);
    await rm(folder('there'), { recursive: true });
  },
  long,
);

test(
  'one byte that is flipped in a base or in WAL is found and named',
  async () => {
    const points = commandsOf(source, folder('flipped'));
    await points.base();
    const { time } = await twoGroups(source, points);
    const [base] = await listBases(points.archive);
    const paths = [`base/${base?.id}/000000.tar.zst`, `wal/${base?.line}/${base?.first}`];
    for (const path of paths) {
      const content = (await points.archive.read(path)) ?? Buffer.alloc(0);
      const flipped = Buffer.from(content);
      flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
      await points.archive.write(path, flipped);
      await expect(points.restore(folder('target'), time)).rejects.toThrow(new RegExp(`^${path} in the archive is `));
      expect(await readdir(folder('target'))).not.toContain('postgres');
      await points.archive.write(path, content);
    }
  },
  long,
);

test(
  'bases beyond what is to be kept go, with the WAL before the oldest that stays',
  async () => {
    const points = commandsOf(source, folder('pruned'));
    await points.base();
    await source.fill();
    await points.send();
    const [old] = await listBases(points.archive);
    // a week older
    const moved = '20200101T000000Z';
    for (const name of await points.archive.list(`base/${old?.id}`)) {
      const content = (await points.archive.read(`base/${old?.id}/${name}`)) ?? Buffer.alloc(0);
      await points.archive.write(`base/${moved}/${name}`, content);
    }
    await points.archive.remove(`base/${old?.id}`);
    await points.base();
    await source.fill();
    await points.send();
    const newest = (await listBases(points.archive)).at(-1);
    const pruned = await prunePoints(points.archive, { days: 1, weeks: 0, months: 0 });
    expect(pruned.bases).toEqual([moved]);
    expect(pruned.segments).toBeGreaterThan(0);
    const left = (await points.archive.list(`wal/${newest?.line}`)).toSorted();
    expect(left[0]).toBe(newest?.first);
  },
  long,
);

/** A disk of 400 MB in memory; only root can mount one. */
const mayMount =
  process.geteuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test.runIf(mayMount)(
  'on a disk that is too small for the spool, points in time are given up and commits go on',
  async () => {
    const small = await startPoints({
      prepare: (root) => void execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'none', root]),
      release: (root) => void execFileSync('umount', [root]),
      settings: { max_wal_size: '64MB', min_wal_size: '32MB' },
    });
    try {
      const { limit } = commandsOf(small, '/nowhere');
      const reserve = 150_000_000;
      // twice as much WAL as fits on the disk
      for (let i = 0; i < 50; i += 1) {
        await small.fill();
        await limit(Number.MAX_SAFE_INTEGER, reserve);
      }
      expect(await small.write(3)).toHaveLength(3);
      expect(small.gaps.length).toBeGreaterThan(0);
      const { bavail, bsize } = await statfs(small.root);
      expect(bavail * bsize).toBeGreaterThan(50_000_000);
    } finally {
      await small.close();
    }
  },
  long,
);

test(
  'a base that is cut off leaves nothing in the archive',
  async () => {
    const { archive } = commandsOf(source, folder('cut-off'));
    const full = {
      ...archive,
      write: async (path: string, content: string | Uint8Array) => {
        if (path.endsWith('wal.json')) throw new Error('no space left on device');
        await archive.write(path, content);
      },
    };
    const from = { ownerUrl: source.database.ownerUrl, release: '0.1.0', keyIds: [] };
    await expect(makeBase(from, full, {})).rejects.toThrow('no space left on device');
    expect(await archive.list('base')).toEqual([]);
  },
  long,
);
