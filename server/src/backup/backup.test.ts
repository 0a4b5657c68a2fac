import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { addJob } from '../jobs/queue.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { backupsOf, filesOf } from '../testing/backups.ts';
import { backup, listCommand, verifyCommand } from './command.ts';
import { lineOf } from './refusal.ts';
import { openSnapshot } from './snapshot.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
  const entity = await app.make.entity();
  for (let count = 0; count < 30; count += 1) await app.make.employee({ entity_id: entity.id });
});

const runs = async () =>
  (await app.owner.query<{ kind: string; status: string; error: string | null }>('select * from backups order by id'))
    .rows;

/** A file as in the store, referenced by a row. */
async function attach(content: string): Promise<string> {
  const key = await app.deps.files.keep(await app.deps.files.receive([Buffer.from(content)], { maxBytes: 1_000 }));
  await app.owner.query(
    'update employees set picture_key = $1 where id = (select min(id) from employees where picture_key is null)',
    [key],
  );
  return key;
}

describe('a backup', () => {
  test('of a database that an older release has made says to start this one', async () => {
    const older = await startApp();
    const { command } = await backupsOf(older);
    await older.owner.query('drop table backups; drop table backup_key');
    await expect(backup(command)).rejects.toThrow(
      'The database is not prepared for backups by this release yet: start the service once.',
    );
  });

  test('has all rows and files, and can be verified', async () => {
    await attach('a logo');
    const { command, printed } = await backupsOf(app);
    const made = await backup(command);
    expect(made).toMatchObject({ files: 1, missingFiles: [], isEncrypted: false });
    expect(made.rows).toBeGreaterThan(100);
    expect(await verifyCommand(command)).toEqual({
      id: made.id,
      chunks: made.chunks,
      wasRead: true,
      manifestSha256: made.manifestSha256,
    });
    await listCommand(command);
    expect(printed.at(-1)).toContain(`${made.id}  ${made.id.slice(0, 4)}-`);
    expect((await runs()).slice(-2)).toMatchObject([
      { kind: 'backup', status: 'done', error: null },
      { kind: 'verification', status: 'done', error: null },
    ]);
  });

  test('sends what changed only', async () => {
    const { command } = await backupsOf(app);
    const first = await backup(command);
    const second = await backup(command);
    // the list of runs has one more row
    expect(second.sentChunks).toBeLessThanOrEqual(2);
    expect(second.sentBytes).toBeLessThan(first.sentBytes / 10);
  });

  test('is one moment of the database, whatever is written meanwhile', async () => {
    const snapshot = await openSnapshot(app.database.ownerUrl);
    try {
      const count = async (client: pg.Client | pg.Pool) =>
        (await client.query<{ count: string }>('select count(*) from employees')).rows[0]?.count;
      const [first, second] = snapshot.clients;
      const before = await count(first);
      await app.make.employee();
      expect(await count(app.owner)).not.toBe(before);
      expect([await count(first), await count(second)]).toEqual([before, before]);
    } finally {
      await snapshot.close();
    }
  });

  test('waits for none: a second one names the first', async () => {
    const { command } = await backupsOf(app);
    const snapshot = await openSnapshot(app.database.ownerUrl);
    await expect(backup(command)).rejects.toThrow(/^A backup of this database is running since .* UTC: wait/);
    await snapshot.close();
    await backup(command);
  });

  test('by a role that may not read everything is refused, because it would miss jobs', async () => {
    const test = await backupsOf(app);
    await addJob(app.deps.db, 'publish_kpi_cycle', { id: 1 }, { key: 'publish 1' });
    const jobsOf = async (id: string) =>
      (JSON.parse(await readFile(join(test.folder, 'backups', id, 'manifest.json'), 'utf8')) as { jobs: unknown[] })
        .jobs;
    const made = await backup(test.command);
    expect(await jobsOf(made.id)).toHaveLength(1);
    const limited = test.with({ DATABASE_BACKUP_URL: app.database.appUrl });
    await expect(backup(limited)).rejects.toThrow(
      /cannot read all data .*: grant it pg_read_all_data and BYPASSRLS\.$/,
    );
  });

  test('of a large database is refused before it begins, and made with --force', async () => {
    const { command, folder } = await backupsOf(app);
    const large = { ...command, maxBytes: 1_000_000 };
    const line =
      /^The database has \d+\.\d MB, and a backup prevents VACUUM from .*: above 1\.0 MB use pgBackRest \(docs\/backup\.md\), or add --force to make it anyway\.$/;
    await expect(backup(large)).rejects.toThrow(line);
    expect(existsSync(folder)).toBe(false);
    expect((await runs()).at(-1)).toMatchObject({ status: 'failed', error: expect.stringMatching(line) });
    expect(await backup({ ...large, force: true })).toMatchObject({ missingFiles: [] });
    expect(await backup({ ...large, maxBytes: 100_000_000_000 })).toMatchObject({ missingFiles: [] });
  });

  test('is made although a file is lost, and says so', async () => {
    const key = await attach('to be lost');
    await app.deps.files.remove(key);
    const { command, printed } = await backupsOf(app);
    expect((await backup(command)).missingFiles).toEqual([key]);
    expect(printed.join('\n')).toContain(`Warning: 1 files are missing in the file store, for example ${key}`);
    await app.owner.query('update employees set picture_key = null where picture_key = $1', [key]);
  });

  test('killed in the middle leaves no backup, and its chunks serve the next one', async () => {
    const { command, folder } = await backupsOf(app);
    const { DATABASE_URL, DATABASE_MIGRATION_URL, DATA_DIR } = command.config;
    const child = spawn(process.execPath, ['scripts/backup.ts', '--to', folder], {
      env: { ...process.env, DATABASE_URL, DATABASE_MIGRATION_URL, DATA_DIR },
    });
    await vi.waitUntil(() => existsSync(join(folder, 'chunks')), { timeout: 30_000, interval: 2 });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect(verifyCommand(command)).rejects.toThrow('contains no complete backup: make one first.');
    const made = await vi.waitUntil(() => backup(command).catch(() => undefined), { timeout: 20_000 });
    await verifyCommand(command, made?.id);
  });
});

