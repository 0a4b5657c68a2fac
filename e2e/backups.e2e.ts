import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { expectAccessiblePage } from './accessible.ts';
import { signIn } from './demo-pages.ts';
import { journey } from './journey.ts';
import { clickAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** An administrator sees no backup yet, then a good one, then that backups fail, on every page. */

const root = await mkdtemp(join(tmpdir(), 'tenure-e2e-backups-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const archive = join(root, 'archive');
// so that no scheduled backup runs during the test
const settings = { BACKUP_URL: archive, BACKUP_SCHEDULE: '0 0 1 1 *' };
const { service: demo, page, problems } = await journey('backups', () => startDemo(settings));

/** Makes a backup outside the service, as an operator would. */
const backup = () =>
  promisify(execFile)(process.execPath, ['scripts/backup.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings, DATA_DIR: demo.folder ?? '' },
  });

const card = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
const banner = page.getByRole('status').filter({ hasText: 'backups failed' });
const entry = page.getByRole('navigation').first().getByRole('link', { name: 'Backups', exact: true });

test('before the first backup the page says when it comes', async () => {
  await signIn(page, demo);
  await clickAt(entry);
  await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor();
  await card('Backup').getByText('Not run yet').waitFor();
  await card('Backup').getByText('1 Jan').waitFor();
  await page.getByRole('heading', { name: 'No backups yet' }).waitFor();
  await expectAccessiblePage(page, 'backups-none');
});

test('a backup that was made is there with its size and proof', async () => {
  const { stdout } = await backup();
  const [, sha256 = ''] = /SHA-256 of its manifest: (\w{64})/.exec(stdout) ?? [];
  await page.reload();
  await card('Backup').getByText('OK', { exact: true }).waitFor();
  await card('Backup').getByText(sha256).waitFor();
  await page.getByText(`1 backup is kept in ${archive}.`).waitFor();
  await page.getByRole('cell', { name: 'Succeeded' }).waitFor();
  await expectAccessiblePage(page, 'backups');
});

test('backups that fail are a banner on every page, which leads to the reason', async () => {
  await rename(archive, `${archive}.away`);
  await writeFile(archive, '');
  for (let count = 0; count < 3; count += 1) await expect(backup()).rejects.toThrow('is not a folder');
  await page.goto('/employees');
  await banner.waitFor();
  await expectAccessiblePage(page, 'backups-banner');
  await clickAt(banner.getByRole('link', { name: 'View backups' }));
  await card('Backup').getByText('Failed 3 times in a row').waitFor();
  await card('Backup').getByText(`${archive} is not a folder: choose another location.`).waitFor();
  await expectAccessiblePage(page, 'backups-failing');
});

test('after the next success the banner ends', async () => {
  await rm(archive);
  await rename(`${archive}.away`, archive);
  await backup();
  await page.reload();
  await card('Backup').getByText('OK', { exact: true }).waitFor();
  await expect.poll(() => banner.count()).toBe(0);
  expect(problems).toEqual([]);
});
