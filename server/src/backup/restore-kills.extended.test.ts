import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import type { TestDatabase } from '../testing/databases.ts';
import { backupsOf, filesOf } from '../testing/backups.ts';
import { emptyDatabase } from '../testing/databases.ts';
import { freePort } from '../testing/free-port.ts';
import { asOwner, asOwnerIn, contentOf, runCommand, stateOf } from '../testing/moves-of-databases.ts';
import type { Ran } from '../testing/moves-of-databases.ts';
import { ownerUrlOf, spawnService, startProcess } from '../testing/service-process.ts';
import { backup } from './command.ts';

/** A restore that is killed after each of its phases, repeated each time, and finally completed. */

const phases = [
  'Files copied',
  'Tables built',
  'Rows copied',
  'Indexes and keys built',
  'Numbers and sums of rows compared',
  'Migrations of this release applied',
  'Rules of the data and indexes checked',
];
const lastPhase = phases.at(-1);

const long = 1_800_000;
const picture = 'what the picture shows';
let app: TestApp;
let root: string;
let archive: string;
let port: number;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenure-restore-kills-'));
  app = await startApp();
  await app.make.admin();
  for (let count = 0; count < 20; count += 1) await app.make.employee();
  const key = await app.deps.files.keep(await app.deps.files.receive([Buffer.from(picture)], { maxBytes: 1_000 }));
  await app.owner.query('update employees set picture_key = $1 where id = (select min(id) from employees)', [key]);
  const made = await backupsOf(app);
  archive = made.folder;
  await backup(made.command);
  port = await freePort();
}, long);
afterAll(() => rm(root, { recursive: true, force: true }));

const report = (phase: string, { code, out, err }: Ran) => `killed after "${phase}": ${code}\n${out}${err}`;
const usersOf = async (client: Pick<pg.Client, 'query'>, schema = 'public') =>
  (await client.query(`select id, email from ${schema}.users order by id`)).rows;

test('the embedded database stays as it was until the new one is in its place', { timeout: long }, async () => {
  const dataDir = join(root, 'data');
  const settings = { DATA_DIR: dataDir, BACKUP_URL: archive };
  const restore = (killAt?: string) =>
    runCommand('restore', ['--replace', '--yes'], { settings, ...(killAt && { killAt }) });
  const look = async (users: () => Promise<unknown[]>) => {
    const found = await users();
    const names = await readdir(dataDir);
    return {
      users: found,
      files: await filesOf(join(dataDir, 'files')),
      kept: names.filter((name) => name.includes('before')),
    };
  };
  /** What exists after its server was started. */
  const found = () => look(() => asOwnerIn(dataDir, usersOf));
  /** What a service that starts there finds. */
  const served = () =>
    look(async () => {
      const service = await startProcess({ dataDir, port });
      const users = await asOwner({ ownerUrl: await ownerUrlOf(dataDir) }, usersOf);
      expect(await service.stop()).toBe(0);
      return users;
    });
  const before = await served();
  expect(before).toMatchObject({ users: [{ email: 'admin@acme.example' }], kept: [] });
  for (const phase of phases) {
    const ran = await restore(phase);
    expect([ran.code, ran.out.includes('Put in place')], report(phase, ran)).toEqual([null, false]);
    expect(await (phase === lastPhase ? served : found)(), report(phase, ran)).toEqual(before);
  }

  expect(await restore()).toMatchObject({ code: 0, err: '' });
  const after = await served();
  expect(after.users).toEqual(await asOwner(app.database, usersOf));
  const contents = await Promise.all(after.files.map((path) => readFile(path, 'utf8')));
  expect(contents).toContain(picture);
  expect(after.kept.map((name) => name.replace(/\d{8}T\d{6}Z$/, '<time>')).toSorted()).toEqual([
    'files.before-<time>',
    'postgres.before-<time>',
  ]);
  expect(await readdir(dataDir)).not.toContain('restore');

  const late = await restore('Put in place');
  expect((await found()).users, report('Put in place', late)).toEqual(after.users);
});

