import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/open-database.ts';
import { logTo } from '../../logging.ts';
import { asOwner } from '../../testing/moves-of-databases.ts';
import { spooledBytes } from './spool.ts';

const root = await mkdtemp(join(tmpdir(), 'tenure-spool-'));
await chmod(root, 0o755);
afterAll(() => rm(root, { recursive: true, force: true }));

const most = 64 * 1_024 * 1_024;
const fill = "select pg_logical_emit_message(true, 'fill', repeat('x', 17 * 1024 * 1024))";

test('WAL stays within its limit while no process sends it, and the log says so', { timeout: 120_000 }, async () => {
  const dataDir = join(root, 'data');
  const logged: string[] = [];
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    BACKUP_WAL: 'on',
    BACKUP_URL: join(root, 'archive'),
    BACKUP_SPOOL_MB: '64',
    DISK_RESERVE_MB: '0',
  });
  // like a start with long migrations, or whose job process never gets ready
  const database = await openDatabase(config, logTo('info', { write: (line: string) => void logged.push(line) }));
  try {
    await asOwner(database, async (client) => {
      for (let n = 0; n < 8; n += 1) await client.query(fill);
    });
    const gaps = () => logged.filter((line) => line.includes('"event":"wal_gap"'));
    await vi.waitFor(() => expect(gaps()).not.toEqual([]), { timeout: 30_000 });
    expect(gaps()[0]).toContain('more WAL waits for the archive than BACKUP_SPOOL_MB');
    await vi.waitFor(async () => expect(await spooledBytes(dataDir)).toBeLessThan(most), { timeout: 30_000 });
  } finally {
    await database.stop();
  }
});