describe('the folder', () => {
  test.each([
    ['a file', async (folder: string) => writeFile(folder, ''), /is not a folder: choose another location\.$/],
    [
      'a folder of something else',
      async (folder: string) => {
        await mkdir(folder);
        await writeFile(join(folder, 'thesis.doc'), '');
      },
      /is neither empty nor an archive of Tenure: choose another folder\.$/,
    ],
    [
      'an archive of another installation',
      async (folder: string) => {
        await mkdir(folder);
        await writeFile(join(folder, 'archive.json'), '{"format":1,"installation":"0011223344556677"}');
      },
      /contains the backups of another installation: choose another folder for this one\.$/,
    ],
    [
      'an archive of a newer release',
      async (folder: string) => {
        await mkdir(folder);
        await writeFile(join(folder, 'archive.json'), '{"format":2,"installation":"0011223344556677"}');
      },
      /was made by a newer release of Tenure: use that release\.$/,
    ],
  ])('is refused when it is %s', async (_, prepare, reason) => {
    const { command, folder } = await backupsOf(app);
    await prepare(folder);
    const before = existsSync(join(folder, 'archive.json')) && (await readFile(join(folder, 'archive.json'), 'utf8'));
    await expect(backup(command)).rejects.toThrow(reason);
    expect((await runs()).at(-1)).toMatchObject({
      kind: 'backup',
      status: 'failed',
      error: expect.stringMatching(reason),
    });
    if (before !== false) expect(await readFile(join(folder, 'archive.json'), 'utf8')).toBe(before);
  });

  test.each([
    ['sftp://host/x', 'sftp://host/x is neither a folder, for example /mnt/backups, nor s3://bucket/prefix.'],
    ['s3://bucket', 'The address of the backups needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.'],
  ])('is refused when it is %s', async (to, reason) => {
    const test = await backupsOf(app);
    await expect(backup(test.with({}, { folder: to }))).rejects.toThrow(reason);
  });
});