/** The way back to the former tables, as in docs/backup.md. */
async function wayBack(schema: string): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'backup.md'), 'utf8');
  const block = page.split('```').find((text) => text.includes('alter schema public_before_<time>'));
  return String(block).replaceAll('<time>', schema.slice('public_before_'.length));
}

const keptIn = async (client: pg.Client) =>
  (
    await client.query<{ name: string }>(
      "select nspname::text as name from pg_namespace where nspname like 'public_before_%' order by 1",
    )
  ).rows.map(({ name }) => name);

/** The server notices only after its statement that the client was killed. */
const untilAlone = (client: pg.Client) =>
  vi.waitUntil(
    async () => {
      await client.query('select pg_stat_clear_snapshot()');
      const { rows } = await client.query(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend'`,
      );
      return rows.length === 0;
    },
    { timeout: 60_000 },
  );

/** Without what a restore adds: the row in the list of runs, and its number. */
const compared = ({ backups, sequences, ...rest }: Record<string, unknown>) => rest;

test(
  'an external database has its former tables, or no service starts until they are back',
  { timeout: long },
  async () => {
    const target: TestDatabase = await emptyDatabase();
    const settings = {
      DATA_DIR: join(root, 'files-only'),
      DATABASE_URL: target.appUrl,
      DATABASE_MIGRATION_URL: target.ownerUrl,
      BACKUP_URL: archive,
      APP_KEY: generateKey(),
    };
    const service = () => spawnService({ dataDir: settings.DATA_DIR, port, settings });
    const restore = (killAt?: string) =>
      runCommand('restore', ['--replace', '--yes'], { settings, ...(killAt && { killAt }) });
    // its first start marks the files as those of this database, so that going back finds them again
    const first = await startProcess({ dataDir: settings.DATA_DIR, port, settings });
    expect(await first.stop()).toBe(0);
    const before = await asOwner(target, async (client) => {
      await untilAlone(client);
      await client.query("insert into users (email) values ('before@acme.example')");
      return contentOf(client);
    });
    const ended = { unfinished: 0, 'in use': 0 };

    for (const phase of phases) {
      const ran = await restore(phase);
      // the last phase is almost the end
      if (phase !== lastPhase) expect(ran.code, report(phase, ran)).toBe(null);
      await asOwner(target, async (client) => {
        await untilAlone(client);
        const [state, kept] = [await stateOf(client), await keptIn(client)];
        if (kept.length > 0) {
          if (phase !== lastPhase) expect(state, report(phase, ran)).toBe('unfinished');
          expect(kept, report(phase, ran)).toHaveLength(1);
          if (state === 'unfinished' && ended.unfinished === 0) {
            const refused = service();
            expect(await refused.ended).toBe(1);
            expect(refused.lines.join('\n')).toContain(
              'A restore into this database was interrupted. Repeat the command',
            );
            await untilAlone(client);
          }
          await client.query(await wayBack(kept[0] as string));
        }
        ended[kept.length > 0 ? 'unfinished' : 'in use'] += 1;
        expect(await stateOf(client), report(phase, ran)).toBe('in use');
        expect(await contentOf(client), report(phase, ran)).toEqual(before);
      });
    }
    expect(ended.unfinished).toBeGreaterThan(0);
    expect(ended['in use']).toBeGreaterThan(3);

    // again after the tables were exchanged, and then forward without a way back
    await restore('Migrations of this release applied');
    await asOwner(target, untilAlone);
    expect(await restore()).toMatchObject({ code: 0, err: '' });
    await asOwner(target, async (client) => {
      expect(await stateOf(client)).toBe('in use');
      expect(compared(await contentOf(client))).toEqual(compared(await asOwner(app.database, contentOf)));
      const [kept] = await keptIn(client);
      expect(await usersOf(client, kept)).toMatchObject([
        { email: 'admin@acme.example' },
        { email: 'before@acme.example' },
      ]);
    });
    const started = await startProcess({ dataDir: settings.DATA_DIR, port, settings });
    expect(await started.stop()).toBe(0);
  },
);
