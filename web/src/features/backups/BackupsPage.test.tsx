import type { BackupRun, BackupStatus, BackupWork } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const run = (fields: Partial<BackupRun> = {}): BackupRun => ({
  id: 9,
  kind: 'backup',
  status: 'done',
  is_restore: false,
  backup: '20260601T021500Z-1a2b3c',
  started_at: '2026-06-01T02:15:00.000Z',
  finished_at: '2026-06-01T02:16:00.000Z',
  error: null,
  rows: null,
  files: null,
  bytes: null,
  sent_bytes: null,
  is_encrypted: null,
  was_read: null,
  manifest_sha256: null,
  ...fields,
});

const failed = (fields: Partial<BackupRun> = {}) =>
  run({ id: 10, status: 'failed', backup: null, error: 'The disk is full.', ...fields });

const work = (kind: BackupWork['kind'], fields: Partial<BackupWork> = {}): BackupWork => ({
  kind,
  next_at: '2026-06-02T02:15:00.000Z',
  off: null,
  last_success: run({ kind }),
  last_failure: null,
  failures: 0,
  ...fields,
});

const status = (fields: Partial<BackupStatus> = {}): BackupStatus => ({
  folder: '/mnt/backups',
  keep: '7d 4w 3m',
  kept: 12,
  works: [work('backup'), work('verification'), work('drill')],
  bases: null,
  alert: null,
  ...fields,
});

const open = (
  of: BackupStatus,
  runs: BackupRun[] = [run()],
  path = '/settings/backups',
  permissions = ['backups.view'],
) => {
  const service = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/backups': itemOf(of),
    'GET /api/backups/runs': listOf(runs),
  });
  return { service, ...start(path) };
};

const card = async (title: string) => {
  const heading = await screen.findByRole('heading', { name: title });
  return within(heading.closest('li') as HTMLElement);
};

test('shows the last success of each, its size, how many are kept and what is next', async () => {
  const last_success = run({
    rows: 260_000,
    files: 12,
    bytes: 3_145_728,
    sent_bytes: 2_048,
    is_encrypted: true,
    manifest_sha256: 'f'.repeat(64),
  });
  open(status({ works: [work('backup', { last_success }), work('verification'), work('drill')] }));
  const backup = await card('Backup');
  for (const text of ['OK', '3 MB', '2 KB', '260,000 rows, 12 files', 'Encrypted', 'f'.repeat(64)])
    expect(backup.getByText(text)).toBeTruthy();
  expect(backup.getAllByText(/^1 Jun 2026|^2 Jun 2026/)).toHaveLength(2);
  expect(screen.getByText('12 backups are kept in /mnt/backups.')).toBeTruthy();
  expect(screen.getByText('Older ones are removed (BACKUP_KEEP=7d 4w 3m).')).toBeTruthy();
  expect(screen.queryByText(/The last good backup/)).toBeNull();
});

test('a failure has its reason; what is off says why; what was not read says so', async () => {
  open(
    status({
      works: [
        work('backup', { failures: 2, last_failure: failed() }),
        work('verification', { last_success: run({ kind: 'verification', was_read: false }) }),
        work('drill', { off: 'unreadable', next_at: null, last_success: null }),
      ],
    }),
    [],
  );
  const backup = await card('Backup');
  expect(backup.getByText('Failed 2 times in a row')).toBeTruthy();
  expect(backup.getByText('The disk is full.')).toBeTruthy();
  expect((await card('Verification')).getByText(/this server doesn’t have the key/)).toBeTruthy();
  const drill = await card('Trial restore');
  expect(drill.getByText('Off')).toBeTruthy();
  expect(drill.getByText('BACKUP_RECIPIENT')).toBeTruthy();
});

test('bases of points in time have a card where they are made', async () => {
  const bases = {
    last_success_at: '2026-05-31T03:46:00.000Z',
    last_failure: { at: '2026-06-01T10:20:00.000Z', error: 'DATA_DIR has 90 MB of free space.' },
    failures: 2,
    next_at: '2026-06-01T10:40:00.000Z',
  };
  open(status({ bases }));
  const base = await card('Point-in-time recovery');
  for (const text of ['Failed 2 times in a row', 'DATA_DIR has 90 MB of free space.'])
    expect(base.getByText(text)).toBeTruthy();
  expect(base.getAllByText(/^31 May 2026|^1 Jun 2026/)).toHaveLength(3);
});

test('without them there is none', async () => {
  open(status());
  await card('Trial restore');
  expect(screen.queryByText('Point-in-time recovery')).toBeNull();
});

test('without a folder the page says how to set backups up', async () => {
  const works = (['backup', 'verification', 'drill'] as const).map((kind) =>
    work(kind, { off: 'no_folder', next_at: null, last_success: null }),
  );
  open(status({ folder: null, kept: null, works }), []);
  expect(await screen.findByRole('heading', { name: 'No backups are set up' })).toBeTruthy();
  expect(screen.getByText('BACKUP_URL')).toBeTruthy();
  expect(screen.queryByText('History')).toBeNull();
});

test('the history is filtered, and shows why a run failed', async () => {
  const restored = run({ id: 11, kind: 'drill', is_restore: true });
  const { service, user, where } = open(status(), [failed({ kind: 'drill' }), run(), restored]);
  const table = within(await screen.findByRole('table'));
  expect(table.getAllByRole('row')[1]?.textContent).toMatch(/^Trial restore.*Failed.*The disk is full\.$/);
  expect(table.getAllByRole('row')[2]?.textContent).toMatch(/^Backup.*Succeeded.*20260601T021500Z-1a2b3c$/);
  expect(table.getAllByRole('row')[3]?.textContent).toMatch(/^Restore.*Succeeded.*20260601T021500Z-1a2b3c$/);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Restore');
  await waitFor(() => expect(service.to('GET /api/backups/runs').at(-1)?.query.get('kind')).toBe('restore'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Any type');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Result' }), 'Failed');
  await waitFor(() => expect(where()).toBe('/settings/backups?status=failed'));
  await waitFor(() => expect(service.to('GET /api/backups/runs').at(-1)?.query.get('status')).toBe('failed'));
});

test('on every page a banner says that backups fail, or that the last one is old', async () => {
  open(status({ alert: 'failing', works: [work('backup', { failures: 3, last_failure: failed() })] }), [], '/profile');
  expect(await screen.findByText(/The last 3 backups failed\. The last good backup is from 1 Jun 2026/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View backups' }).getAttribute('href')).toBe('/settings/backups');
});

test('the banner of an old backup names its day; without any success it says so', async () => {
  open(status({ alert: 'overdue' }), [], '/profile');
  expect((await screen.findByText(/^The last good backup is from/)).textContent).not.toContain('failed');
  open(status({ alert: 'overdue', works: [work('backup', { last_success: null })] }), [], '/profile');
  expect(await screen.findByText('No backup has succeeded yet.')).toBeTruthy();
});

test('a banner says that points in time are interrupted', async () => {
  open(status({ alert: 'bases_failing' }), [], '/profile');
  expect((await screen.findByText(/^Point-in-time recovery is interrupted/)).textContent).not.toContain(
    'last good backup',
  );
});

test('users without the permission are not asked about backups', async () => {
  const { service } = open(status({ alert: 'failing' }), [], '/', []);
  await screen.findByRole('navigation', { name: 'Main' });
  await waitFor(() => expect(service.to('GET /api/actionable-items/counts')).not.toEqual([]));
  expect(service.to('GET /api/backups')).toEqual([]);
  expect(screen.queryByRole('link', { name: 'Backups' })).toBeNull();
});
