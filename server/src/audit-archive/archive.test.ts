import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { auditBreaks, chainHead } from '../audit-chain.ts';
import { record } from '../audit.ts';
import { chainAudit } from '../jobs/audit.ts';
import { databaseNow } from '../jobs/task.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { backupsOf } from '../testing/backups.ts';
import type { BackupTest } from '../testing/backups.ts';
import { archiveCommand, listCommand, parseMonths, printCommand, verifyCommand } from './command.ts';
import type { ArchivedEntry } from './entries.ts';

let app: TestApp;
let backups: BackupTest;

/** Writes entries of a past month, as in a log that has existed for years. */
async function writeIn(month: string, ...labels: string[]) {
  const first = `${month}-01`;
  await app.owner.query(`create table if not exists audit_log_${month.replace('-', '')} partition of audit_log
    for values from ('${first}') to ('${Temporal.PlainDate.from(first).add({ months: 1 }).toString()}')`);
  for (const label of labels)
    await app.owner.query(
      `insert into audit_log (at, actor_name, action, subject_type, subject_label, changes, reason, token_id)
       values ($1, 'Ünïcode "Ltd" 🙂', 'entity.updated', 'entity', $2, '{"name": {"from": null, "to": "a\\nb"}}', null, $3)`,
      [`${month}-15T08:00:00Z`, label, label === 'third' ? 7 : null],
    );
}

async function chainAll() {
  await vi.waitFor(
    async () => {
      await chainAudit({ deps: app.deps, now: await databaseNow(app.deps.db) });
      const { rows } = await app.owner.query(
        'select from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)',
      );
      expect(rows).toEqual([]);
    },
    { timeout: 10_000 },
  );
}

const archive = ({ command = backups.command, isTrial = false } = {}) =>
  archiveCommand({ ...command, months: 24, isTrial });

/** The lines that a command printed. */
async function linesOf(run: Promise<void>): Promise<string[]> {
  backups.printed.length = 0;
  await run;
  return [...backups.printed];
}

const entriesIn = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as ArchivedEntry);

const labels = async () =>
  (await app.owner.query<{ label: string }>('select subject_label as label from audit_log order by id')).rows.map(
    ({ label }) => label,
  );

beforeEach(async () => {
  app = await startApp();
  backups = await backupsOf(app);
  // in commit order, months are mixed
  await writeIn('2023-03', 'first');
  await writeIn('2023-04', 'second');
  await writeIn('2023-03', 'third', 'fourth');
  await record({ db: app.deps.db, actor: null }, { action: 'entity.created', subject_label: 'today' });
  await chainAll();
});

