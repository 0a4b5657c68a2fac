import type { BackupRun, BackupStatus } from '@tenure/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const folder = '/mnt/backups';
const none = await startApp();
const { as, make, owner } = await startApp({ BACKUP_URL: folder, BACKUP_KEEP: '2d' });
const { id: entity_id } = await make.entity();

/** A user whose role only permits seeing backups. */
async function operator(entity_ids: number[] | null = null) {
  const name = `Operator ${entity_ids?.join(', ') ?? 'of all'}`;
  const { rows } = await owner.query<{ id: number }>(
    "insert into roles (name, scope) values ($1, 'all') returning id",
    [name],
  );
  await owner.query("insert into role_permissions (role_id, permission) values ($1, 'backups.view')", [rows[0]?.id]);
  const { user_id } = await make.employee({ roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    user_id,
    rows[0]?.id,
    entity_ids,
  ]);
  return as(user_id);
}

const viewer = await operator();
const status = async () => (await viewer.get('/api/backups')).body.data as BackupStatus;

type Run = { kind?: string; error?: string | null; hoursAgo?: number; details?: object };

async function run({ kind = 'backup', error = null, hoursAgo = 1, details = {} }: Run) {
  await owner.query(
    `insert into backups (kind, status, backup, started_at, finished_at, details, error)
     select $1, case when $2::text is null then 'done' else 'failed' end, $3, at, at, $4, $2
     from (select now() - make_interval(hours => $5) as at) as t`,
    [kind, error, error === null ? '20261126T021500Z-1a2b3c' : null, details, hoursAgo],
  );
}

beforeEach(async () => {
  await owner.query('delete from backups');
});

describe('who sees backups', () => {
  test('a user with the permission for everything, and no other', async () => {
    await run({});
    expect((await status()).works[0]?.last_success).not.toBeNull();
    expect((await viewer.get('/api/backups/runs')).body.data).toHaveLength(1);
    const others = [await as((await make.employee({ roles: ['HR'] })).user_id), await operator([entity_id])];
    for (const other of others)
      for (const path of ['/api/backups', '/api/backups/runs']) expect((await other.get(path)).status).toBe(403);
    expect((await (await as()).get('/api/backups')).status).toBe(401);
    const admin = await as((await make.admin()).user_id);
    expect((await admin.get('/api/backups')).status).toBe(200);
  });
});

