import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../db/connect.ts';
import { listMigrations } from '../db/migration-files.ts';
import { startEmbedded } from '../db/embedded.ts';
import { brokenInvariants } from '../invariants/invariants.ts';
import { storedFigures } from '../jobs/stored-figures.ts';
import { logTo } from '../logging.ts';
import { unpackFormer } from '../testing/former-tree.ts';
import { freePort } from '../testing/free-port.ts';
import { asOwner, runCommand } from '../testing/moves-of-databases.ts';
import { signIn } from '../testing/remote.ts';
import { spawnService, startProcess } from '../testing/service-process.ts';
import { readTables, sumOf } from './tables.ts';

/** This release restores an archive of the first release with backups. */

const root = join(import.meta.dirname, '..', '..', '..');
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
// the oldest commit with the command: its archives have the current format
const former = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/backup.ts').split('\n').at(-1) ?? '';
const isThere = former !== '' && git('ls-tree', '--name-only', former, 'scripts/demo.ts') !== '';
if (!isThere)
  process.stdout.write('The history of this checkout lacks a former release: its archive is not restored.\n');

const scratch = await mkdtemp(join(tmpdir(), 'tenure-former-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** What a restore changes on purpose, and tables that this release adds to. */
const changing = [
  'audit_chain',
  'audit_chain_reached',
  'backups',
  'installation',
  'job_workers',
  'login_attempts',
  'schema_migrations',
];

/** Later migrations add their own rows, and split the history of imported leavers. */
const growing = ['known_permissions', 'notification_settings', 'role_permissions', 'job_history', 'job_periods'];

/** Rows differ while counts are not yet added up; they are compared with a full count instead. */
const counted = Object.values(storedFigures).map(({ table }): string => table);

type Compared = { table: string; rows: [number, number] };

/** Tables whose rows differ in the common columns. */
async function differences(one: pg.Client, other: pg.Client): Promise<Compared[]> {
  const found: Compared[] = [];
  const there = new Map((await readTables(other)).map((table) => [table.name, table.columns]));
  for (const { name, columns: had } of await readTables(one)) {
    const columns = had.filter((column) => there.get(name)?.includes(column));
    const [before, after] = [await sumOf(one, { name, columns }), await sumOf(other, { name, columns })];
    if (before.sum !== after.sum || before.rows !== after.rows)
      found.push({ table: name, rows: [before.rows, after.rows] });
  }
  return found;
}

test.runIf(isThere)(
  'the archive of a former release is restored by this one',
  { timeout: 900_000 },
  async ({ annotate }) => {
    const tree = join(scratch, 'tree');
    await unpackFormer(former, tree);
    const [before, after, archive] = ['before', 'after', 'archive'].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    const port = await freePort();
    const demo = spawnService({
      dataDir: before,
      port,
      settings: { DEMO_DATA_DIR: before },
      tree,
      program: 'scripts/demo.ts',
    });
    onTestFinished(() => demo.kill());
    await vi.waitUntil(() => demo.lines.some((line) => line.includes('The demo is ready')), { timeout: 600_000 });
    const made = spawnSync(process.execPath, ['scripts/backup.ts', '--to', archive], {
      cwd: tree,
      env: { PATH: process.env.PATH, DATA_DIR: before },
      encoding: 'utf8',
    });
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(await demo.stop()).toBe(0);

    const settings = { DATA_DIR: after, BACKUP_URL: archive };
    expect(await runCommand('backup', ['--verify'], { settings })).toMatchObject({ code: 0, err: '' });
    const restored = await runCommand('restore', ['--yes'], { settings });
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(restored.out).not.toContain('Warning');

    const [one, other] = await Promise.all(
      [before, after].map((dataDir) => startEmbedded({ dataDir, log: logTo('silent') })),
    );
    if (!one || !other) throw new Error('unreachable');
    try {
      await asOwner(one, (former_) =>
        asOwner(other, async (present) => {
          const found = await differences(former_, present);
          const grew = ({ table, rows: [were, are] }: Compared) => growing.includes(table) && were < are;
          const others = [...changing, ...counted];
          expect(found.filter((one_) => !others.includes(one_.table) && !grew(one_))).toEqual([]);
          const names = async (client: pg.Client) =>
            (await client.query<{ name: string }>('select name from schema_migrations order by name')).rows.map(
              ({ name }) => name,
            );
          const [had, has] = [await names(former_), await names(present)];
          const { db } = connect({ url: other.ownerUrl, max: 1 });
          expect(await brokenInvariants(db)).toEqual([]);
          await db.destroy();
          // contract migrations wait until no former release runs
          const missing = (await listMigrations()).filter((name) => !has.includes(name));
          expect(missing.filter((name) => !name.endsWith('.contract.sql'))).toEqual([]);
          await annotate(
            `${had.length} migrations before, ${has.length} after; the archive is of commit ${former.slice(0, 8)}`,
          );
        }),
      );
    } finally {
      await one.stop();
      await other.stop();
    }

    const service = await startProcess({ dataDir: after, port });
    const client = await signIn(service.address, { email: 'hr@northwind.example', password: 'Willow!Harbor42' });
    const { status, body } = await client.get('/api/employees');
    expect([status, (body as { meta: { total: number } }).meta.total]).toEqual([200, expect.any(Number)]);
    expect(await service.stop()).toBe(0);
  },
);