describe('archived months', () => {
  test('leave the log, the chain stays whole, and each entry can be printed', async () => {
    const { command, folder } = backups;
    const head = await chainHead(app.deps.db);
    expect(await linesOf(archive({ isTrial: true }))).toEqual([`Would be archived to ${folder}: 2023-03, 2023-04`]);
    expect(await labels()).toContain('first');

    expect(await linesOf(archive())).toEqual([
      expect.stringMatching(/^2023-03: 3 entries archived, SHA-256 of its manifest [0-9a-f]{64}$/),
      expect.stringMatching(/^2023-04: 1 entries archived/),
    ]);
    expect(await labels()).toEqual(['today', '2023-03', '2023-04']);
    await chainAll();
    expect(await auditBreaks(app.deps.db)).toEqual([]);
    expect((await chainHead(app.deps.db))?.position).toBe((head?.position ?? 0) + 2);

    expect(await linesOf(listCommand(command))).toEqual([
      '2023-03  3 entries  not encrypted',
      '2023-04  1 entries  not encrypted',
    ]);
    expect(await linesOf(verifyCommand(command))).toEqual([
      '2023-03: 3 entries fit their links',
      '2023-04: 1 entries fit their links',
    ]);
    const lines = await linesOf(printCommand({ ...command, month: '2023-03' }));
    expect(entriesIn(lines).map((entry) => entry.subject_label)).toEqual(['first', 'third', 'fourth']);
    expect(await linesOf(archive())).toEqual(['No month of the audit log is older than 24 months']);
  });

  test('are not counted, and the log says from which day on it is', async () => {
    const reader = await app.make.employee({ roles: ['Admin'] });
    const client = await app.as(reader.user_id);
    await chainAll();
    const total = async () => (await client.get('/api/audit-log')).body.meta.total as number;
    const before = await total();
    expect((await client.get('/api/audit-log/archived')).body.data).toEqual({ before: null });
    await archive();
    await chainAll();
    expect(await total()).toBe(before - 4 + 2);
    expect((await client.get('/api/audit-log/archived')).body.data).toEqual({ before: '2023-05-01' });
  });

  test('are encrypted as backups are, and checked without the key as far as that goes', async () => {
    const identity = await generateX25519Identity();
    const file = join(backups.folder, '..', 'identity.txt');
    await writeFile(file, `${identity}\n`);
    const sealed = backups.with({ BACKUP_RECIPIENT: await identityToRecipient(identity) });
    await archive({ command: sealed });
    const names = await readdir(join(backups.folder, 'audit/2023-04'));
    expect(names.toSorted()).toEqual([expect.stringMatching(/\.jsonl\.zst\.age$/), 'manifest.json']);
    expect(await linesOf(verifyCommand(sealed))).toContain(
      '2023-04: all files exist. They were not read, because the key is missing: add --identity FILE.',
    );
    await expect(printCommand({ ...sealed, month: '2023-04' })).rejects.toThrow('2023-04 is encrypted: give its key');
    const withKey = { ...sealed, identity: file };
    expect(await linesOf(verifyCommand(withKey))).toContain('2023-04: 1 entries fit their links');
    expect(entriesIn(await linesOf(printCommand({ ...withKey, month: '2023-04' })))).toMatchObject([
      { subject_label: 'second', actor_name: 'Ünïcode "Ltd" 🙂' },
    ]);
  });

  test('are checked by a program that uses nothing of Tenure', async () => {
    await archive();
    await chainAll();
    const file = join(backups.folder, '..', '2023-03.jsonl');
    await writeFile(file, `${(await linesOf(printCommand({ ...backups.command, month: '2023-03' }))).join('\n')}\n`);
    const { hash, position } = (await chainHead(app.deps.db)) ?? {};
    expect(await verifyAlone(file)).toEqual({
      code: 0,
      said: `${position} links, 3 archived rows, 0 faults, head ${position}:${hash}\n`,
    });
    await writeFile(file, (await readFile(file, 'utf8')).replace('"third"', '"other"'));
    expect(await verifyAlone(file)).toMatchObject({ code: 1, said: expect.stringContaining('does not fit its link') });
  });

  test('that were written, but not removed, are taken as they are', async () => {
    await app.owner.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$;
      create trigger fail before insert on audit_archives for each row execute function fail()`);
    await expect(archive()).rejects.toThrow('stopped');
    expect(await labels()).toContain('first');
    const files = await readdir(join(backups.folder, 'audit/2023-03'));
    await app.owner.query('drop trigger fail on audit_archives');
    await archive();
    expect(await readdir(join(backups.folder, 'audit/2023-03'))).toEqual(files);
    expect(await labels()).not.toContain('first');
  });
});

describe('a month is not removed', () => {
  test('before all of its entries have links', async () => {
    await writeIn('2023-04', 'late');
    await expect(archive()).rejects.toThrow(/^Entry \d+ of 2023-04 has no link yet: run the service/);
    expect(await labels()).toContain('late');
    expect(await labels()).not.toContain('first');
  });

  test('where the archive has another month of that name', async () => {
    await archive();
    // as after restoring a backup from that time, whose log then continued differently
    await writeIn('2023-04', 'another');
    await app.owner.query(`alter table audit_archives disable trigger user; delete from audit_archives;
      alter table audit_archives enable trigger user`);
    await chainAll();
    await expect(archive()).rejects.toThrow(
      /holds another 2023-04, with 1 entries where the log has 1: choose another folder/,
    );
    expect(await labels()).toContain('another');
  });

  test('where its files are damaged', async () => {
    await app.owner.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$;
      create trigger fail before insert on audit_archives for each row execute function fail()`);
    await expect(archive()).rejects.toThrow('stopped');
    await app.owner.query('drop trigger fail on audit_archives');
    await damage('2023-03');
    await expect(archive()).rejects.toThrow(/^audit\/2023-03\/[0-9a-f]{16}\.jsonl\.zst in .+ is damaged/);
    expect(await labels()).toContain('first');
  });

  test('where the disk of the database would have less than its reserve', async () => {
    const command = backups.with({ DISK_RESERVE_MB: '1000000' });
    await expect(archive({ command })).rejects.toThrow(
      /is on the disk of DATA_DIR, which would have less than DISK_RESERVE_MB \(\d+ MB\) left: free some space/,
    );
    expect(await readdir(join(backups.folder, '..'))).not.toContain('archive');
    expect(await labels()).toContain('first');
  });

  test('by the application', async () => {
    for (const statement of [
      'drop table audit_log_202303',
      "insert into audit_archives values ('2023-03-01', 3, '{[1,4)}', repeat('0', 64), 'nowhere')",
      'alter table audit_log detach partition audit_log_202303',
    ])
      await expect(app.deps.pool.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
  });

  test('while another command or a backup writes into the archive', async () => {
    const holder = await app.owner.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(7365042)');
    await expect(archive()).rejects.toThrow(/^A backup of this database is running since .+: wait until it has ended/);
    await holder.query('rollback');
    holder.release();
    expect(await labels()).toContain('first');
  });

  test('younger than a year', () => {
    expect(parseMonths('12')).toBe(12);
    for (const text of [undefined, '', '11', '-24', '1e3', '24 months'])
      expect(() => parseMonths(text)).toThrow(
        'Give the age of the months to archive with --older-than MONTHS, at least 12.',
      );
  });
});