describe('how backups are doing', () => {
  test('without a folder nothing is set up, nothing is next and nothing is overdue', async () => {
    await none.owner.query(
      `insert into backups (kind, status, started_at, finished_at, error) values
       ('backup', 'failed', now() - interval '9 days', now() - interval '9 days', 'by hand')`,
    );
    const { user_id } = await none.make.admin();
    const { data } = (await (await none.as(user_id)).get('/api/backups')).body as { data: BackupStatus };
    expect(data).toMatchObject({ folder: null, kept: null, alert: null });
    for (const work of data.works) expect(work).toMatchObject({ off: 'no_folder', next_at: null });
  });

  test('the last success, its size, how many are kept, and what is next', async () => {
    await run({ hoursAgo: 30 });
    const details = { rows: 260_000, files: 12, bytes: 3_100_000, sentBytes: 260, isEncrypted: true, kept: 2 };
    await run({ details: { ...details, manifestSha256: 'f'.repeat(64) } });
    await run({ kind: 'verification', details: { wasRead: false } });
    const { works, ...rest } = await status();
    expect(rest).toEqual({ folder, keep: '2d', kept: 2, bases: null, alert: null });
    expect(works.map(({ kind }) => kind)).toEqual(['backup', 'verification', 'drill']);
    const [backup, verification, drill] = works;
    expect(backup).toMatchObject({ off: null, failures: 0, last_failure: null });
    expect(backup?.last_success).toMatchObject({
      backup: '20261126T021500Z-1a2b3c',
      rows: 260_000,
      files: 12,
      bytes: 3_100_000,
      sent_bytes: 260,
      is_encrypted: true,
      was_read: null,
      manifest_sha256: 'f'.repeat(64),
    });
    expect(verification?.last_success).toMatchObject({ was_read: false, bytes: null });
    expect(drill).toMatchObject({ last_success: null, off: null });
    expect(backup?.next_at).toMatch(/T02:15:00\.000Z$/);
    expect(verification?.next_at).toMatch(/T04:45:00\.000Z$/);
    expect(drill?.next_at).toMatch(/-01T05:15:00\.000Z$/);
  });

  test('a failure is one until the next success; three make an alert', async () => {
    await run({ error: 'an old one', hoursAgo: 9 });
    await run({ hoursAgo: 8 });
    expect((await status()).works[0]).toMatchObject({ failures: 0, last_failure: null });
    for (const [count, alert] of [
      [1, null],
      [2, null],
      [3, 'failing'],
    ] as const) {
      await run({ error: `failure ${count}` });
      const { works, alert: found } = await status();
      expect([found, works[0]?.failures, works[0]?.last_failure?.error]).toEqual([alert, count, `failure ${count}`]);
    }
    await run({});
    expect(await status()).toMatchObject({ alert: null });
  });

  test('failed verifications are no alert, and stay beside their reason', async () => {
    await run({});
    for (let count = 0; count < 3; count += 1) await run({ kind: 'verification', error: 'a chunk is damaged' });
    const { alert, works } = await status();
    expect(alert).toBeNull();
    expect(works[1]).toMatchObject({ failures: 3, last_success: null, last_failure: { error: 'a chunk is damaged' } });
  });

  test.each([
    [25, null],
    [27, 'overdue'],
  ])('a last success of %i hours ago: %s', async (hoursAgo, alert) => {
    await run({ hoursAgo });
    expect(await status()).toMatchObject({ alert });
  });

  test('without any success the first failure counts; without any run nothing does', async () => {
    expect(await status()).toMatchObject({ alert: null });
    await run({ error: 'no space', hoursAgo: 27 });
    expect(await status()).toMatchObject({ alert: 'overdue' });
  });
});

test('runs are listed newest first, filtered and searched', async () => {
  await run({ hoursAgo: 5 });
  await run({ hoursAgo: 3, kind: 'drill', error: 'x'.repeat(3_000) });
  await run({ hoursAgo: 4, error: 'The disk is full.' });
  const kinds = async (query: string) => {
    const { data } = (await viewer.get(`/api/backups/runs${query}`)).body as {
      data: { kind: string; status: string }[];
    };
    return data.map(({ kind, status: of }) => `${kind} ${of}`);
  };
  expect(await kinds('')).toEqual(['drill failed', 'backup failed', 'backup done']);
  expect(await kinds('?sort_by=started_at')).toEqual(['backup done', 'backup failed', 'drill failed']);
  expect(await kinds('?kind=backup')).toEqual(['backup failed', 'backup done']);
  expect(await kinds('?status=done')).toEqual(['backup done']);
  expect(await kinds('?search=disk')).toEqual(['backup failed']);
  expect(await kinds('?per_page=1&page=2')).toEqual(['backup failed']);
  expect((await viewer.get('/api/backups/runs?kind=backups')).status).toBe(422);
});

test('a restore is listed apart from drills, and counts as one', async () => {
  await run({ kind: 'drill', hoursAgo: 2 });
  await run({ kind: 'drill', hoursAgo: 1, details: { restored: true, faults: 0 } });
  const runs = async (query: string) => {
    const { data } = (await viewer.get(`/api/backups/runs${query}`)).body as { data: BackupRun[] };
    return data.map(({ kind, is_restore }) => [kind, is_restore]);
  };
  expect(await runs('')).toEqual([
    ['drill', true],
    ['drill', false],
  ]);
  expect(await runs('?kind=restore')).toEqual([['drill', true]]);
  expect(await runs('?kind=drill')).toEqual([['drill', false]]);
  const { works } = await status();
  expect(works.map(({ last_success }) => last_success?.is_restore)).toEqual([undefined, undefined, true]);
});