describe('damage is named', () => {
  test('one byte in a chunk, in the manifest and in the list of chunks; a chunk that is gone; another manifest', async () => {
    const { command, folder } = await backupsOf(app);
    const { id } = await backup(command);
    const { id: other } = await backup(command);
    const [name = ''] = (await readFile(join(folder, 'backups', id, 'chunks.txt'), 'utf8')).split('\n');
    const chunk = (await filesOf(join(folder, 'chunks'))).find((path) => path.includes(name)) ?? '';
    const flipped = async (path: string, refusal: RegExp) => {
      const content = await readFile(path);
      const changed = Buffer.from(content);
      const middle = Math.floor(changed.length / 2);
      changed.writeUInt8((changed[middle] ?? 0) ^ 1, middle);
      await writeFile(path, changed);
      await expect(verifyCommand(command, id)).rejects.toThrow(refusal);
      await writeFile(path, content);
    };
    await flipped(chunk, new RegExp(`${basename(chunk)} in the archive is damaged: use another backup`));
    await flipped(join(folder, 'backups', id, 'chunks.txt'), /lacks chunks\//);
    await rename(chunk, `${chunk}.away`);
    await expect(verifyCommand(command, id)).rejects.toThrow(`lacks chunks/${basename(chunk).slice(0, 2)}/`);
    await rename(`${chunk}.away`, chunk);
    const manifest = join(folder, 'backups', id, 'manifest.json');
    const content = await readFile(manifest);
    await writeFile(manifest, await readFile(join(folder, 'backups', other, 'manifest.json')));
    await expect(verifyCommand(command, id)).rejects.toThrow(
      `The folder of backup ${id} contains the manifest of ${other}`,
    );
    await writeFile(manifest, content.subarray(0, 900));
    await expect(verifyCommand(command, id)).rejects.toThrow(`The manifest of ${id} is damaged`);
    await writeFile(manifest, content.toString().replace('"format":1', '"format":9'));
    await expect(verifyCommand(command, id)).rejects.toThrow('was made by a newer release of Tenure');
    await writeFile(manifest, content);
    await verifyCommand(command, id);
    await expect(verifyCommand(command, 'yesterday')).rejects.toThrow(
      'There is no backup yesterday: the command backup --list',
    );
  });

  test('old content under the name of a chunk', async () => {
    const { command, folder } = await backupsOf(app);
    await backup(command);
    const [one = '', another = ''] = await filesOf(join(folder, 'chunks'));
    await writeFile(one, await readFile(another));
    await expect(verifyCommand(command)).rejects.toThrow(`${basename(one)} in the archive is damaged`);
  });
});

describe('an encrypted backup', () => {
  const passphrase = 'correct horse battery staple';
  // trying a passphrase is slow on purpose, even more on a busy machine
  const slow = 120_000;

  test(
    'opens with its passphrase only, and shows nothing',
    async () => {
      const test = await backupsOf(app);
      const command = test.with({ BACKUP_PASSPHRASE: passphrase });
      expect(await backup(command)).toMatchObject({ isEncrypted: true });
      expect(await verifyCommand(command)).toMatchObject({ wasRead: true });
      const wrong = test.with({ BACKUP_PASSPHRASE: 'incorrect horse battery' });
      const refusal = 'The passphrase is not the one of this archive: check BACKUP_PASSPHRASE_FILE.';
      await expect(verifyCommand(wrong)).rejects.toThrow(refusal);
      await expect(backup(wrong)).rejects.toThrow(refusal);
      for (const path of await filesOf(test.folder))
        if (!path.endsWith('.txt') && !path.endsWith('.json'))
          expect((await readFile(path)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    },
    slow,
  );

  test('for a recipient is read with the identity, and without it looked at', async () => {
    const identity = await generateX25519Identity();
    const test = await backupsOf(app);
    const command = test.with({ BACKUP_RECIPIENT: await identityToRecipient(identity) });
    const { chunks } = await backup(command);
    expect(await verifyCommand(command)).toMatchObject({ wasRead: false, chunks });
    expect(test.printed.at(-1)).toContain('They were not read, because the key is missing: add --identity FILE.');
    const file = join(test.folder, '..', 'identity.txt');
    await writeFile(file, `# created: today\n${identity}\n`);
    expect(await verifyCommand({ ...command, identity: file })).toMatchObject({ wasRead: true });
    await writeFile(file, `${await generateX25519Identity()}\n`);
    await expect(verifyCommand({ ...command, identity: file })).rejects.toThrow('This key does not decrypt the backup');
    await writeFile(file, 'a diary');
    await expect(verifyCommand({ ...command, identity: file })).rejects.toThrow('has no line AGE-SECRET-KEY-1');
    await rm(file);
    await expect(verifyCommand({ ...command, identity: file })).rejects.toThrow(`${file} does not exist`);
  });

  test(
    'shares no chunk with one that is not encrypted',
    async () => {
      const test = await backupsOf(app);
      const { chunks } = await backup(test.command);
      const sealed = await backup(test.with({ BACKUP_PASSPHRASE: passphrase }));
      expect(sealed.sentChunks).toBe(sealed.chunks);
      expect(sealed.chunks).toBe(chunks);
    },
    slow,
  );

  // an independent verifier
  test.runIf(existsSync('/usr/bin/age'))('is opened by age itself', async () => {
    const identity = await generateX25519Identity();
    const test = await backupsOf(app);
    const { id } = await backup(test.with({ BACKUP_RECIPIENT: await identityToRecipient(identity) }));
    const file = join(test.folder, '..', 'identity.txt');
    await writeFile(file, `${identity}\n`);
    const opened = (path: string) => {
      const { status, stdout } = spawnSync('/usr/bin/age', ['-d', '-i', file, path], { maxBuffer: 1e9 });
      expect(status).toBe(0);
      return stdout;
    };
    const manifest = JSON.parse(opened(join(test.folder, 'backups', id, 'manifest.json.age')).toString()) as {
      tables: Record<string, { chunks: string[] }>;
    };
    const [name = ''] = manifest.tables['employees']?.chunks ?? [];
    const chunk = opened(join(test.folder, 'chunks', name.slice(0, 2), name));
    expect(chunk.readUInt32LE(0).toString(16)).toBe('fd2fb528');
  });
});

test('the list of runs keeps the newest success of each folder, however many failures follow', async () => {
  const { command, folder } = await backupsOf(app);
  const { id } = await backup(command);
  await app.owner.query(
    `insert into backups (kind, status, started_at, error) select 'backup', 'failed', now(), 'away' from generate_series(1, 600)`,
  );
  await rename(folder, `${folder}.away`);
  await expect(backup(command)).rejects.toThrow('is empty, though backups were written there');
  await rename(`${folder}.away`, folder);
  const { rows } = await app.owner.query<{ backup: string; count: number }>(
    `select (select count(*)::int from backups where kind = 'backup' and status = 'failed') as count,
            (select backup from backups where details ->> 'folder' = $1 and status = 'done') as backup`,
    [folder],
  );
  expect(rows).toEqual([{ count: 500, backup: id }]);
  await app.owner.query("delete from backups where error = 'away'");
});

test('a backup whose database goes away meanwhile ends with a line that says so', async () => {
  const { command } = await backupsOf(app);
  const keeper = await app.owner.connect();
  await keeper.query('begin; lock table employees in access exclusive mode');
  const made = backup(command).then(() => 'made', lineOf);
  const cut = async () => {
    const { rowCount } = await app.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'tenure backup' and wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBeGreaterThan(0);
  };
  await vi.waitFor(cut, { timeout: 20_000 });
  await keeper.query('rollback');
  keeper.release();
  expect(await made).toBe(
    'The connection to the database was lost (terminating connection due to administrator command): check that the database is running, and try again.',
  );
});

test.each([
  Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }),
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
])('“$message” of the driver is one of these', (error) => {
  expect(lineOf(error)).toBe(
    `The connection to the database was lost (${error.message}): check that the database is running, and try again.`,
  );
});