describe('a change of an archive is found', () => {
  test('in its files, its manifest and the chain', async () => {
    await archive();
    const { folder, command } = backups;
    const manifest = join(folder, 'audit/2023-04/manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('"entries":1', '"entries":2'));
    await expect(verifyCommand(command)).rejects.toThrow('2023-04 in');
    await writeFile(manifest, text);
    await damage('2023-04');
    await expect(verifyCommand(command)).rejects.toThrow('is damaged: use another copy of the archive.');
  });

  test('and so is a month that is noted without an entry about it', async () => {
    await archive();
    await chainAll();
    await app.owner.query(`insert into audit_archives (month, entries, positions, manifest_sha256, location)
      values ('2023-06-01', 1, '{[9000,9001)}', repeat('0', 64), 'nowhere')`);
    expect(await auditBreaks(app.deps.db)).toEqual([
      { position: null, audit_id: 0, fault: 'no entry about the archive of 2023-06' },
    ]);
  });

  test('and so is an entry that is missing, though no archive has it', async () => {
    await archive();
    await app.owner.query(`alter table audit_log disable trigger user;
      delete from audit_log where subject_label = 'today'; alter table audit_log enable trigger user`);
    expect(await auditBreaks(app.deps.db)).toMatchObject([{ fault: 'missing row' }]);
  });
});

/** Changes one byte in a file of the month. */
async function damage(month: string) {
  const folder = join(backups.folder, 'audit', month);
  const name = (await readdir(folder)).find((file) => file.endsWith('.zst')) ?? '';
  const content = await readFile(join(folder, name));
  content[content.length - 1] = (content.at(-1) ?? 0) ^ 1;
  await writeFile(join(folder, name), content);
}

async function verifyAlone(...files: string[]) {
  const program = fileURLToPath(new URL('../../../scripts/audit-verify.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, app.database.ownerUrl, ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said: said.join('') };
}
